/**
 * Servers that fail in every way a provider can, down to TCP. A path starts with the kind of failure, how many of its requests
 * fail, and who asks: `/reset before the head/1/openai/v1/chat/completions`. Whatever comes after those is answered.
 */
import { once } from 'node:events'
import { createServer as createHttpsServer } from 'node:https'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { selfSigned } from './self-signed.ts'

export interface HostileServers {
  /** By what they are: where the caller sends a request that is to fail in this way, else `plain`. */
  readonly urls: Readonly<Record<'plain' | 'refused' | 'self-signed' | 'mute' | 'no TLS', string>>
  /** Requests that came so far. */
  requests(): number
  stop(): void
}

interface Asked {
  readonly path: string
  readonly socket: Socket
  readonly isStream: boolean
}

const html = '<!doctype html><html><body><h1>Bad gateway</h1></body></html>\n'

/** By kind; each ends the connection or leaves it open for the caller to end. */
const failures: Readonly<Record<string, (asked: Asked) => unknown>> = {
  '401': (asked) => refuse(asked, 401),
  '403': (asked) => refuse(asked, 403),
  '404': (asked) => refuse(asked, 404),
  '408': (asked) => refuse(asked, 408),
  '409': (asked) => refuse(asked, 409),
  '413': (asked) => refuse(asked, 413),
  '422': (asked) => refuse(asked, 422),
  '429': (asked) => refuse(asked, 429),
  '429, retry-after in seconds': (asked) => refuse(asked, 429, ['retry-after: 1', 'x-ratelimit-remaining-requests: 0']),
  '429, retry-after a date': (asked) =>
    refuse(asked, 429, [
      `retry-after: ${new Date(Date.now() + 1000).toUTCString()}`,
      'anthropic-ratelimit-tokens-remaining: 0',
    ]),
  '429, retry-after-ms': (asked) => refuse(asked, 429, ['retry-after-ms: 30', 'retry-after: 1']),
  '500': (asked) => refuse(asked, 500),
  '500, not to be retried': (asked) => refuse(asked, 500, ['x-should-retry: false']),
  '502, a page of HTML': (asked) => refuse(asked, 502, [], html),
  '503': (asked) => refuse(asked, 503),
  '504, a page of HTML': (asked) => refuse(asked, 504, [], html),
  '529': (asked) => refuse(asked, 529),
  'reset before the head': ({ socket }) => socket.resetAndDestroy(),
  'closed before the head': ({ socket }) => socket.end(),
  'no HTTP at all': ({ socket }) => socket.end('what?\r\n\r\n'),
  'reset in the body': async (asked) => {
    await begin(asked)
    asked.socket.resetAndDestroy()
  },
  'chunked, cut': async (asked) => {
    await begin(asked)
    asked.socket.end()
  },
  'shorter than its content-length': async (asked) => {
    await begin(asked, 'content-length: 9000')
    asked.socket.end()
  },
  'an error event in the stream, or no JSON': async (asked) => {
    await begin(asked)
    asked.socket.end(chunk(errorEvent(asked.path)) + chunk(''))
  },
  'no head': () => {},
  'no more body': (asked) => begin(asked),
}

