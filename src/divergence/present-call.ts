import { describeCall, modelOf } from '../core/capture/describe-call.ts'
import type { HttpRequest, Interaction, InteractionKind, Json, RequestBody } from '../core/cassette/document.ts'
import { canonicalUrl } from '../core/hashing/canonical-url.ts'
import { ExactNumber } from '../core/hashing/exact-number.ts'
import { canonicalHeaders } from '../core/hashing/meaning-headers.ts'
import type { NormalisedRequest } from '../core/matching/normaliser.ts'
import { rewriteJson } from '../core/matching/rewrite-json.ts'

/** The call that the run makes, in the form it would be stored in. */
export type PresentCall =
  | { readonly kind: 'model' | 'http'; readonly request: HttpRequest }
  | { readonly kind: 'tool' | 'call'; readonly request: { readonly name: string; readonly input: Json } }

/** A call as it is compared: plain values, only what counts for its identity. */
export interface ComparableCall extends NormalisedRequest {
  readonly kind: InteractionKind
}

/** The same form for a recorded interaction and for the present call. */
export function comparableCall(call: PresentCall | Interaction): ComparableCall {
  switch (call.kind) {
    case 'tool':
    case 'call':
      return {
        kind: call.kind,
        method: call.kind.toUpperCase(),
        url: call.request.name,
        headers: {},
        body: call.request.input,
      }
    case 'model':
    case 'http': {
      const { method, url, headers, body } = call.request
      return {
        kind: call.kind,
        method,
        url: canonicalUrl(url),
        headers: canonicalHeaders(headers),
        body: bodyValue(body),
      }
    }
  }
}

/** A copy that a normaliser may change in place. */
export function ownCopy({ method, url, headers, body }: NormalisedRequest): NormalisedRequest {
  const copied =
    body === undefined ? undefined : rewriteJson(body, (leaf) => (leaf instanceof ExactNumber ? leaf.text : leaf))
  return { method, url, headers: { ...headers }, body: copied }
}

/** `POST https://api.openai.com/v1/responses (gpt-5)`, or `tool get_weather`. */
export function callLine(call: PresentCall | Interaction): string {
  switch (call.kind) {
    case 'tool':
    case 'call':
      return `${call.kind} ${call.request.name}`
    case 'model':
    case 'http':
      return describeCall(call.request.method, call.request.url, modelOf(bodyValue(call.request.body)))
  }
}

function bodyValue(body: RequestBody | undefined): Json | undefined {
  if (body === undefined) return undefined
  if ('json' in body) return body.json
  if ('text' in body) return body.text
  if ('lines' in body) return body.lines.join('\n')
  if ('parts' in body) return { parts: body.parts.map((part) => ({ ...part })) }
  return { sha256: body.sha256, bytes: body.bytes }
}
