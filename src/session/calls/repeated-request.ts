import type { CapturedRequest } from '../../core/capture/captured-request.ts'
import type { HttpRequest } from '../../core/cassette/document.ts'
import { mediaKindOf } from '../../core/cassette/media-type.ts'
import type { Redactor } from '../../redaction/redactor.ts'
import type { SessionContext } from '../session-context.ts'
import type { HttpCall } from './http-call.ts'
import { nextRecorded } from './next-recorded.ts'
import type { StoredRequest } from './stored-request.ts'

/**
 * The request that the recording has next in this lane, where this call sends it again to the letter: as clients that write
 * compact JSON do, in replay. What equals text that was redacted holds nothing to redact, and has its hash (F13); whether that is
 * the right one is looked at when the answer is taken. Undefined: it may be another, so that all of it has to be read.
 */
export function repeatedRequest(context: SessionContext, call: HttpCall): StoredRequest | undefined {
  const { body } = call.captured
  const recorded = nextRecorded(context, call)
  if (recorded === undefined || body === undefined) return undefined
  const { request, hash } = recorded
  if (request.body === undefined || !('json' in request.body)) return undefined
  return isSameHead(request, call.captured, context.redactor) &&
    context.source()?.growing.of(call.lane).isText(request.body.json, body) === true
    ? { request, hash, bodyBytes: body.byteLength }
    : undefined
}

function isSameHead(request: HttpRequest, captured: CapturedRequest, redactor: Redactor): boolean {
  const type = headerOf(captured, 'content-type')
  // An encoded body is other bytes, and what is no JSON is stored in other forms.
  if (headerOf(captured, 'content-encoding') !== undefined || mediaKindOf(type) !== 'json') return false
  const { method, url, headers } = redactor.request({ ...captured, body: undefined })
  return method === request.method && url === request.url && JSON.stringify(headers) === JSON.stringify(request.headers)
}

function headerOf({ headers }: CapturedRequest, name: string): string | undefined {
  return headers.find((header) => header[0] === name)?.[1]
}
