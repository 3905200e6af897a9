/**
 * Identity of a request, F13 and promise 4: one text that is equal exactly for equal requests, and its SHA-256.
 * It does not depend on how a body is stored: a value, a text that holds the same JSON and lines of it agree.
 */
import { contentHash } from '../cassette/content-hash.ts'
import type { HttpRequest, Json, MultipartPart, RequestBody, ValueInteraction } from '../cassette/document.ts'
import { mediaType } from '../cassette/media-type.ts'
import { canonicalJson } from './canonical-json.ts'
import { canonicalText } from './canonical-text.ts'
import { canonicalUrl } from './canonical-url.ts'
import { closing, piecesOf } from './json-pieces.ts'
import { canonicalHeaders } from './meaning-headers.ts'
import { TextHash } from './text-hash.ts'

/**
 * Canonical JSON of `{ body?, headers, method, url }`, where `headers` are those that count and `body` is one of
 * `{ json }`, `{ text, type? }`, `{ parts }` or `{ sha256, type? }`. The media type counts for text and bytes only;
 * a multipart boundary never does. Numbers in `json` as in `canonicalText`.
 */
export function canonicalRequest(request: HttpRequest): string {
  if (request.body === undefined) return canonicalHead(request)
  const type = mediaType(request.headers?.['content-type'])
  // `body` sorts before the members of the head.
  return `{"body":${canonicalBody(request.body, type)},${canonicalHead(request).slice(1)}`
}

/** What stands before and after the canonical JSON of a JSON body. */
export interface AroundJson {
  readonly before: string
  readonly after: string
}

export function aroundJson(request: HttpRequest): AroundJson {
  return { before: '{"body":{"json":', after: `},${canonicalHead(request).slice(1)}` }
}

function canonicalHead(request: HttpRequest): string {
  return canonicalJson({
    headers: canonicalHeaders(request.headers),
    method: request.method.toUpperCase(),
    url: canonicalUrl(request.url),
  })
}

/** SHA-256 of the canonical request, 64 hex digits. */
export function hashRequest(request: HttpRequest): string {
  const { body } = request
  if (body === undefined || !('json' in body)) return contentHash(canonicalRequest(request))
  return hashInPieces(body.json, aroundJson(request))
}

/** SHA-256 of what is around a value and its canonical JSON between. */
export function hashInPieces(value: Json, around: AroundJson): string {
  const pieces = piecesOf(value, 'sorted')
  const hash = new TextHash().add(around.before)
  for (const { before, value } of pieces) hash.add(before + canonicalJson(value))
  return hash.add(closing(pieces) + around.after).digest()
}

/** The same for a tool call or a `call`: SHA-256 of the canonical JSON of `{ input, kind, name }`. */
export function hashValueRequest(request: ValueRequest): string {
  return contentHash(canonicalJson({ input: request.input, kind: request.kind, name: request.name }))
}

export interface ValueRequest {
  readonly kind: ValueInteraction['kind']
  readonly name: string
  readonly input: Json
}

function canonicalBody(body: RequestBody, type: string | undefined): string {
  if ('json' in body) return `{"json":${canonicalJson(body.json)}}`
  if ('parts' in body) return canonicalJson({ parts: body.parts.map(canonicalPart) })
  if ('sha256' in body) return canonicalJson({ sha256: body.sha256, ...(type === undefined ? {} : { type }) })
  const text = 'text' in body ? body.text : body.lines.join('\n')
  const canonical = canonicalText(text)
  if (canonical.kind === 'json') return `{"json":${canonical.canonical}}`
  return canonicalJson({ text, ...(type === undefined ? {} : { type }) })
}

/** Content counts by its hash, so that keeping it as text or not is free. */
function canonicalPart(part: MultipartPart): Json {
  const type = mediaType(part.type)
  const content = part.text === undefined ? part.sha256 : contentHash(part.text)
  return {
    name: part.name,
    ...(part.filename === undefined ? {} : { filename: part.filename }),
    ...(type === undefined ? {} : { type }),
    ...(content === undefined ? {} : { sha256: content }),
  }
}
