/** The AWS SDK's Bedrock client as it comes, over HTTP/2, against a server that writes frames with the SDK's own codec. */
import { createHash } from 'node:crypto'
import http2 from 'node:http2'
import {
  BedrockRuntimeClient,
  ConverseCommand,
  ConverseStreamCommand,
  InvokeModelCommand,
  InvokeModelWithResponseStreamCommand,
} from '@aws-sdk/client-bedrock-runtime'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type Http2Server, http2Server, type StreamAnswer } from '../interception/http2-server.ts'
import { settle } from '../interception/loopback-server.ts'
import { recordedTest } from '../session/recorded-test.ts'
import { chunkFrame, converseFrames, eventFrame } from '../wire/amazon-codec.ts'

const modelId = 'us.amazon.nova-lite-v1:0'
const accessKeyId = 'AKIAQ3EGRZ7XLMN5TPWV'
const secretAccessKey = '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'
const messages = [{ role: 'user' as const, content: [{ text: 'Berlin to Oslo' }] }]

function clientOf(server: Http2Server, options = {}): BedrockRuntimeClient {
  const client = new BedrockRuntimeClient({
    region: 'us-east-1',
    endpoint: server.url,
    credentials: { accessKeyId, secretAccessKey },
    maxAttempts: 1,
    ...options,
  })
  onTestFinished(() => client.destroy())
  return client
}

async function taken<E>(stream: AsyncIterable<E> | undefined): Promise<readonly E[]> {
  const events: E[] = []
  for await (const event of stream ?? []) events.push(event)
  return events
}

const whole = {
  output: { message: { role: 'assistant', content: [{ text: 'Oslo is 89 euros' }] } },
  stopReason: 'end_turn',
  usage: { inputTokens: 3, outputTokens: 4, totalTokens: 7 },
  metrics: { latencyMs: 5 },
}

/** Each frame by itself, or all of them in pieces of so many bytes. */
function framesOf(frames: readonly Uint8Array[], pieceBytes?: number): StreamAnswer {
  const all = Buffer.concat(frames)
  const pieces =
    pieceBytes === undefined
      ? frames
      : Array.from({ length: Math.ceil(all.length / pieceBytes) }, (_, index) =>
          all.subarray(index * pieceBytes, (index + 1) * pieceBytes),
        )
  return async (stream) => {
    stream.respond({ ':status': 200, 'content-type': 'application/vnd.amazon.eventstream', 'x-amzn-requestid': 'r-1' })
    for (const piece of pieces) {
      stream.write(piece)
      await settle(2)
    }
    stream.end()
  }
}

const json =
  (value: unknown, status = 200, headers = {}): StreamAnswer =>
  (stream) => {
    stream.respond({ ':status': status, 'content-type': 'application/json', ...headers })
    stream.end(JSON.stringify(value))
  }

/** The answer by the end of the path. */
function bedrock(answers: Readonly<Record<string, StreamAnswer>>, tls = false): Promise<Http2Server> {
  return http2Server(
    (stream, request) => {
      const operation = String(request.headers[':path']).split('/').at(-1) ?? ''
      return (answers[operation] as StreamAnswer)(stream, request)
    },
    { tls },
  )
}

const claude = [
  { type: 'message_start', message: { id: 'msg_1', role: 'assistant', content: [], usage: { input_tokens: 4 } } },
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hello' } },
  { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 2 } },
  { type: 'message_stop' },
]

