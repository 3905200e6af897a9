/**
 * Answers a request from a recording, over a connection within this process. Its other end is served by a real server of
 * Node's that never listens: one for all calls. The client works as it would on a socket.
 */
import type { ClientRequest, IncomingMessage, Server, ServerResponse } from 'node:http'
import process from 'node:process'
import { setImmediate } from 'node:timers'
import { type InMemoryConnection, type InMemoryDuplex, inMemoryConnection } from '../in-memory-duplex.ts'
import { nextTick } from '../next-tick.ts'
import { nullBodyStatuses } from '../null-body-statuses.ts'
import type { ServedBody, ServedResponse } from '../router.ts'
import { replaceMember } from './replace-member.ts'

// Bound here: a test's fake timers may replace them later on.
const afterThisTask = setImmediate

export interface ServedRequest {
  readonly request: ClientRequest
  readonly encrypted: boolean
  /** After so long without traffic the client hears of it. */
  readonly timeoutMs: number | undefined
}

export function serveRequest(served: ServedRequest, response: ServedResponse): void {
  const { client, server } = connection(served)
  const leave = (): void => response.body?.cancelled?.()
  client.once('close', leave)
  answers.set(server, { client, request: served.request, response, whenDone: () => client.off('close', leave) })
  replayServer().emit('connection', server)
  nextTick(() => client.open())
}

/** Errors of a connection that was made: the request has been sent by then. */
const brokenLater = /^(?:ECONNRESET|EPIPE|EPROTO|HPE_)/

/** The connection fails with this very value: as one that cannot be made, or breaks before an answer. */
export function failRequest(served: ServedRequest, error: unknown): void {
  const { client, server } = connection(served)
  const fail = (): void => void client.destroy(error as Error)
  const code: unknown = Object(error).code
  if (typeof code !== 'string' || !brokenLater.test(code)) {
    nextTick(fail)
    return
  }
  server.resume()
  nextTick(() => client.open())
  client.once('connect', () => afterThisTask(fail))
}

/** Connected, taken, and never answered. */
export function hangRequest(served: ServedRequest, cancelled: () => void): void {
  const { client, server } = connection(served)
  server.resume()
  client.once('close', cancelled)
  nextTick(() => client.open())
}

function connection({ request, encrypted, timeoutMs }: ServedRequest): InMemoryConnection {
  const both = inMemoryConnection({ encrypted, readAhead: false })
  const { client, server } = both
  client.setTimeout(timeoutMs ?? 0)
  // No agent keeps it.
  client.once('free', () => client.destroy())
  // The request hears of errors; between two of its listeners nobody would.
  for (const end of [client, server]) end.on('error', () => {})
  request.onSocket(client as never)
  return both
}

interface Answer {
  readonly client: InMemoryDuplex
  readonly request: ClientRequest
  readonly response: ServedResponse
  /** All is served: a caller who leaves now leaves nothing. */
  readonly whenDone: () => void
}

const answers = new WeakMap<object, Answer>()

let keptServer: Server | undefined

function replayServer(): Server {
  if (keptServer !== undefined) return keptServer
  const http = process.getBuiltinModule('node:http') as typeof import('node:http')
  const options = { maxHeaderSize: 8 << 20, insecureHTTPParser: true, keepAliveTimeout: 0, requestTimeout: 0 }
  keptServer = new http.Server(options, (incoming, outgoing) => {
    const answer = answers.get(incoming.socket)
    answers.delete(incoming.socket)
    // Read to its end first, and a task later, as a network would have it: the client sees `finish` before `response`.
    incoming.once('end', () => afterThisTask(() => answer && void respond(answer, outgoing)))
    incoming.resume()
  })
  // A request that no server could read fails; what comes after one that was read is not looked at.
  keptServer.on('clientError', (error, socket) => void answers.get(socket)?.client.destroy(error))
  keptServer.timeout = 0
  return keptServer
}

/** Never rejects: an error goes to the request. */
async function respond({ client, request, response, whenDone }: Answer, outgoing: ServerResponse): Promise<void> {
  const { status, statusText, headers, body } = response
  const hasBody = body !== undefined && request.method !== 'HEAD' && !nullBodyStatuses.has(status)
  try {
    outgoing.sendDate = false
    outgoing.removeHeader('connection')
    outgoing.writeHead(status, statusText, headers.flat())
    outgoing.flushHeaders()
    const count = hasBody ? await sendChunks({ client, body }, outgoing) : 0
    if (client.destroyed) return
    const end = hasBody ? body.end : ({ kind: 'close' } as const)
    if (end.kind !== 'hang') whenDone()
    if (end.kind === 'close') outgoing.end()
    else if (end.kind === 'error') breakOff(client, end.error)
    else {
      await whenReadPast({ client, request, count })
      if (!client.destroyed) body?.readPast?.()
    }
  } catch (error) {
    client.destroy(error as Error)
  }
}

/** One a read of the caller. How many there were. */
async function sendChunks(
  { client, body }: { readonly client: InMemoryDuplex; readonly body: ServedBody },
  outgoing: ServerResponse,
): Promise<number> {
  for (let count = 0; ; ) {
    await client.asked()
    const chunk = client.destroyed ? undefined : await body.next()
    if (chunk === undefined || client.destroyed) return count
    if (chunk.byteLength === 0) continue
    count += 1
    await new Promise<void>((resolve) => outgoing.write(chunk, () => resolve()))
    // A pipe that takes it at once still gives it to its reader alone.
    await new Promise<void>((resolve) => afterThisTask(resolve))
  }
}

/** A connection that closes early is how Node sees most failures; an error of its own, where it has one, comes first. */
function breakOff(client: InMemoryDuplex, error: unknown): void {
  const { code, message } = error as NodeJS.ErrnoException
  if (code === 'ECONNRESET' && message === 'aborted') client.destroy()
  else client.destroy(error as Error)
}

/** The connection is read before anything of the body is there, whether its caller reads or not. */
async function whenReadPast(read: {
  readonly client: InMemoryDuplex
  readonly request: ClientRequest
  readonly count: number
}): Promise<void> {
  await read.client.asked()
  const { res } = read.request as { readonly res?: IncomingMessage }
  if (read.count === 0 && res !== undefined) await firstRead(res)
}

async function firstRead(message: IncomingMessage): Promise<void> {
  if (message.readableFlowing === true || message.listenerCount('readable') > 0) return
  await new Promise<void>((resolve) => {
    const restore = replaceMember(message, 'read', (native, args) => {
      restore()
      resolve()
      return native(...args)
    })
  })
}
