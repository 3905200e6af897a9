/**
 * The session a caller of `http2.connect` gets: Node's own, over a connection within this process. So it behaves as Node's
 * do, and each call of it may be served, sent or refused, whatever became of the one before.
 */
import { AsyncResource } from 'node:async_hooks'
import type { ClientHttp2Session, ClientHttp2Stream, IncomingHttpHeaders, ServerHttp2Stream } from 'node:http2'
import { inMemoryConnection } from '../in-memory-duplex.ts'
import { answerStream } from './answer-stream.ts'
import { LiveSession } from './live-session.ts'

export interface FrontSetup {
  readonly http2: typeof import('node:http2')
  readonly connect: (authority: string | URL, ...rest: unknown[]) => ClientHttp2Session
  readonly authority: string | URL
  readonly options: object
}

interface FrontCall {
  readonly client: ClientHttp2Stream
  /** The async context of the caller. */
  readonly context: AsyncResource
}

const endStreamFlag = 1

export function frontSession(setup: FrontSetup): ClientHttp2Session {
  const { http2, connect, authority, options } = setup
  const ends = inMemoryConnection({ encrypted: false, readAhead: true })
  ends.client.open()
  const front = connect(authority, { ...options, createConnection: () => ends.client })
  const back = http2.performServerHandshake(ends.server)
  const live = new LiveSession({ front, open: () => connect(authority, options) })
  const calls = rememberCalls(front)
  back.on('stream', (server: ServerHttp2Stream, headers: IncomingHttpHeaders, flags: number) => {
    // A stream that fails tells its caller; here it has nobody else to tell.
    server.on('error', () => {})
    const call = [...calls].find(({ client }) => client.id === server.id)
    if (call === undefined) return
    const isBodiless = (flags & endStreamFlag) !== 0
    call.context.runInAsyncScope(answerStream, undefined, { client: call.client, server, headers, isBodiless, live })
  })
  back.on('error', () => {})
  passOnReferences(front, live)
  return front
}

/** Who made which stream, and where: the other end sees nothing but numbers. */
function rememberCalls(front: ClientHttp2Session): ReadonlySet<FrontCall> {
  const calls = new Set<FrontCall>()
  const request = front.request.bind(front)
  front.request = (...args: Parameters<typeof request>): ClientHttp2Stream => {
    const call = { client: request(...args), context: new AsyncResource('TURNTAPE_HTTP2_CALL') }
    calls.add(call)
    call.client.once('close', () => calls.delete(call))
    return call.client
  }
  return calls
}

/** Whether an open session keeps the process alive is the caller's choice: it holds for the one to the outside. */
function passOnReferences(front: ClientHttp2Session, live: LiveSession): void {
  const [ref, unref] = [front.ref.bind(front), front.unref.bind(front)]
  front.ref = () => {
    ref()
    live.ref()
  }
  front.unref = () => {
    unref()
    live.unref()
  }
}
