/**
 * Removes what must never be stored, hashed or printed: by place (header, query key, JSON key), by shape, and by the
 * prefixes of project, home and temporary paths. Never by what an environment holds (F15): the same request gives the
 * same bytes on every machine. Knows nothing of tests, modes or files; what it lets through, the last scan refuses.
 */
import type { CapturedRequest } from '../core/capture/captured-request.ts'
import type { BodyEnd, Failure, Json, RecordedBody } from '../core/cassette/document.ts'
import { mediaKindOf } from '../core/cassette/media-type.ts'
import type { MachineFolders } from './find-paths.ts'
import { createPlaceholderLedger } from './placeholder-ledger.ts'
import { recutChunks } from './recut-chunks.ts'
import { redactFrames } from './redact-frames.ts'
import { createHeaderRewriter, type HeaderList } from './redact-headers.ts'
import { type MultipartRules, redactMultipart } from './redact-multipart.ts'
import { checkRedactOptions, type RedactOptions } from './redact-options.ts'
import { createUrlRewriter } from './redact-url.ts'
import { rememberTexts } from './remembered-texts.ts'
import { textFormOf } from './text-form.ts'
import { createTextRewriter, type TextRewriter } from './text-rewriter.ts'
import { undoContentEncoding } from './undo-content-encoding.ts'
import { decodeUtf8 } from './utf8-text.ts'

/** One a tape: it numbers the secrets of that tape. */
export interface Redactor {
  /** As it is stored and hashed, without content encoding. The body is the same array where nothing was found. */
  request(captured: CapturedRequest): RedactedRequest
  /** The same without the body. */
  requestHead(captured: CapturedRequest): RedactedHead
  /** Allow-listed headers in the order received, the URL as in requests. */
  responseHead(head: ResponseHead): ResponseHead
  /**
   * As many chunks as before, each with its gap; the same object where nothing was found. What is cut over chunks, or
   * over the events of a stream, is found. AWS event streams are text in frames; other bytes that are
   * no text stay as they are.
   */
  responseBody(body: RecordedBody, contentType: string | undefined): RecordedBody
  failure(failure: Failure): Failure
  /** Any other text that is stored or printed. */
  text(text: string): string
  /** Values of tools and calls. The same object where nothing was found. */
  json(value: Json): Json
  /** Takes the numbers of the placeholders in what a cassette serves: call it for each answer, when it is served. */
  reserve(text: string): void
}

export interface RedactorContext extends MachineFolders {
  readonly options?: RedactOptions
}

export interface RedactedHead {
  readonly method: string
  readonly url: string
  /** Lower-case names, sorted; a multipart content type without its boundary. */
  readonly headers: Readonly<Record<string, string>> | undefined
}

export interface RedactedRequest extends RedactedHead {
  readonly body: Uint8Array | undefined
  /** As sent, with the boundary: to read the body with. */
  readonly contentType: string | undefined
}

export interface ResponseHead {
  readonly status: number
  readonly statusText: string
  readonly headers: HeaderList
  readonly url: string
}

/** Throws TURNTAPE_INVALID_OPTION. */
export function createRedactor(context: RedactorContext): Redactor {
  const options = checkRedactOptions(context.options)
  const ledger = createPlaceholderLedger()
  const rewriter = createTextRewriter({ folders: context, options, ledger })
  const urls = createUrlRewriter({ rewriter, ledger, query: options.query, keys: options.keys })
  const urlOfRequest = rememberTexts(urls.url)
  const headers = createHeaderRewriter({ rewriter, urls, ledger, names: options.headers })
  const rules: MultipartRules = { rewriter, urls, ledger }
  const redactText = (text: string): string => rewriter.rewrite(text, textFormOf(text, undefined))
  const redactJson = (value: Json): Json => rewriteJson(value, rewriter)
  const redactFailure = (failure: Failure): Failure => rewriteFailure(failure, { redactText, redactJson })
  const requestHead = (captured: CapturedRequest): RedactedHead => ({
    method: captured.method,
    url: urlOfRequest(captured.url),
    headers: headers.request(captured.headers),
  })
  return {
    requestHead,
    request(captured) {
      const contentType = headerOf(captured.headers, 'content-type')
      const body = captured.body && undoContentEncoding(captured.body, headerOf(captured.headers, 'content-encoding'))
      return {
        ...requestHead(captured),
        body: body && redactBytes(body, contentType, rules),
        contentType,
      }
    },
    responseHead: (head) => ({
      status: head.status,
      statusText: redactText(head.statusText),
      headers: headers.response(head.headers),
      url: urls.url(head.url),
    }),
    responseBody(body, contentType) {
      const chunks = redactChunks(body.chunks, contentType, rewriter)
      const end = redactEnd(body.end, redactFailure)
      return chunks === body.chunks && end === body.end ? body : { chunks, end }
    },
    failure: redactFailure,
    text: redactText,
    json: redactJson,
    reserve: ledger.reserve,
  }
}

function headerOf(headers: HeaderList, name: string): string | undefined {
  return headers.find((header) => header[0] === name)?.[1]
}

function redactBytes(bytes: Uint8Array, contentType: string | undefined, rules: MultipartRules): Uint8Array {
  const kind = mediaKindOf(contentType)
  const boundary = kind === 'multipart' ? boundaryOf(contentType) : undefined
  const parts = boundary && redactMultipart(bytes, boundary, rules)
  if (parts) return parts
  const decoded = decodeUtf8(bytes)
  if (decoded === undefined) return bytes
  const { text, tail } = decoded
  const rewritten =
    kind === 'form' ? rules.urls.pairs(text, 'form') : rules.rewriter.rewrite(text, textFormOf(text, contentType))
  return rewritten === text ? bytes : new Uint8Array(Buffer.concat([Buffer.from(rewritten), tail]))
}

function boundaryOf(contentType: string | undefined): string | undefined {
  const match = /;\s*boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(contentType ?? '')
  return match?.[1] ?? match?.[2]
}

function redactChunks(
  chunks: RecordedBody['chunks'],
  contentType: string | undefined,
  rewriter: TextRewriter,
): RecordedBody['chunks'] {
  const frames = redactFrames(chunks, rewriter)
  if (frames !== undefined) return frames
  const decoded = decodeUtf8(Buffer.concat(chunks.map((chunk) => chunk.bytes)))
  if (decoded === undefined || decoded.text === '') return chunks
  const replacements = rewriter.streamReplacements(decoded.text, textFormOf(decoded.text, contentType))
  return replacements.length === 0 ? chunks : recutChunks({ chunks, ...decoded, replacements })
}

function rewriteJson(value: Json, rewriter: TextRewriter): Json {
  const text = JSON.stringify(value)
  const rewritten = rewriter.rewrite(text, 'json')
  return rewritten === text ? value : (JSON.parse(rewritten) as Json)
}

interface FailureRules {
  redactText(text: string): string
  redactJson(value: Json): Json
}

/** The same object where nothing was found. */
function rewriteFailure(failure: Failure, rules: FailureRules): Failure {
  const message = rules.redactText(failure.message)
  const details = failure.details && (rules.redactJson(failure.details) as NonNullable<Failure['details']>)
  const cause = failure.cause && rewriteFailure(failure.cause, rules)
  if (message === failure.message && details === failure.details && cause === failure.cause) return failure
  return { ...failure, message, ...(details && { details }), ...(cause && { cause }) }
}

function redactEnd(end: BodyEnd, redactFailure: (failure: Failure) => Failure): BodyEnd {
  if (end.kind !== 'failed') return end
  const failure = redactFailure(end.failure)
  return failure === end.failure ? end : { kind: 'failed', failure }
}
