import type { CapturedRequest } from '../../core/capture/captured-request.ts'
import type { HttpRequest, Json } from '../../core/cassette/document.ts'
import { isLaidOutJsonOf } from '../../core/cassette/laid-out-json.ts'
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
  return recordedRequest(
    context,
    call,
    (json, body) => context.source()?.growing.of(call.lane).isText(json, body) === true,
  )
}

/** The same where this call lays its JSON out otherwise, as clients that write it with blanks do: that is told by its value. */
export function respelledRequest(context: SessionContext, call: HttpCall): StoredRequest | undefined {
  return recordedRequest(context, call, isLaidOutJsonOf)
}

type IsSame = (json: Json, body: Uint8Array) => boolean

function recordedRequest(context: SessionContext, call: HttpCall, isSame: IsSame): StoredRequest | undefined {
  const { body } = call.captured
  const recorded = nextRecorded(context, call)
  if (recorded === undefined || body === undefined) return undefined
  const { request, hash } = recorded
  if (request.body === undefined || !('json' in request.body)) return undefined
  return isSameHead(request, call.captured, context.redactor) && isSame(request.body.json, body)
    ? { request, hash, bodyBytes: body.byteLength }
    : undefined
}

function isSameHead(request: HttpRequest, captured: CapturedRequest, redactor: Redactor): boolean {
  if (!isPlainJson(captured.headers)) return false
  const { method, url, headers } = redactor.requestHead(captured)
  return method === request.method && url === request.url && JSON.stringify(headers) === JSON.stringify(request.headers)
}

/** An encoded body is other bytes, and what is no JSON is stored in other forms. */
function isPlainJson(headers: CapturedRequest['headers']): boolean {
  let type: string | undefined
  for (const [name, value] of headers) {
    if (name === 'content-encoding') return false
    if (name === 'content-type') type ??= value
  }
  return mediaKindOf(type) === 'json'
}