test('every operation is recorded and replayed with equal results, without a request and without its signature', async () => {
  const server = await bedrock({
    converse: json(whole),
    'converse-stream': framesOf(converseFrames()),
    invoke: json({ generation: 'Hi' }),
    'invoke-with-response-stream': framesOf(claude.map(chunkFrame)),
  })
  const recorded = recordedTest()
  const options = { capture: [server.url] }
  const body = JSON.stringify({ anthropic_version: 'bedrock-2023-05-31', max_tokens: 9, messages: [] })
  const run = async (client: BedrockRuntimeClient) => {
    const { output, usage } = await client.send(new ConverseCommand({ modelId, messages }))
    const { stream } = await client.send(new ConverseStreamCommand({ modelId, messages }))
    const events = await taken(stream)
    const invoked = await client.send(new InvokeModelCommand({ modelId, body: '{"prompt":"Hi"}' }))
    const streamed = await client.send(new InvokeModelWithResponseStreamCommand({ modelId, body }))
    const chunks = (await taken(streamed.body)).map(({ chunk }) => Buffer.from(chunk?.bytes ?? []).toString())
    return { output, usage, events, invoked: invoked.body.transformToString(), chunks }
  }
  const live = await recorded.attempt(
    'record',
    async (tape) => {
      const seen = await run(clientOf(server))
      const { turns } = tape
      return { seen, turns: turns.map(({ text, toolCalls }) => [text, toolCalls.map(({ name }) => name)]) }
    },
    options,
  )
  expect(live.error).toBeUndefined()
  expect(live.value?.seen.events).toHaveLength(converseFrames().length)
  expect(live.value?.turns).toMatchInlineSnapshot(`
    [
      [
        "Oslo is 89 euros",
        [],
      ],
      [
        "Oslo is 89 euros 🛫",
        [
          "book",
        ],
      ],
      [
        "",
        [],
      ],
      [
        "Hello",
        [],
      ],
    ]
  `)
  expect(server.seen).toHaveLength(4)
  const connections = server.sessions.length
  expect(Object.keys(recorded.cassette().recordedWith)).toContain('@aws-sdk/client-bedrock-runtime')
  const text = recorded.text()
  for (const secret of [accessKeyId, secretAccessKey, 'AWS4-HMAC', 'x-amz-date', 'amz-sdk-invocation-id']) {
    expect(text).not.toContain(secret)
  }
  const again = await recorded.attempt('replay', () => run(clientOf(server)), options)
  expect(again.error).toBeUndefined()
  expect(await Promise.all(Object.values(again.value ?? {}))).toEqual(
    await Promise.all(Object.values(live.value?.seen ?? {})),
  )
  expect(server.seen).toHaveLength(4)
  expect(server.sessions).toHaveLength(connections)
})

/** Of the body as a caller gets it, and how it was cut. */
async function bodyOf(url: string): Promise<{ readonly sha256: string; readonly cuts: readonly number[] }> {
  const session = http2.connect(url)
  const stream = session.request({ ':method': 'POST', ':path': `/model/${modelId}/converse-stream` })
  const hash = createHash('sha256')
  const cuts: number[] = []
  stream.on('data', (piece: Buffer) => {
    hash.update(piece)
    cuts.push(piece.length)
  })
  stream.end('{"messages":[]}')
  await new Promise((resolve) => stream.once('close', resolve))
  session.close()
  return { sha256: hash.digest('hex'), cuts }
}

test.each([
  ['frame by frame', undefined],
  ['in pieces of 100 bytes', 100],
])('F8 the frames of a stream come back %s: SHA-256 and cuts are equal', async (_, pieceBytes) => {
  const server = await bedrock({ 'converse-stream': framesOf(converseFrames(), pieceBytes) })
  const recorded = recordedTest()
  const options = { capture: [server.url] }
  const live = await recorded.attempt('record', () => bodyOf(server.url), options)
  const again = await recorded.attempt('replay', () => bodyOf(server.url), options)
  expect(live.value?.sha256).toBe(createHash('sha256').update(Buffer.concat(converseFrames())).digest('hex'))
  expect(live.value?.cuts.length).toBeGreaterThan(10)
  expect([live.error, again.error, again.value]).toEqual([undefined, undefined, live.value])
  expect(server.seen).toHaveLength(1)
})

test('F15 a secret that a stream says over several frames is redacted; lengths and CRCs agree with what is left', async () => {
  const key = 'sk-proj-Zk3v9QwXn5Lr7Tc2Yb8Ms4Jd6Fg1Hp0U'
  const frames = converseFrames(['The key is ', key.slice(0, 9), key.slice(9, 20), key.slice(20), '.'])
  const inner = { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: `no ${key}` } }
  const server = await bedrock({
    'converse-stream': framesOf(frames, 70),
    'invoke-with-response-stream': framesOf([chunkFrame(inner)]),
  })
  const recorded = recordedTest()
  const options = { capture: [server.url] }
  const run = async () => {
    const client = clientOf(server)
    const { stream } = await client.send(new ConverseStreamCommand({ modelId, messages }))
    const { body } = await client.send(new InvokeModelWithResponseStreamCommand({ modelId, body: '{}' }))
    return {
      said: (await taken(stream)).map(({ contentBlockDelta }) => contentBlockDelta?.delta?.text ?? '').join(''),
      inner: (await taken(body)).map(({ chunk }) => Buffer.from(chunk?.bytes ?? []).toString()).join(''),
    }
  }
  const live = await recorded.attempt('record', run, options)
  expect([live.error, live.value?.said]).toEqual([undefined, `The key is ${key}.`])
  const again = await recorded.attempt('replay', run, options)
  expect(again.error).toBeUndefined()
  expect(again.value?.said).toMatch(/^The key is <redacted:[^>]+>\.$/)
  expect(again.value?.inner).toMatch(/"text":"no <redacted:[^>]+>"/)
})

