/** Audio, images and files through the OpenAI SDK, in both directions, against a server that says what it was sent. */
import { createHash } from 'node:crypto'
import OpenAI, { toFile } from 'openai'
import { expect, test } from 'vitest'
import { type Answer, type LoopbackServer, loopbackServer, settle } from '../interception/loopback-server.ts'
import { recordedTest } from '../session/recorded-test.ts'

/** Bytes that are no text in any place, always the same. */
function noise(length: number, seed: number): Buffer {
  const bytes = Buffer.alloc(length)
  let state = seed
  for (let index = 0; index < length; index += 1) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    bytes[index] = state >> 16
  }
  return bytes
}

const speech = noise(50_000, 1)
const download = noise(9_000, 2)
const upload = noise(20_000, 3)
const png = noise(3_000, 4).toString('base64')

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

const answers: Readonly<Record<string, Answer>> = {
  '/v1/audio/speech': async (_, response) => {
    response.setHeader('content-type', 'audio/mpeg')
    for (let start = 0; start < speech.length; start += 7_777) {
      response.write(speech.subarray(start, start + 7_777))
      await settle(1)
    }
    response.end()
  },
  '/v1/files/file-1/content': (_, response) => {
    response.setHeader('content-type', 'application/octet-stream')
    response.end(download)
  },
  '/v1/images/generations': (_, response) => {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ created: 1, data: [{ b64_json: png }] }))
  },
}

/** What is uploaded is found whole in what came over the wire. */
const told: Answer = ({ body, path }, response) => {
  response.setHeader('content-type', 'application/json')
  const text = body.includes(upload) ? 'whole' : 'not whole'
  response.end(JSON.stringify(path.endsWith('files') ? { id: 'file-1', object: 'file', filename: text } : { text }))
}

function server(): Promise<LoopbackServer> {
  return loopbackServer((request, response) => (answers[request.path] ?? told)(request, response))
}

function openai(url: string): OpenAI {
  return new OpenAI({ apiKey: 'sk-test-0f3a9c17b2d84e6590ab12cd34ef5678', baseURL: `${url}/v1`, maxRetries: 0 })
}

const calls: readonly (readonly [name: string, call: (client: OpenAI) => Promise<unknown>, expected: unknown])[] = [
  [
    'speech that is answered',
    async (client) => {
      const answer = await client.audio.speech.create({ model: 'tts-1', voice: 'alloy', input: 'Hello' })
      return sha256(new Uint8Array(await answer.arrayBuffer()))
    },
    sha256(speech),
  ],
  [
    'a recording that is sent to be transcribed',
    async (client) => {
      const file = await toFile(upload, 'speech.wav', { type: 'audio/wav' })
      return (await client.audio.transcriptions.create({ model: 'whisper-1', file })).text
    },
    'whole',
  ],
  [
    'a picture in base64',
    async (client) => {
      const { data } = await client.images.generate({ model: 'gpt-image-1', prompt: 'A fjord' })
      return sha256(Buffer.from(data?.[0]?.b64_json ?? '', 'base64'))
    },
    sha256(Buffer.from(png, 'base64')),
  ],
  [
    'a picture that is sent to be edited',
    async (client) => {
      const image = await toFile(upload, 'fjord.png', { type: 'image/png' })
      return ((await client.images.edit({ model: 'gpt-image-1', image, prompt: 'More snow' })) as { text?: string })
        .text
    },
    'whole',
  ],
  [
    'a file that is uploaded',
    async (client) =>
      (await client.files.create({ purpose: 'user_data', file: await toFile(upload, 'a.pdf') })).filename,
    'whole',
  ],
  [
    'a file that is downloaded',
    async (client) => sha256(new Uint8Array(await (await client.files.content('file-1')).arrayBuffer())),
    sha256(download),
  ],
]

test('audio, images and files are the same bytes live and replayed, in both directions, without a request', async () => {
  const { url, seen } = await server()
  const recorded = recordedTest()
  const options = { capture: [url] }
  const run = async () => {
    const results: Record<string, unknown> = {}
    for (const [name, call] of calls) results[name] = await call(openai(url))
    return results
  }
  const expected = Object.fromEntries(calls.map(([name, , value]) => [name, value]))
  const live = await recorded.attempt('record', run, options)
  expect([live.error, live.value]).toEqual([undefined, expected])
  const requests = seen.length
  const again = await recorded.attempt('replay', run, options)
  expect([again.error, again.value, seen.length]).toEqual([undefined, expected, requests])
  const bodies = recorded
    .cassette()
    .interactions.map((interaction) => 'response' in interaction && interaction.response?.body)
  expect(bodies.filter((body) => body && 'file' in body)).toHaveLength(2)
})

test('F6 another file under the same name is another request', async () => {
  const { url } = await server()
  const recorded = recordedTest()
  const options = { capture: [url] }
  const send = async (bytes: Buffer) => {
    const file = await toFile(bytes, 'speech.wav', { type: 'audio/wav' })
    return openai(url).audio.transcriptions.create({ model: 'whisper-1', file })
  }
  await recorded.attempt('record', () => send(upload), options)
  const other = Buffer.from(upload)
  other[7] = (other[7] as number) ^ 1
  const missed = await recorded.attempt('replay', () => send(other), options)
  expect([missed.value, missed.error?.message]).toEqual([undefined, expect.stringContaining('parts[1].sha256 changed')])
})

test('F8 the cut points of a spoken answer come back', async () => {
  const { url } = await server()
  const recorded = recordedTest()
  const options = { capture: [url] }
  const read = async () => {
    const answer = await openai(url).audio.speech.create({ model: 'tts-1', voice: 'alloy', input: 'Hello' })
    const cuts: number[] = []
    for await (const chunk of answer.body as unknown as AsyncIterable<Uint8Array>) cuts.push(chunk.length)
    return cuts
  }
  const live = await recorded.attempt('record', read, options)
  const again = await recorded.attempt('replay', read, options)
  expect(live.value?.length).toBeGreaterThan(3)
  expect([again.error, again.value]).toEqual([undefined, live.value])
})
