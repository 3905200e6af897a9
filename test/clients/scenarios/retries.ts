import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAI } from '@ai-sdk/openai'
import Anthropic from '@anthropic-ai/sdk'
import { GoogleGenAI } from '@google/genai'
import { generateText, streamText } from 'ai'
import OpenAI from 'openai'
import pRetry from 'p-retry'
import { replay } from 'turntape/vitest'
import * as undici from 'undici'
import { afterAll, test } from 'vitest'

interface Kind {
  readonly name: string
  /** Where a request that is to fail goes; default: the plain server, whose path says how it fails. */
  readonly at?: string
  /** What ends a call that the server leaves open; default: undici's own timeouts. */
  readonly endedBy?: 'the client’s timeout' | 'a timeout signal' | 'an abort'
}

const { urls, kinds } = JSON.parse(readFileSync('plan.json', 'utf8')) as {
  readonly urls: Readonly<Record<string, string>>
  readonly kinds: readonly Kind[]
}

const timeoutMs = 2_000
const givesUpAfterMs = 1_000

/** Timers that fired, by what they were set to: whatever a retry policy waited for is among them. */
const firedMs = new Set<number>()
const native = globalThis.setTimeout
globalThis.setTimeout = ((run: () => void, delayMs = 0) =>
  native(() => {
    firedMs.add(delayMs)
    run()
  }, delayMs)) as never

undici.setGlobalDispatcher(
  new undici.Agent({ connect: { timeout: timeoutMs }, headersTimeout: timeoutMs, bodyTimeout: timeoutMs }),
)

/** What a client is given for one call. */
interface Call {
  readonly baseURL: string
  readonly fetch: typeof fetch
  readonly timeoutMs: number | undefined
  readonly signal: AbortSignal | undefined
}

interface Client {
  readonly name: string
  /** The fetch that it uses. */
  readonly road?: typeof fetch
  /** The text of the answer. */
  ask(call: Call): Promise<string>
}

const apiKey = 'sk-test-0f3a9c17b2d84e6590ab12cd34ef5678'
const prompt = 'hello'
const messages = [{ role: 'user' as const, content: prompt }]
const chat = { model: 'm', messages }

/** Members that are not undefined. */
function given<T extends object>(members: T): { [K in keyof T]: NonNullable<T[K]> } {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as never
}

async function joined<T>(parts: AsyncIterable<T>, textOf: (part: T) => string | null | undefined): Promise<string> {
  let text = ''
  for await (const part of parts) text += textOf(part) ?? ''
  return text
}

async function askOpenAI({ baseURL, fetch, timeoutMs, signal }: Call): Promise<string> {
  const client = new OpenAI({ apiKey, baseURL, fetch, maxRetries: 1, ...given({ timeout: timeoutMs }) })
  const answer = await client.chat.completions.create(chat, given({ signal }))
  return answer.choices[0]?.message.content ?? ''
}

