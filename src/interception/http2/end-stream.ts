/** The ways in which a stream of HTTP/2 ends before its time, in the words of Node's own. */
import type { ClientHttp2Stream } from 'node:http2'
import process from 'node:process'

/**
 * Ends the caller's stream with an error. One that tells of a code on the wire leaves that code in `rstCode`, and no error
 * where Node makes none of it. (Node's server cannot reset a stream in its body: it ends it first.)
 */
export function failStream(client: ClientHttp2Stream, error: unknown): void {
  const code = codeOf(error)
  if (code !== undefined && !client.closed) client.close(code)
  if (code !== undefined && quietCodes.has(code)) return
  client.destroy(error instanceof Error ? error : Object.assign(new Error(String(error)), { cause: error }))
}

/** No error and a cancelled stream: Node ends the stream without an error. */
const quietCodes: ReadonlySet<number> = new Set([0, 8])

/** The error of a stream that ended with this code. */
export function streamError(code: number): Error {
  const name = Object.entries(codes()).find(([key, value]) => value === code && key.startsWith('NGHTTP2_'))?.[0] ?? code
  return Object.assign(new Error(`Stream closed with error code ${name}`), { code: 'ERR_HTTP2_STREAM_ERROR' })
}

/** Why a caller's stream is over: his own error, or the code he closed it with. */
export function endByCaller(client: ClientHttp2Stream): Error {
  return client.errored ?? streamError(client.rstCode ?? 0)
}

function codeOf(error: unknown): number | undefined {
  const { code, message } = (error ?? {}) as { readonly code?: unknown; readonly message?: unknown }
  if (code !== 'ERR_HTTP2_STREAM_ERROR') return undefined
  const [name] = /NGHTTP2_\w+/.exec(String(message)) ?? []
  const known = name === undefined ? undefined : codes()[name]
  return typeof known === 'number' ? known : undefined
}

function codes(): Readonly<Record<string, unknown>> {
  return (process.getBuiltinModule('node:http2') as typeof import('node:http2')).constants as unknown as Readonly<
    Record<string, unknown>
  >
}
