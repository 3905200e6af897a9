/** What real SDK clients make of a miss, of served failures and of streams that were left at their terminal event. */
import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAI } from '@ai-sdk/openai'
import Anthropic from '@anthropic-ai/sdk'
import { GoogleGenAI } from '@google/genai'
import { generateText, streamText } from 'ai'
import OpenAI from 'openai'
import { describe, expect, test } from 'vitest'
import type { HttpInteraction } from '../../src/core/cassette/document.ts'
import type { ServedResponse, Verdict } from '../../src/interception/router.ts'
import { captureFailure } from '../../src/recording/capture-failure.ts'
import { createExchangeRecorder, type ExchangeRecorder } from '../../src/recording/exchange-recorder.ts'
import { missResponse } from '../../src/replaying/miss-response.ts'
import { serveInteraction } from '../../src/replaying/serve-interaction.ts'
import { loopbackServer } from '../interception/loopback-server.ts'
import { installed, scriptedRouter } from '../interception/scripted-router.ts'

const apiKey = 'turntape-placeholder'
const prompt = 'hello'

interface Client {
  readonly name: string
  /** The text of one model call; streamed where the client can. */
  ask(baseURL: string): Promise<string>
  readonly chunks: readonly string[]
}

const sse = (data: unknown, event?: string) =>
  `${event === undefined ? '' : `event: ${event}\n`}data: ${JSON.stringify(data)}\n\n`

