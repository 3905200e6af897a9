/** The slow comparison: two requests are equal if their normalised keys are. */

import { contentHash } from '../cassette/content-hash.ts'
import type { HttpRequest, Json, RequestBody } from '../cassette/document.ts'
import { mediaType } from '../cassette/media-type.ts'
import { canonicalJson } from '../hashing/canonical-json.ts'
import { canonicalUrl } from '../hashing/canonical-url.ts'
import { ExactNumber } from '../hashing/exact-number.ts'
import { canonicalHeaders } from '../hashing/meaning-headers.ts'
import { parseLossless } from '../hashing/parse-lossless.ts'
import type { ValueRequest } from '../hashing/request-hash.ts'
import type { LosslessJson } from '../hashing/serialise-lossless.ts'
import { clientIds } from './client-ids.ts'
import { applyNormalisers, type NormalisedRequest, type Normaliser } from './normaliser.ts'
import { rewriteJson } from './rewrite-json.ts'

/**
 * A key (64 hex digits) that is equal for requests that count as equal: client-made ids renamed first, then the
 * normalisers in order. Costs several times a hash: compare hashes first, and keep the keys of stored requests.
 * Throws TURNTAPE_INVALID_OPTION for a normaliser that breaks its contract.
 */
export function normalisedKey(comparison: {
  readonly request: HttpRequest
  readonly normalisers: readonly Normaliser[]
  /** Ids that the recording's responses handed out; they are not renamed. */
  readonly serverIds: ReadonlySet<string>
}): string {
  const { request, normalisers, serverIds } = comparison
  const form = bodyForm(request.body)
  const start = {
    method: request.method.toUpperCase(),
    url: request.url,
    headers: { ...request.headers },
    body: form.kind === 'none' ? undefined : copyJson(form.value),
  }
  return keyOf(form.kind, applyNormalisers(clientIds(serverIds)(start), normalisers))
}

/** The same for a tool call or a `call`; its input is the body, its name the URL, and no id is renamed. */
export function normalisedValueKey(comparison: {
  readonly request: ValueRequest
  readonly normalisers: readonly Normaliser[]
}): string {
  const { request, normalisers } = comparison
  const start = { method: request.kind.toUpperCase(), url: request.name, headers: {}, body: copyJson(request.input) }
  return keyOf('value', applyNormalisers(start, normalisers))
}

/** `kind` is how the body is held: the text `"a"` is not the JSON string "a". */
function keyOf(kind: BodyForm['kind'] | 'value', request: NormalisedRequest): string {
  const type = kind === 'text' || kind === 'bytes' ? mediaType(request.headers['content-type']) : undefined
  const canonical = canonicalJson({
    kind,
    method: request.method,
    url: kind === 'value' ? request.url : canonicalUrl(request.url),
    headers: canonicalHeaders(request.headers),
    ...(type === undefined ? {} : { type }),
    ...(request.body === undefined ? {} : { body: request.body }),
  })
  return contentHash(canonical)
}

type BodyForm =
  | { readonly kind: 'none' }
  | { readonly kind: 'json'; readonly value: LosslessJson }
  | { readonly kind: 'text' | 'parts' | 'bytes'; readonly value: Json }

function bodyForm(body: RequestBody | undefined): BodyForm {
  if (body === undefined) return { kind: 'none' }
  if ('json' in body) return { kind: 'json', value: body.json }
  if ('parts' in body) return { kind: 'parts', value: body.parts.map((part) => ({ ...part })) }
  if ('sha256' in body) return { kind: 'bytes', value: { sha256: body.sha256, bytes: body.bytes } }
  const text = 'text' in body ? body.text : body.lines.join('\n')
  const parsed = parseLossless(text)
  return parsed.kind === 'json' ? { kind: 'json', value: parsed.value } : { kind: 'text', value: text }
}

/** A copy of its own, since a normaliser may change in place what it gets. */
function copyJson(value: LosslessJson): Json {
  return rewriteJson(value, (leaf) => (leaf instanceof ExactNumber ? { '<exact number>': leaf.text } : leaf))
}
