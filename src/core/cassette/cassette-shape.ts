/** The shape of a cassette, member by member: what `document.ts` says in types, said to data that nobody trusts (promise 8). */
import { isJsonBlank, maxTailLength } from './json-layout.ts'
import {
  array,
  byMember,
  byTag,
  count,
  countWithin,
  either,
  json,
  matching,
  object,
  oneOf,
  optional,
  problem,
  record,
  type Shape,
  string,
  tuple,
} from './shape.ts'

const sha256 = matching(/^[0-9a-f]{64}$/, 'a SHA-256 in 64 hex digits')
const whenIso = matching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/, 'a UTC date and time with milliseconds')
const base64 = matching(/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/, 'base64')

/** Nothing but a name: no separators, so that it cannot leave the folder of side files (F19). */
const sideFileName = matching(/^[0-9a-f]{64}\.[a-z0-9]{1,16}$/, 'a side file name, <SHA-256>.<extension>')

/** A cause refers to itself, so the shape is a function declared before its parts. */
const failure: Shape = (value) => failureMembers(value)
const failureMembers = object({
  stage: oneOf('connect', 'request', 'headers', 'body', 'value'),
  name: string,
  message: string,
  code: optional(string),
  details: optional(record(json)),
  cause: optional((value) => boundedCause(value)),
})

/** No real chain is longer; the bound keeps a hostile one from overflowing the stack. */
const maxCauses = 32

function boundedCause(value: unknown): ReturnType<Shape> {
  let depth = 0
  for (let cause = value; typeof cause === 'object' && cause !== null; depth += 1) {
    if (depth >= maxCauses) return problem(`it has a chain of more than ${maxCauses} causes`)
    cause = (cause as { readonly cause?: unknown }).cause
  }
  return failure(value)
}

const requestBody = byMember({
  json: object({ json }),
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

function blank(most: number): Shape {
  return (value) =>
    typeof value === 'string' && value.length <= most && isJsonBlank(value)
      ? undefined
      : problem(`it must be white space of at most ${most} characters`)
}

const flatLayout = {
  comma: optional(blank(16)),
  colon: optional(blank(16)),
  escape: optional(oneOf('ascii')),
  tail: optional(blank(maxTailLength)),
}

/** `JSON.stringify` indents by at most ten, and one layout for many events must not unfold a small file to a large stream. */
const jsonLayout = object({ indent: optional(either(blank(10), countWithin(1, 10))), ...flatLayout })

const eventHead = { event: optional(string), id: optional(string) }
const streamEvent = byMember({
  data: object({ ...eventHead, data: json }),
  text: object({ ...eventHead, text: string }),
  raw: object({ raw: string }),
})

const chunks = {
  gapsMs: optional(array(count)),
  end: optional(
    byTag('kind', {
      complete: object({ kind: string }),
      failed: object({ kind: string, failure }),
      aborted: object({ kind: string }),
      partial: object({ kind: string }),
    }),
  ),
}
const byteCuts = object({ bytes: array(count) })
const cutChunks = { cuts: optional(byteCuts), ...chunks }

const responseBody = byMember({
  json: object({ json, layout: optional(jsonLayout), ...cutChunks }),
  text: object({ text: string, ...cutChunks }),
  lines: object({ lines: array(string), ...cutChunks }),
  events: object({
    framing: oneOf('sse', 'ndjson'),
    layout: optional(object(flatLayout)),
    events: array(streamEvent),
    cuts: optional(byMember({ events: object({ events: array(count) }), bytes: byteCuts })),
    ...chunks,
  }),
  base64: object({ base64, ...cutChunks }),
  file: object({ file: sideFileName, sha256, bytes: count, ...cutChunks }),
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

const httpInteraction = object({
  ...interactionBase,
  request: object({ method: string, url: string, headers: optional(record(string)), body: optional(requestBody) }),
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
  request: object({ name: string, input: json }),
  result: byMember({
    value: object({ value: json, sync }),
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