export async function startHostileServers(): Promise<HostileServers> {
  const sockets = new Set<Socket>()
  const counts = new Map<string, number>()
  let requests = 0
  const plain = createServer((socket) => {
    keep(sockets, socket)
    void readRequest(socket).then((asked) => {
      if (asked === undefined) return
      requests += 1
      const [kind = '', fails = '0', who = ''] = asked.path.slice(1).split('/').map(decodeURIComponent)
      const key = `${kind}/${fails}/${who}`
      const count = (counts.get(key) ?? 0) + 1
      counts.set(key, count)
      return count <= Number(fails) ? failures[kind]?.(asked) : answer(asked)
    })
  })
  const secure = createHttpsServer(selfSigned(), (_, response) => response.end())
  const mute = createServer((socket) => keep(sockets, socket))
  const noTls = createServer((socket) => keep(sockets, socket).once('data', () => socket.end('plain\r\n')))
  const closed = createServer()
  const ports = await Promise.all([plain, secure, mute, noTls, closed].map(listen))
  closed.close()
  const url = (scheme: string, index: number): string => `${scheme}://127.0.0.1:${ports[index]}`
  return {
    urls: {
      plain: url('http', 0),
      'self-signed': url('https', 1),
      mute: url('https', 2),
      'no TLS': url('https', 3),
      refused: url('http', 4),
    },
    requests: () => requests,
    stop() {
      for (const server of [plain, secure, mute, noTls]) server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

function keep(sockets: Set<Socket>, socket: Socket): Socket {
  sockets.add(socket)
  return socket.on('error', () => {}).once('close', () => sockets.delete(socket))
}

/** Undefined: the connection ended before a whole request had come. */
async function readRequest(socket: Socket): Promise<Asked | undefined> {
  let text = ''
  try {
    for await (const piece of socket.iterator({ destroyOnReturn: false })) {
      text += Buffer.from(piece).toString('latin1')
      const head = text.indexOf('\r\n\r\n')
      const length = Number(/^content-length: (\d+)/im.exec(text.slice(0, head))?.[1] ?? 0)
      if (head < 0 || text.length < head + 4 + length) continue
      const path = text.split(' ', 2)[1] ?? '/'
      return { path, socket, isStream: /"stream":true/.test(text) || path.includes(':stream') }
    }
  } catch {
    // The caller has gone.
  }
  return undefined
}

function refuse({ socket }: Asked, status: number, headers: readonly string[] = [], page?: string): void {
  const message = `the answer is ${status}`
  const told = {
    type: 'error',
    error: { type: 'served_error', code: `code_${status}`, message, status: 'UNAVAILABLE' },
  }
  const body = page ?? JSON.stringify(told)
  const type = page === undefined ? 'application/json' : 'text/html'
  socket.end(
    `${[
      `HTTP/1.1 ${status} Status`,
      `content-type: ${type}`,
      `content-length: ${body.length}`,
      'connection: close',
      ...headers,
    ]
      .map((line) => `${line}\r\n`)
      .join('')}\r\n${body}`,
  )
}

/** Head and the first chunks of an answer; with a length they are no chunks. */
async function begin(asked: Asked, framing = 'transfer-encoding: chunked'): Promise<void> {
  writeHead(asked, framing)
  const pieces = asked.isStream
    ? eventsOf(asked.path).slice(0, 2)
    : [wholeAnswer.slice(0, 20), wholeAnswer.slice(20, 40)]
  for (const piece of pieces) {
    asked.socket.write(framing.startsWith('content-length') ? piece : chunk(piece))
    await delay(20)
  }
}

function answer(asked: Asked): void {
  writeHead(asked, 'transfer-encoding: chunked')
  const pieces = asked.isStream ? eventsOf(asked.path) : [wholeAnswer]
  asked.socket.end([...pieces, ''].map(chunk).join(''))
}

function writeHead({ socket, isStream }: Asked, framing: string): void {
  const type = isStream ? 'text/event-stream' : 'application/json'
  socket.write(`HTTP/1.1 200 OK\r\ncontent-type: ${type}\r\n${framing}\r\nconnection: close\r\n\r\n`)
}

function chunk(text: string): string {
  return `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`
}

const wholeAnswer = JSON.stringify({
  id: 'chat_1',
  object: 'chat.completion',
  created: 1,
  model: 'm',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hello' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
})

/** The events of a streamed answer, by the wire that the path speaks. */
function eventsOf(path: string): readonly string[] {
  if (path.includes('/messages')) return anthropicEvents
  return path.includes('/responses') ? responsesEvents : geminiEvents
}

function errorEvent(path: string): string {
  const message = 'overloaded'
  if (path.includes('/messages')) return event({ type: 'error', error: { type: 'overloaded_error', message } }, 'error')
  if (path.includes('/responses'))
    return event({ type: 'error', code: 'server_error', message, param: null, sequence_number: 3 }, 'error')
  return event({ error: { code: 503, message, status: 'UNAVAILABLE' } })
}

function event(data: unknown, name?: string): string {
  return `${name === undefined ? '' : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`
}

const typed = (data: { readonly type: string; readonly [name: string]: unknown }): string => event(data, data.type)
const message = { id: 'm1', type: 'message', role: 'assistant', model: 'm', content: [] }
const outputText = { item_id: 'm1', output_index: 0, content_index: 0 }

const anthropicEvents = [
  typed({ type: 'message_start', message: { ...message, usage: { input_tokens: 1, output_tokens: 1 } } }),
  typed({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }),
  typed({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hello' } }),
  typed({ type: 'content_block_stop', index: 0 }),
  typed({ type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 2 } }),
  typed({ type: 'message_stop' }),
]
const responsesEvents = [
  typed({ type: 'response.created', response: { id: 'r1', created_at: 1, model: 'm' } }),
  typed({ type: 'response.output_text.delta', ...outputText, delta: 'Hel' }),
  typed({ type: 'response.output_text.delta', ...outputText, delta: 'lo' }),
  typed({ type: 'response.completed', response: { id: 'r1', usage: { input_tokens: 1, output_tokens: 1 } } }),
]
const geminiEvents = [
  event({ candidates: [{ content: { role: 'model', parts: [{ text: 'Hel' }] } }] }),
  event({ candidates: [{ content: { role: 'model', parts: [{ text: 'lo' }] } }] }),
  event({ candidates: [{ content: { role: 'model', parts: [{ text: '!' }] }, finishReason: 'STOP' }] }),
]
