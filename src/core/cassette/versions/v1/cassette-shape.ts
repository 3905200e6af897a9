/** The shape of a cassette, member by member: what `packed-document.ts` says in types, said to data that nobody trusts (promise 8). */

import {
  array,
  byMember,
  byTag,
  count,
  countWithin,
  json,
  matching,
  namedBy,
  object,
  oneOf,
  optional,
  problem,
  record,
  type Shape,
  someOf,
  string,
  tuple,
} from '../../shape.ts'
import { failure } from './failure-shape.ts'
import { edit, filled } from './packed-value-shape.ts'
import { numberList, responseBody } from './response-body-shape.ts'

const sha256 = matching(/^[0-9a-f]{64}$/, 'a SHA-256 in 64 hex digits')
const instantText = matching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/, 'a UTC date and time with milliseconds')
const sentence = matching(/\S/, 'a sentence')
const featureName = matching(/^[a-z][a-z0-9-]{0,63}$/, 'the name of a feature')

/** As HTTP/2 has them, and as the canonical request looks for them. */
const headerName = matching(/^[!#$%&'*+.^_`|~0-9a-z-]+$/, 'a header name in lower case')

/** A date that there is: replayed tests set their clock to it. */
const instant: Shape = (value) => {
  const found = instantText(value)
  if (found !== undefined) return found
  const date = new Date(value as string)
  return Number.isNaN(date.getTime()) || date.toISOString() !== value ? problem('there is no such date') : undefined
}

const part = { name: string, filename: optional(string), type: optional(string) }
const requestBody = byMember({
  json: object({ json, ...filled }),
  text: object({ text: string }),
  lines: object({ lines: someOf(string) }),
  parts: object({
    parts: array(
      byMember({ text: object({ ...part, text: string }), sha256: object({ ...part, sha256, bytes: count }) }),
    ),
  }),
  sha256: object({ sha256, bytes: count }),
})

const interactionBase = {
  number: count,
  kind: string,
  lane: optional(string),
  overlaps: optional(array(count)),
  optional: optional(oneOf(true)),
  unverifiable: optional(sentence),
  substituted: optional(sentence),
  incomplete: optional(sentence),
  hash: sha256,
  timing: object({ startMs: count, headMs: optional(count) }),
}

const headers = optional(namedBy(headerName, string))
const wholeRequest = object({ method: string, url: string, headers, body: optional(requestBody) })
const likeRequest = object({
  like: count,
  method: optional(string),
  url: optional(string),
  headers,
  edits: optional(array(edit)),
  ...filled,
})

const httpRequest: Shape = (value) =>
  (typeof value === 'object' && value !== null && 'like' in value ? likeRequest : wholeRequest)(value)

const httpMembers = {
  ...interactionBase,
  request: httpRequest,
  response: optional(
    object({
      status: countWithin(200, 999),
      statusText: optional(string),
      url: optional(string),
      redirected: optional(oneOf(true)),
      headers: array(tuple(headerName, string)),
      body: optional(responseBody),
    }),
  ),
  failure: optional(failure),
}
const httpInteraction = object(httpMembers)
const modelCall = object({ ...httpMembers, fold: optional(oneOf(true)) })

const sync = optional(oneOf(true))
const valueInteraction = object({
  ...interactionBase,
  callId: optional(string),
  request: object({ name: string, input: json, ...filled }),
  result: byMember({
    value: object({ value: json, sync, ...filled }),
    undefined: object({ undefined: oneOf(true), sync }),
    elements: object({ elements: array(json), gapsMs: optional(numberList), error: optional(failure) }),
    error: object({ error: failure, sync }),
  }),
})

/** The whole document. What relates members to each other is not a shape: see `cassette-rules.ts`. */
export const cassetteShape: Shape = object({
  format: string,
  requires: optional(someOf(featureName)),
  test: string,
  provenance: byTag('kind', {
    live: object({ kind: string }),
    imported: object({ kind: string, from: string }),
    derived: object({ kind: string, reason: string }),
  }),
  recordedAt: instant,
  recordedWith: record(string),
  interactions: array(
    byTag('kind', { model: modelCall, http: httpInteraction, tool: valueInteraction, call: valueInteraction }),
  ),
})