test('F17 recording a tool loop again keeps the cassette where only ids, padding and dates differ', async () => {
  let run = 0
  const server = await bedrock({
    'converse-stream': (stream, request) => {
      run += 1
      return framesOf(converseFrames(undefined, { toolUseId: `tooluse_${run}`, p: 'x'.repeat(run) }))(stream, request)
    },
    converse: json(whole),
  })
  const recorded = recordedTest()
  const options = { capture: [server.url] }
  const loop = async () => {
    const client = clientOf(server)
    const { stream } = await client.send(new ConverseStreamCommand({ modelId, messages }))
    const starts = (await taken(stream)).flatMap(({ contentBlockStart }) => contentBlockStart?.start?.toolUse ?? [])
    const { toolUseId = '', name = '' } = starts[0] ?? {}
    const answered = { toolUse: { toolUseId, name, input: { city: 'Oslo' } } }
    const result = { toolResult: { toolUseId, content: [{ json: { price: 89 } }] } }
    await client.send(
      new ConverseCommand({
        modelId,
        messages: [...messages, { role: 'assistant', content: [answered] }, { role: 'user', content: [result] }],
      }),
    )
    return toolUseId
  }
  const first = await recorded.attempt('record', loop, options)
  const text = recorded.text()
  const second = await recorded.attempt('record', loop, options)
  expect([first.value, second.value, second.error]).toEqual(['tooluse_1', 'tooluse_2', undefined])
  expect(recorded.text()).toBe(text)
  const again = await recorded.attempt('replay', loop, options)
  expect([again.value, again.error]).toEqual(['tooluse_1', undefined])
})

describe('what goes wrong', () => {
  test('an exception in the stream, and an error before it, are the same when they are replayed', async () => {
    const server = await bedrock({
      'converse-stream': framesOf([
        ...converseFrames().slice(0, 6),
        eventFrame('throttlingException', { message: 'Slow down' }, 'exception'),
      ]),
      converse: json({ message: 'Too many requests' }, 429, { 'x-amzn-errortype': 'ThrottlingException' }),
    })
    const recorded = recordedTest()
    const options = { capture: [server.url] }
    const facts = ({ name, message }: Error) => `${name}: ${message}`
    const run = async () => {
      const client = clientOf(server)
      const { stream } = await client.send(new ConverseStreamCommand({ modelId, messages }))
      const inStream = await taken(stream).then(() => 'no error', facts)
      return [inStream, await client.send(new ConverseCommand({ modelId, messages })).then(() => 'no error', facts)]
    }
    const live = await recorded.attempt('record', run, options)
    const again = await recorded.attempt('replay', run, options)
    expect(live.value).toEqual(['ThrottlingException: Slow down', 'ThrottlingException: Too many requests'])
    expect([again.error, again.value]).toEqual([undefined, live.value])
  })

  test('a call that the cassette does not have fails at once with our message, and reaches no server', async () => {
    const server = await bedrock({ converse: json(whole) })
    const recorded = recordedTest()
    const options = { capture: [server.url] }
    const ask = (text: string) =>
      clientOf(server, { maxAttempts: 3 }).send(
        new ConverseCommand({ modelId, messages: [{ role: 'user', content: [{ text }] }] }),
      )
    await recorded.attempt('record', () => ask('Berlin to Oslo'), options)
    const missed = await recorded.attempt('replay', () => ask('Berlin to Rome'), options)
    expect(missed.value).toBeUndefined()
    expect(missed.error?.message).toContain('Oslo')
    expect(missed.error?.message).toContain('Rome')
    expect(missed.error?.message).toContain('messages')
    expect(server.seen).toHaveLength(1)
  })

  test('a caller who aborts ends the live stream, and the served one where he aborted', async () => {
    let closed = 0
    const server = await bedrock({
      'converse-stream': (stream) => {
        stream.on('close', () => {
          closed += 1
        })
        stream.respond({ ':status': 200, 'content-type': 'application/vnd.amazon.eventstream' })
        for (const frame of converseFrames().slice(0, 6)) stream.write(frame)
      },
    })
    const recorded = recordedTest()
    const options = { capture: [server.url] }
    const run = async () => {
      const abort = new AbortController()
      const said: string[] = []
      const { stream } = await clientOf(server).send(new ConverseStreamCommand({ modelId, messages }), {
        abortSignal: abort.signal,
      })
      try {
        for await (const { contentBlockDelta } of stream ?? []) {
          const { text } = contentBlockDelta?.delta ?? {}
          if (text === undefined) continue
          said.push(text)
          abort.abort()
        }
      } catch {
        said.push('aborted')
      }
      return said
    }
    const live = await recorded.attempt('record', run, options)
    const again = await recorded.attempt('replay', run, options)
    expect(live.value?.[0]).toBe('Oslo ')
    expect([live.error, again.error, again.value, closed]).toEqual([undefined, undefined, live.value, 1])
  })
})
