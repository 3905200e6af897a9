/** The shape of a cassette, member by member: what `packed-document.ts` says in types, said to data that nobody trusts (promise 8). */
import { failure } from './failure-shape.ts'
import { edit, filled } from './packed-value-shape.ts'
import { responseBody } from './response-body-shape.ts'
import {
  array,
  byMember,
  byTag,
  count,
  countWithin,
  json,
  matching,
  object,
  oneOf,
  optional,
  record,
  type Shape,
  string,
  tuple,
} from './shape.ts'

const sha256 = matching(/^[0-9a-f]{64}$/, 'a SHA-256 in 64 hex digits')
const whenIso = matching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/, 'a UTC date and time with milliseconds')
const requestBody = byMember({
  json: object({ json, ...filled }),
  text: object({ text: string }),
  lines: object({ lines: array(string) }),
  parts: object({
    parts: array(
      object({
        name: string,
        filename: optional(string),
        type: optional(string),
        text: optional(string),
        sha256: optional(sha256),
        bytes: optional(count),
      }),
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
  hash: sha256,
  timing: object({ startMs: count, headMs: optional(count) }),
}

const headers = optional(record(string))
const wholeRequest = object({ method: string, url: string, headers, body: optional(requestBody) })
const likeRequest = object({
  like: count,
  method: optional(string),
  url: optional(string),
  headers,
  edits: optional(array(edit)),
  ...filled,
})

const httpInteraction = object({
  ...interactionBase,
  fold: optional(oneOf(true)),
  request: (value) =>
    (typeof value === 'object' && value !== null && 'like' in value ? likeRequest : wholeRequest)(value),
  response: optional(
    object({
      status: countWithin(100, 599),
      statusText: optional(string),
      url: optional(string),
      redirected: optional(oneOf(true)),
      headers: array(tuple(string, string)),
      body: optional(responseBody),
    }),
  ),
  failure: optional(failure),
})

const sync = optional(oneOf(true))
const valueInteraction = object({
  ...interactionBase,
  callId: optional(string),
  request: object({ name: string, input: json, ...filled }),
  result: byMember({
    value: object({ value: json, sync, ...filled }),
    undefined: object({ undefined: oneOf(true), sync }),
    elements: object({ elements: array(json), error: optional(failure) }),
    error: object({ error: failure, sync }),
  }),
})

/** The whole document. What relates members to each other is not a shape: see `cassette-rules.ts`. */
export const cassetteShape: Shape = object({
  format: string,
  test: string,
  provenance: byTag('kind', {
    live: object({ kind: string }),
    imported: object({ kind: string, from: string }),
    derived: object({ kind: string, reason: string }),
  }),
  recordedAt: whenIso,
  recordedWith: record(string),
  interactions: array(
    byTag('kind', { model: httpInteraction, http: httpInteraction, tool: valueInteraction, call: valueInteraction }),
  ),
})
