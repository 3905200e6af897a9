/** What is no chat of the four wires: recorded from a real provider by real clients, and served the same without it. */
import { beforeAll, expect, test } from 'vitest'
import { createLifeProject } from './life-project.ts'
import { type Model, startModel } from './model.ts'

let model: Model
beforeAll(async () => {
  model = await startModel('other-wires-server.mjs')
})

const file = `
import { createHash } from 'node:crypto'
import { appendFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { Ollama } from 'ollama'
import OpenAI, { toFile } from 'openai'
import { replay, test } from 'turntape/vitest'
import { test as plainTest } from 'vitest'

const base = process.env.MODEL_URL
const capturing = replay(plainTest, { capture: [base] })
const openai = new OpenAI({ baseURL: base + '/v1', apiKey: 'sk-x', maxRetries: 0 })
const ollama = new Ollama({ host: base })
const sha256 = (bytes) => createHash('sha256').update(Buffer.from(bytes)).digest('hex')

/** What the test saw, and what the tape makes of it. */
function seen(name, tape, facts) {
  const turns = tape.turns.map(({ text, finished, finishReason, error }) => ({ text, finished, finishReason, error: error?.message }))
  const { inputTokens, outputTokens, byModel } = tape.usage
  const tokens = [inputTokens, outputTokens, ...Object.keys(byModel)]
  appendFileSync(process.env.FACTS, JSON.stringify({ name, facts, turns, tokens }) + '\\n')
}

async function bytesOf(path, body) {
  const response = await fetch(base + path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
  const chunks = []
  for await (const chunk of response.body) chunks.push(Buffer.from(chunk).toString('latin1'))
  return { status: response.status, type: response.headers.get('content-type'), chunks }
}

test('ollama', async ({ tape }) => {
  const { embeddings } = await ollama.embed({ model: 'mini', input: 'colour' })
  const contents = []
  const messages = [{ role: 'user', content: 'Which colour?' }]
  for await (const part of await ollama.chat({ model: 'qwen3', messages, stream: true })) contents.push(part.message.content)
  seen('ollama', tape, { embeddings, contents })
})

test('cohere', async ({ tape }) => {
  const messages = [{ role: 'user', content: 'Hi' }]
  seen('cohere', tape, await bytesOf('/v2/chat', { model: 'command', messages, stream: true }))
})

test('openrouter', async ({ tape }) => {
  const messages = [{ role: 'user', content: 'Hi' }]
  seen('openrouter', tape, await bytesOf('/api/v1/chat/completions', { model: 'm', messages, stream: true }))
})

test('sound and pictures', async ({ tape }) => {
  const speech = await openai.audio.speech.create({ model: 'tts', voice: 'alloy', input: 'Hello' })
  const bytes = await speech.arrayBuffer()
  const sound = await toFile(bytes, 'a.mp3', { type: 'audio/mpeg' })
  const heard = await openai.audio.transcriptions.create({ model: 'listen', file: sound })
  const picture = await openai.images.generate({ model: 'paint', prompt: 'a cat' })
  const embedded = await openai.embeddings.create({ model: 'embed', input: 'cat' })
  seen('sound and pictures', tape, [sha256(bytes), heard.text, sha256(picture.data[0].b64_json), embedded.data[0].embedding])
})

test('in the background', async ({ tape }) => {
  let response = await openai.responses.create({ model: 'gpt-5', input: 'Think', background: true })
  const seenStatus = [response.status]
  while (response.status !== 'completed') {
    await delay(5)
    response = await openai.responses.retrieve(response.id)
    seenStatus.push(response.status)
  }
  seen('in the background', tape, [seenStatus, response.output_text])
})

capturing('a batch', async ({ tape }) => {
  const input = await openai.files.create({ purpose: 'batch', file: await toFile(Buffer.from('{"custom_id":"a"}'), 'in.jsonl') })
  let batch = await openai.batches.create({ input_file_id: input.id, endpoint: '/v1/chat/completions', completion_window: '24h' })
  const seenStatus = [batch.status]
  while (batch.status !== 'completed') {
    await delay(5)
    batch = await openai.batches.retrieve(batch.id)
    seenStatus.push(batch.status)
  }
  const results = await (await openai.files.content(batch.output_file_id)).text()
  seen('a batch', tape, [seenStatus, results.trim().split('\\n').map((line) => JSON.parse(line).custom_id)])
})
`

interface Seen {
  readonly name: string
  readonly facts: unknown
  readonly turns: readonly unknown[]
  readonly tokens: readonly unknown[]
}

test('other wires, polling and media are recorded as they are, and served the same without their provider', async () => {
  const { project, run } = createLifeProject(model, { 'test/other.test.js': file })
  const factsOf = async (name: string, env: Readonly<Record<string, string>>) => {
    const { report, output } = await run([], { env: { FACTS: `${project.folder}/${name}`, ...env } })
    const lines = project.read(name).trim().split('\n')
    return { report, output, seen: lines.map((text) => JSON.parse(text) as Seen) }
  }
  const { seen: live, ...recorded } = await factsOf('live', {})
  expect(recorded.report, recorded.output).toEqual(['Cassettes  6 written'])
  expect(await model.count()).toBe(18)
  await model.reset()
  const { seen, ...replayed } = await factsOf('replayed', { CI: '1' })
  expect(replayed.output).toContain(
    '  Cassettes  6 replayed\n   Not paid  9 model calls | 90 tokens (1 answer without usage)\n',
  )
  expect(seen).toEqual(live)
  expect((await model.log()).map(({ path }) => path)).toEqual([])

  const turns = Object.fromEntries(live.map((test) => [test.name, test.turns]))
  const done = { finished: true }
  expect(turns).toEqual({
    ollama: [{ ...done, text: 'Grün is it', finishReason: 'stop' }],
    cohere: [{ ...done, text: 'Ahoy', finishReason: 'COMPLETE' }],
    openrouter: [{ ...done, text: 'Ha', error: 'Provider disconnected' }],
    'sound and pictures': [],
    'in the background': [{ ...done, text: 'Thought.', finishReason: 'completed' }],
    'a batch': [],
  })
  expect(Object.fromEntries(live.map(({ name, tokens }) => [name, tokens]))).toMatchObject({
    ollama: [11, 4, 'qwen3', 'mini'],
    cohere: [6, 2, 'command'],
    'sound and pictures': [18, 41, 'listen', 'paint', 'embed'],
    'in the background': [5, 3, 'gpt-5'],
  })
  const stored = JSON.parse(project.read('cassettes/test/other.test/ollama.json'))
  expect(stored.interactions[1].response.body).toMatchObject({ framing: 'ndjson' })
  expect(stored.interactions[1].response.body.end).toBeUndefined()
}, 60_000)
