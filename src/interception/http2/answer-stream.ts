/** One stream of a front session: asks the router about the call and does what the verdict says. */
import type { ClientHttp2Stream, IncomingHttpHeaders, ServerHttp2Stream } from 'node:http2'
import type { CapturedRequest } from '../../core/capture/captured-request.ts'
import { isLoopbackHost } from '../../core/hashing/is-loopback-host.ts'
import { abandonVerdict } from '../abandon-verdict.ts'
import { capturedUrl } from '../captured-url.ts'
import { exchangeWatch } from '../exchange-watch.ts'
import { currentRouter, forward, isForwarded } from '../realm.ts'
import type { Router, Verdict } from '../router.ts'
import { endByCaller, failStream } from './end-stream.ts'
import type { LiveSession } from './live-session.ts'
import { relayLive } from './relay-live.ts'
import { serveStream } from './serve-stream.ts'

/** The two ends of a stream within this process. */
export interface FrontStream {
  /** The caller's. */
  readonly client: ClientHttp2Stream
  readonly server: ServerHttp2Stream
  /** As the caller sent them, `:method` and the like included. */
  readonly headers: IncomingHttpHeaders
  /** The request ended with its headers. */
  readonly isBodiless: boolean
  readonly live: LiveSession
}

/** Runs in the async context of the caller. Never rejects: an error goes to his stream. */
export async function answerStream(stream: FrontStream): Promise<void> {
  const { client, headers, isBodiless } = stream
  try {
    const router = currentRouter()
    const head = { method: String(headers[':method']), url: urlOf(headers), road: 'http2' } as const
    if (router === undefined || isForwarded()) return passThrough(stream)
    if (isConversation(headers)) return guarded(stream, router)
    if (router.peek({ ...head, bodyKind: isBodiless ? 'none' : 'stream' }) === 'pass') return passThrough(stream)
    const body = isBodiless ? undefined : await readBody(stream)
    const captured: CapturedRequest = { ...head, headers: fieldsOf(headers), body }
    if (client.closed) return
    const verdict = await router.route(captured)
    if (client.closed) abandonVerdict(verdict, endByCaller(client))
    else act(stream, { verdict, captured })
  } catch (error) {
    failStream(client, error)
  }
}

interface Decided {
  readonly verdict: Verdict
  readonly captured: CapturedRequest
}

function act(stream: FrontStream, { verdict, captured }: Decided): void {
  const { client, server } = stream
  switch (verdict.kind) {
    case 'pass':
      send(stream, { captured, watch: undefined })
      return
    case 'observe': {
      const { method, url } = captured
      send(stream, { captured, watch: exchangeWatch({ observer: verdict.observer, method, url }) })
      return
    }
    case 'respond':
      void serveStream({ client, server, response: verdict.response })
      return
    case 'reject':
      failStream(client, verdict.error)
      return
    case 'hang':
      client.once('close', verdict.cancelled)
  }
}

interface Sending {
  readonly captured: CapturedRequest
  readonly watch: ReturnType<typeof exchangeWatch> | undefined
}

function send({ client, server, headers, live }: FrontStream, { captured, watch }: Sending): void {
  const { body } = captured
  const sent = forward(() => live.request(headers, { endStream: body === undefined }))
  relayLive({ client, server, sent, watch })
  if (body !== undefined) sent.end(body)
}

function passThrough({ client, server, headers, isBodiless, live }: FrontStream): void {
  const sent = forward(() => live.request(headers, { endStream: isBodiless }))
  relayLive({ client, server, sent, watch: undefined })
  if (!isBodiless) server.pipe(sent)
}

/** Both sides speak at once (gRPC, a voice session, a tunnel): no request that could be read first, so nothing to replay. */
function isConversation(headers: IncomingHttpHeaders): boolean {
  if (headers[':method'] === 'CONNECT') return true
  return (
    /^application\/grpc/.test(String(headers['content-type'])) || /bidirectional-stream$/.test(String(headers[':path']))
  )
}

/** As the socket guard does: what cannot be captured is refused by name, unless its host is free. */
function guarded(stream: FrontStream, router: Router): void {
  const { hostname, port, protocol } = new URL(urlOf(stream.headers))
  const target = { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || (protocol === 'https:' ? 443 : 80)) }
  const refusal = isLoopbackHost(hostname) ? undefined : router.connect(target)
  if (refusal === undefined) passThrough(stream)
  else failStream(stream.client, refusal)
}

function urlOf(headers: IncomingHttpHeaders): string {
  const text = `${headers[':scheme'] ?? 'https'}://${headers[':authority'] ?? headers.host}${headers[':path'] ?? '/'}`
  return capturedUrl(text) ?? new URL(text).href
}

function fieldsOf(headers: IncomingHttpHeaders): CapturedRequest['headers'] {
  return Object.entries(headers)
    .filter(([name]) => !name.startsWith(':'))
    .flatMap(([name, value]) => [value ?? []].flat().map((one): [string, string] => [name, String(one)]))
}

/** Ends as well where the caller leaves. */
async function readBody({ client, server, headers }: FrontStream): Promise<Uint8Array> {
  // A caller that waits to be asked for his body is asked.
  if (headers.expect === '100-continue') server.additionalHeaders({ ':status': 100 })
  const pieces: Uint8Array[] = []
  server.on('data', (piece: Uint8Array) => pieces.push(piece))
  await new Promise<void>((resolve) => {
    server.once('end', resolve)
    client.once('close', resolve)
  })
  return new Uint8Array(Buffer.concat(pieces))
}
