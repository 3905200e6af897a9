/**
 * The same failure as each road shows it: `fetch` wraps what its dispatcher reports, and reports aborts as they are; what
 * undici calls by names of its own, Node's own client calls as the system does.
 */
import type { Road } from '../core/capture/captured-request.ts'
import type { Failure } from '../core/cassette/document.ts'

/** A recording may have been made over another road than it is replayed on: a client built earlier, then later. */
export function failureOnRoad(failure: Failure, road: Road): Failure {
  switch (road) {
    case 'fetch':
      return isOfTransport(failure) ? wrapped(failure) : failure
    case 'dispatcher':
    case 'http2':
      return unwrapped(failure)
    case 'http':
      return asNodes(unwrapped(failure))
  }
}

function unwrapped(failure: Failure): Failure {
  return isFetchError(failure) && failure.cause !== undefined ? failure.cause : failure
}

function asNodes(failure: Failure): Failure {
  const { stage, code } = failure
  if (code === 'UND_ERR_CONNECT_TIMEOUT') {
    return { stage, name: 'Error', message: 'connect ETIMEDOUT', code: 'ETIMEDOUT', details: { syscall: 'connect' } }
  }
  if (code !== 'UND_ERR_SOCKET') return failure
  return { stage, name: 'Error', message: stage === 'body' ? 'aborted' : 'socket hang up', code: 'ECONNRESET' }
}

function wrapped(cause: Failure): Failure {
  const message = cause.stage === 'body' ? 'terminated' : 'fetch failed'
  return { stage: cause.stage, name: 'TypeError', message, cause }
}

function isFetchError({ name, message }: Failure): boolean {
  return name === 'TypeError' && (message === 'fetch failed' || message === 'terminated')
}

/** An error with a code: of undici, a socket, TLS or the HTTP parser. `fetch` never shows it bare, but aborts as they are. */
function isOfTransport({ name, code }: Failure): boolean {
  return name !== 'AbortError' && code !== undefined && /^[A-Z][A-Z\d_]+$/.test(code)
}