/** One try of a hand-made client: throws what a retry policy looks at. */
async function tryFetch({ baseURL, fetch, timeoutMs, signal }: Call): Promise<string> {
  const response = await fetch(`${baseURL}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(chat),
    signal: timeoutMs === undefined ? (signal ?? null) : AbortSignal.timeout(timeoutMs),
  })
  if (response.ok) return ((await response.json()) as any).choices[0].message.content
  const error = Object.assign(new Error(await response.text()), { status: response.status })
  throw response.status < 500 && response.status !== 429 ? Object.assign(error, { final: true }) : error
}

async function tryUndici({ baseURL, fetch, signal, timeoutMs }: Call): Promise<string> {
  // The given fetch says where this try goes.
  const target = (await fetch(`${baseURL}/chat/completions`)) as unknown as string
  const { statusCode, body } = await undici.request(target, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(chat),
    signal: timeoutMs === undefined ? (signal ?? null) : AbortSignal.timeout(timeoutMs),
  })
  if (statusCode === 200) return ((await body.json()) as any).choices[0].message.content
  throw Object.assign(new Error(await body.text()), { status: statusCode })
}

/** `streamText` throws nothing by itself: its error goes to `onError`. */
async function textOf(
  start: (onError: (event: { error: unknown }) => void) => { readonly textStream: AsyncIterable<string> },
): Promise<string> {
  let failed: { readonly error: unknown } | undefined
  const text = await joined(start((event) => (failed ??= event)).textStream, (part) => part)
  if (failed !== undefined) throw failed.error
  return text
}

/** No fetch: gives the address that it was asked for. */
const addressOnly = (async (input: string) => input) as never as typeof fetch

const clients: readonly Client[] = [
  { name: 'openai, chat', ask: askOpenAI },
  { name: 'openai, chat, over undici’s fetch', road: undici.fetch as never, ask: askOpenAI },
  {
    name: 'openai, Responses, streamed',
    async ask({ baseURL, fetch, timeoutMs, signal }) {
      const client = new OpenAI({ apiKey, baseURL, fetch, maxRetries: 1, ...given({ timeout: timeoutMs }) })
      const parts = await client.responses.create({ model: 'm', input: prompt, stream: true }, given({ signal }))
      return joined(parts, (part) => (part.type === 'response.output_text.delta' ? part.delta : undefined))
    },
  },
  {
    name: '@anthropic-ai/sdk, streamed',
    async ask({ baseURL, fetch, timeoutMs, signal }) {
      const client = new Anthropic({ apiKey, baseURL, fetch, maxRetries: 1, ...given({ timeout: timeoutMs }) })
      const message = await client.messages
        .stream({ model: 'm', max_tokens: 9, messages }, given({ signal }))
        .finalMessage()
      return message.content.map((block) => (block.type === 'text' ? block.text : '')).join('')
    },
  },
  {
    name: '@google/genai, streamed, with retryOptions',
    async ask({ baseURL, fetch, timeoutMs, signal }) {
      const httpOptions = {
        baseUrl: baseURL,
        fetch,
        retryOptions: { attempts: 2, initialDelay: 0.03, jitter: 0 },
        ...given({ timeout: timeoutMs }),
      }
      const parts = await new GoogleGenAI({ apiKey, httpOptions }).models.generateContentStream({
        model: 'm',
        contents: prompt,
        config: given({ abortSignal: signal }),
      })
      return joined(parts, (part) => part.text)
    },
  },
  {
    name: 'ai with @ai-sdk/openai, generateText',
    async ask({ baseURL, fetch, timeoutMs, signal }) {
      const abortSignal = timeoutMs === undefined ? signal : AbortSignal.timeout(timeoutMs)
      const model = createOpenAI({ apiKey, baseURL, fetch }).chat('m')
      return (await generateText({ model, prompt, maxRetries: 1, ...given({ abortSignal }) })).text
    },
  },
  {
    name: 'ai with @ai-sdk/anthropic, streamText',
    async ask({ baseURL, fetch, timeoutMs, signal }) {
      const abortSignal = timeoutMs === undefined ? signal : AbortSignal.timeout(timeoutMs)
      const model = createAnthropic({ apiKey, baseURL, fetch })('m')
      return textOf((onError) => streamText({ model, prompt, maxRetries: 1, onError, ...given({ abortSignal }) }))
    },
  },
  {
    name: 'p-retry around fetch',
    ask: (call) =>
      pRetry(() => tryFetch(call), { retries: 1, minTimeout: 30, shouldRetry: ({ error }) => !('final' in error) }),
  },
  {
    name: 'a loop around undici’s request',
    road: addressOnly,
    async ask(call) {
      for (let attempt = 1; ; attempt += 1) {
        try {
          return await tryUndici(call)
        } catch (error) {
          const { status = 500, name } = error as { readonly status?: number; readonly name: string }
          if (attempt === 2 || status < 500 || name === 'AbortError') throw error
          await new Promise((resolve) => setTimeout(resolve, 30))
        }
      }
    },
  },
]

const retried = replay(test, { fastRetry: true })

afterAll(() =>
  keep(
    'timers',
    [...firedMs].sort((a, b) => a - b),
  ),
)

retried.concurrent.for(clients)('$name', async (client, { tape }) => {
  const calls = kinds.flatMap((kind) =>
    [1, 9].map((fails) => ({ kind, fails, lane: `${kind.name}, ${kind.endedBy} ${fails}` })),
  )
  const outcomes = await Promise.all(
    calls.map(({ kind, fails, lane }) => tape.lane(lane, () => outcomeOf(client, kind, fails))),
  )
  // A client may reject by a signal of its own before the call it gave up has ended.
  await new Promise((resolve) => setTimeout(resolve, 50))
  const seen = calls.map(({ kind: { name, endedBy }, fails, lane }, index) => ({
    kind: name,
    endedBy,
    fails,
    outcome: outcomes[index],
    attempts: tape.interactions.filter((interaction) => interaction.lane === lane).map(attemptOf),
    turns: tape.turns.filter((turn) => turn.lane === lane).map((turn) => turn.attempts.length),
  }))
  keep(`client ${clients.indexOf(client)}`, { name: client.name, calls: seen })
})

function keep(name: string, seen: object): void {
  const folder = `seen-${process.env.RUN}`
  mkdirSync(folder, { recursive: true })
  writeFileSync(`${folder}/${name}.json`, JSON.stringify(seen))
}

async function outcomeOf(client: Client, kind: Kind, fails: number): Promise<object> {
  const { name, at = 'plain', endedBy } = kind
  const who = clients.indexOf(client)
  let calls = 0
  const ending = endingOf(kind, client)
  const fetch = async (input: string, init: RequestInit): Promise<Response> => {
    calls += 1
    const target = calls <= fails ? input.replace(urls.plain as string, urls[at] as string) : input
    const response = await (client.road ?? globalThis.fetch)(target, init)
    ending.begun()
    return response
  }
  const baseURL =
    `${urls.plain}/${encodeURIComponent(name)}/${at === 'plain' ? fails : 0}/${who}-${fails}${endedBy ?? ''}/v1`
      .replaceAll('’', '')
      .replaceAll(' ', '%20')
  const timeout = endedBy === 'the client’s timeout' ? givesUpAfterMs : undefined
  try {
    return {
      text: await client.ask({ baseURL, fetch: fetch as never, timeoutMs: timeout, signal: ending.signal }),
      calls,
    }
  } catch (error) {
    return { error: seenOf(error), calls }
  }
}

interface Ending {
  readonly signal: AbortSignal | undefined
  /** To be called when an answer has begun: a body is given up some time after its head, however long that took. */
  begun(): void
}

function endingOf({ name, endedBy }: Kind, { road }: Client): Ending {
  if (endedBy === 'a timeout signal') return { signal: AbortSignal.timeout(givesUpAfterMs), begun: () => {} }
  if (endedBy !== 'an abort') return { signal: undefined, begun: () => {} }
  const controller = new AbortController()
  const abort = (): void => controller.abort()
  const isBody = name === 'no more body' && road !== addressOnly
  if (!isBody) setTimeout(abort, givesUpAfterMs)
  return { signal: controller.signal, begun: () => void (isBody && native(abort, givesUpAfterMs)) }
}

/** What user code can tell of an error, down its causes. Classes of SDKs: those of Node and undici cannot be had. */
function seenOf(error: any, depth = 0): object | undefined {
  if (error === undefined || error === null || depth > 5) return undefined
  const { name, message, status, statusCode, code, type, syscall, errno, isRetryable, reason, url } = error
  return {
    ...(name === 'Error' && { class: error.constructor.name }),
    ...{ name, message, status, statusCode, code, type, syscall, errno, isRetryable, reason, url },
    isTypeError: error instanceof TypeError,
    isUndicis: error instanceof undici.errors.UndiciError,
    isSocketError: error instanceof undici.errors.SocketError,
    errors: error.errors?.map?.((one: unknown) => seenOf(one, depth + 1)),
    lastError: seenOf(error.lastError, depth + 1),
    cause: seenOf(error.cause, depth + 1),
  }
}

function attemptOf(interaction: any): string {
  const { response, failure } = interaction
  if (failure !== undefined) return `${failure.stage}: ${failure.name} ${failure.code ?? failure.cause?.code ?? ''}`
  const end = response.body?.end
  return `${response.status}${end === undefined ? '' : ` ${end.kind} ${end.failure?.cause?.code ?? end.failure?.code ?? ''}`}`
}