const chatChunks = [
  sse({
    id: 'c1',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'm',
    choices: [{ index: 0, delta: { role: 'assistant', content: 'Hel' }, finish_reason: null }],
  }),
  sse({
    id: 'c1',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'm',
    choices: [{ index: 0, delta: { content: 'lo' }, finish_reason: 'stop' }],
  }),
  'data: [DONE]\n\n',
]
const responsesChunks = [
  sse({ type: 'response.created', response: { id: 'r1', created_at: 1, model: 'm' } }, 'response.created'),
  sse(
    { type: 'response.output_item.added', output_index: 0, item: { type: 'message', id: 'm1' } },
    'response.output_item.added',
  ),
  sse(
    { type: 'response.output_text.delta', item_id: 'm1', output_index: 0, content_index: 0, delta: 'Hello' },
    'response.output_text.delta',
  ),
  sse(
    { type: 'response.output_item.done', output_index: 0, item: { type: 'message', id: 'm1' } },
    'response.output_item.done',
  ),
  sse(
    { type: 'response.completed', response: { id: 'r1', usage: { input_tokens: 1, output_tokens: 1 } } },
    'response.completed',
  ),
]
const anthropicChunks = [
  sse(
    {
      type: 'message_start',
      message: {
        id: 'm1',
        type: 'message',
        role: 'assistant',
        model: 'm',
        content: [],
        usage: { input_tokens: 1, output_tokens: 1 },
      },
    },
    'message_start',
  ),
  sse({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }, 'content_block_start'),
  sse({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hello' } }, 'content_block_delta'),
  sse({ type: 'content_block_stop', index: 0 }, 'content_block_stop'),
  sse({ type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 2 } }, 'message_delta'),
  sse({ type: 'message_stop' }, 'message_stop'),
]
const geminiChunks = [
  sse({ candidates: [{ content: { role: 'model', parts: [{ text: 'Hel' }] } }] }),
  sse({ candidates: [{ content: { role: 'model', parts: [{ text: 'lo' }] }, finishReason: 'STOP' }] }),
]

async function joined<T>(parts: AsyncIterable<T>, textOf: (part: T) => string | undefined): Promise<string> {
  let text = ''
  for await (const part of parts) text += textOf(part) ?? ''
  return text
}

const clients: Client[] = [
  {
    name: 'openai chat',
    chunks: chatChunks,
    async ask(baseURL) {
      const client = new OpenAI({ apiKey, baseURL })
      const parts = await client.chat.completions.create({
        model: 'm',
        messages: [{ role: 'user', content: prompt }],
        stream: true,
      })
      return joined(parts, (part) => part.choices[0]?.delta.content ?? undefined)
    },
  },
  {
    name: 'openai responses',
    chunks: responsesChunks,
    async ask(baseURL) {
      const parts = await new OpenAI({ apiKey, baseURL }).responses.create({ model: 'm', input: prompt, stream: true })
      return joined(parts, (part) => (part.type === 'response.output_text.delta' ? part.delta : undefined))
    },
  },
  {
    name: '@anthropic-ai/sdk',
    chunks: anthropicChunks,
    async ask(baseURL) {
      const parts = await new Anthropic({ apiKey, baseURL }).messages.create({
        model: 'm',
        max_tokens: 9,
        messages: [{ role: 'user', content: prompt }],
        stream: true,
      })
      return joined(parts, (part) =>
        part.type === 'content_block_delta' && part.delta.type === 'text_delta' ? part.delta.text : undefined,
      )
    },
  },
  {
    name: '@google/genai',
    chunks: geminiChunks,
    async ask(baseUrl) {
      const parts = await new GoogleGenAI({ apiKey, httpOptions: { baseUrl } }).models.generateContentStream({
        model: 'm',
        contents: prompt,
      })
      return joined(parts, (part) => part.text)
    },
  },
  {
    name: 'ai with @ai-sdk/openai',
    chunks: responsesChunks,
    async ask(baseURL) {
      return aiText((onError) => streamText({ model: createOpenAI({ apiKey, baseURL })('m'), prompt, onError }))
    },
  },
  {
    name: 'ai with @ai-sdk/anthropic',
    chunks: anthropicChunks,
    async ask(baseURL) {
      return aiText((onError) =>
        streamText({ model: createAnthropic({ apiKey, baseURL })('m'), maxOutputTokens: 9, prompt, onError }),
      )
    },
  },
]

/** `streamText` throws nothing by itself: its error goes to `onError`. */
async function aiText(
  start: (onError: (event: { error: unknown }) => void) => { readonly textStream: AsyncIterable<string> },
): Promise<string> {
  let failed: unknown
  const keep = (event: { readonly error: unknown }) => {
    failed = event.error
  }
  const text = await joined(start(keep).textStream, (part) => part)
  if (failed !== undefined) throw failed
  return text
}

const outside = 'https://api.example.com/v1'
const answers = (response: () => ServedResponse) =>
  installed(scriptedRouter({ route: () => ({ kind: 'respond', response: response() }) }))

const base: Omit<HttpInteraction, 'response' | 'failure'> = {
  number: 1,
  kind: 'model',
  hash: '',
  timing: { startMs: 0 },
  request: { method: 'POST', url: outside },
}

function verdictOf(interaction: HttpInteraction): Verdict {
  const served = serveInteraction({ interaction, sideFiles: new Map(), retryAfter: 'fast', road: 'fetch' })
  if (served.kind === 'silent') return { kind: 'reject', error: new RangeError('silent') }
  return served
}

/** The stream as it is stored when it was left at the end of its chunks. */
function streamed(chunks: readonly string[]): HttpInteraction {
  return {
    ...base,
    response: {
      status: 200,
      headers: [['content-type', 'text/event-stream']],
      body: {
        text: chunks.join(''),
        cuts: { bytes: chunks.map((chunk) => Buffer.byteLength(chunk)) },
        end: { kind: 'complete' },
      },
    },
  }
}

describe.each(clients)('$name', ({ ask, chunks }) => {
  test('shows a miss at once: one attempt, the message in the error', async () => {
    const message = 'The request of turn 2 differs from the recording'
    const router = answers(() => missResponse(message, outside))
    await expect(ask(outside)).rejects.toThrow(message)
    expect([router.routed.length, router.connects.length]).toEqual([1, 0])
  })

  test('AR-09 is recorded live, and served the same without network', async () => {
    const recorders: ExchangeRecorder[] = []
    const { interception } = installed(
      scriptedRouter({
        route() {
          const recorder = createExchangeRecorder({
            now: () => performance.now(),
            maxBodyBytes: 1e6,
            maxChunks: 100,
            onCap() {},
            onSettled() {},
          })
          recorders.push(recorder)
          return { kind: 'observe', observer: recorder.observer }
        },
      }),
    )
    const server = await loopbackServer(async (_, response) => {
      response.setHeader('content-type', 'text/event-stream')
      for (const chunk of chunks) {
        response.write(chunk)
        await new Promise((resolve) => setTimeout(resolve, 4))
      }
      response.end()
    })
    expect(await ask(server.url)).toBe('Hello')
    interception.uninstall()
    expect(recorders.map((recorder) => recorder.state())).toEqual(['settled'])
    const recorded = recorders[0]?.snapshot().body?.chunks.map((chunk) => Buffer.from(chunk.bytes).toString()) ?? []
    // A client may leave at the terminal event; nothing before it is missing.
    expect(chunks.join('').startsWith(recorded.join(''))).toBe(true)
    expect(recorded.join('')).toContain(chunks.slice(0, -1).join(''))

    const router = installed(scriptedRouter({ route: () => verdictOf(streamed(recorded)) }))
    expect(await ask(outside)).toBe('Hello')
    expect([router.routed.length, router.connects.length]).toEqual([1, 0])
  })
})

test('a miss has its message where the clients of Ollama and of Google in the AI SDK look for it', () => {
  const bodyOf = (url: string) => JSON.parse(Buffer.from(missResponse('no', url).body?.next() as Uint8Array).toString())
  expect(bodyOf('http://model.test/api/chat')).toMatchObject({ error: 'no' })
  expect(bodyOf('http://model.test/v1beta/models/m:generateContent')).toMatchObject({
    error: { code: 400, message: 'no' },
  })
})

/** The clients that retry by default, and how often they ask in all. */
const retrying = clients.filter(({ name }) => name !== '@google/genai')

describe.each(retrying)('$name, which retries', ({ ask, chunks }) => {
  test('retries a served 429 without the recorded wait, then goes on', async () => {
    const failed: HttpInteraction = {
      ...base,
      response: {
        status: 429,
        headers: [
          ['content-type', 'application/json'],
          ['retry-after', '30'],
        ],
        body: { json: { error: { message: 'slow' } } },
      },
    }
    const replies = [failed, failed, streamed(chunks)]
    const router = installed(scriptedRouter({ route: () => verdictOf(replies.shift() ?? failed) }))
    // The recorded wait, and the 2 s that `ai` starts with, are both beyond this test's timeout.
    expect(await ask(outside)).toBe('Hello')
    expect(router.routed).toHaveLength(3)
  }, 1500)
})

describe('a rebuilt failure', () => {
  test('is retried by the openai SDK as the live one was', async () => {
    const { server, url } = await loopbackServer(() => {})
    await new Promise((resolve) => server.close(resolve))
    const live = await fetch(url).catch((error: unknown) => error)
    const failure = captureFailure(live, 'connect')
    const attempts: number[] = []
    for (const verdict of [(): Verdict => ({ kind: 'reject', error: live }), () => verdictOf({ ...base, failure })]) {
      const router = installed(scriptedRouter({ route: verdict }))
      const client = new OpenAI({ apiKey, baseURL: outside, maxRetries: 1 })
      await expect(client.models.list()).rejects.toMatchObject({ name: 'Error', message: 'Connection error.' })
      attempts.push(router.routed.length)
      router.interception.uninstall()
    }
    expect(attempts).toEqual([2, 2])
  })

  test('is called retryable by ai, as the live one is', async () => {
    const failure = captureFailure(
      new TypeError('fetch failed', { cause: Object.assign(new Error('x'), { code: 'ECONNRESET' }) }),
      'headers',
    )
    installed(scriptedRouter({ route: () => verdictOf({ ...base, failure }) }))
    const call = generateText({ model: createOpenAI({ apiKey, baseURL: outside })('m'), prompt, maxRetries: 0 })
    await expect(call).rejects.toMatchObject({ isRetryable: true })
  })
})
