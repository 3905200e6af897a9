import type { HttpRequest } from '../../core/cassette/document.ts'
import { jsonEqual } from '../../core/cassette/json-equal.ts'
import { encodeRequestBody } from '../../core/cassette/request-body.ts'
import { hashRequest } from '../../core/hashing/request-hash.ts'
import type { SessionContext } from '../session-context.ts'
import type { HttpCall } from './http-call.ts'
import { nextRecorded } from './next-recorded.ts'

/** A request as it is stored, and its identity. */
export interface StoredRequest {
  readonly request: HttpRequest
  readonly hash: string
  /** Of its body, without content encoding, where that is stored; one that is known by its SHA-256 alone counts as none. */
  readonly bodyBytes: number
}

/**
 * Redacts a request, brings its body into stored form and hashes that: F6, F13, F15. In another spelling than the recorded one
 * it is the same value with the same hash; as for `repeatedRequest`, that is looked at when the answer is taken.
 */
export async function storeRequest(context: SessionContext, call: HttpCall): Promise<StoredRequest> {
  const redacted = context.redactor.request(call.captured)
  const { method, url, headers } = redacted
  const body =
    redacted.body === undefined || redacted.body.length === 0
      ? undefined
      : await encodeRequestBody(redacted.body, redacted.contentType)
  const request: HttpRequest = {
    method,
    url,
    ...(headers === undefined ? {} : { headers }),
    ...(body === undefined ? {} : { body }),
  }
  const isKept = body !== undefined && ('json' in body || 'text' in body || 'lines' in body)
  const next = nextRecorded(context, call)
  const hash = next !== undefined && isSame(request, next.request) ? next.hash : hashRequest(request)
  return { request, hash, bodyBytes: isKept ? (redacted.body?.length ?? 0) : 0 }
}

/** False for other bodies than JSON, which are compared as quickly as hashed. */
function isSame(one: HttpRequest, other: HttpRequest): boolean {
  if (one.method !== other.method || one.url !== other.url || !jsonEqual(one.headers, other.headers)) return false
  const [body, otherBody] = [one.body, other.body]
  if (body === undefined || otherBody === undefined || !('json' in body) || !('json' in otherBody)) return false
  return jsonEqual(body.json, otherBody.json)
}
