import type { CapturedRequest } from '../../core/capture/captured-request.ts'
import type { HttpRequest } from '../../core/cassette/document.ts'
import { encodeRequestBody } from '../../core/cassette/request-body.ts'
import { hashRequest } from '../../core/hashing/request-hash.ts'
import type { Redactor } from '../../redaction/redactor.ts'

/** A request as it is stored, and its identity. */
export interface StoredRequest {
  readonly request: HttpRequest
  readonly hash: string
  /** Of its body, without content encoding, where that is stored; one that is known by its SHA-256 alone counts as none. */
  readonly bodyBytes: number
}

/** Redacts a request, brings its body into stored form and hashes that: F6, F13, F15. */
export async function storeRequest(captured: CapturedRequest, redactor: Redactor): Promise<StoredRequest> {
  const redacted = redactor.request(captured)
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
  return { request, hash: hashRequest(request), bodyBytes: isKept ? (redacted.body?.length ?? 0) : 0 }
}
