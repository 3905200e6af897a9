/** The shape of a packed response body: layouts, events, runs and columns, cuts and gaps (F5, F8, F9). */

import { isEscapable, isJsonBlank } from '../../json-layout.ts'
import { isRepeat } from '../../number-list.ts'
import { hole } from '../../packed-document.ts'
import {
  array,
  byMember,
  byTag,
  count,
  countWithin,
  either,
  integer,
  json,
  matching,
  number,
  object,
  oneOf,
  optional,
  problem,
  type Shape,
  someOf,
  string,
  tuple,
} from '../../shape.ts'
import { failure } from './failure-shape.ts'
import { maxEvents, maxOddNumbers, maxTailLength } from './limits.ts'
import { byPointer, filled } from './packed-value-shape.ts'

const sha256 = matching(/^[0-9a-f]{64}$/, 'a SHA-256 in 64 hex digits')
const base64 = matching(/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/, 'base64')

/** Nothing but a name: no separators, so that it cannot leave the folder of side files (F19). */
const sideFileName = matching(/^[0-9a-f]{64}\.[a-z0-9]{1,16}$/, 'a side file name, <SHA-256>.<extension>')

function blank(most: number): Shape {
  return (value) =>
    typeof value === 'string' && value.length <= most && isJsonBlank(value)
      ? undefined
      : problem(`it must be white space of at most ${most} characters`)
}

const escapable: Shape = (value) =>
  typeof value === 'string' && [...value].every(isEscapable)
    ? undefined
    : problem('it must hold only characters that stand in strings alone')

const numberText = matching(/^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/, 'a JSON number')

const spellings = byPointer(numberText)
const oddNumbers: Shape = (value) =>
  Object.keys(Object(value)).length > maxOddNumbers ? problem(`it has more than ${maxOddNumbers}`) : spellings(value)

const flatLayout = {
  comma: optional(blank(16)),
  colon: optional(blank(16)),
  pad: optional(countWithin(1, maxTailLength)),
  escape: optional(oneOf('ascii')),
  escapeAlso: optional(escapable),
  hex: optional(oneOf('upper')),
  numbers: optional(oddNumbers),
  tail: optional(blank(maxTailLength)),
}

/** `JSON.stringify` indents by at most ten, and one layout for many events must not unfold a small file to a large stream. */
const jsonLayout = object({ indent: optional(either(blank(10), countWithin(1, 10))), ...flatLayout })

const eventHead = { event: optional(string), id: optional(string) }
/** A run may have as many events as `maxEvents`, and no column takes more. */
function eventShape(layout: Shape): Shape {
  const single = byMember({
    data: object({ ...eventHead, data: json, layout: optional(layout), ...filled }),
    text: object({ ...eventHead, text: string }),
    raw: object({ raw: string }),
  })
  const runMembers = {
    run: countWithin(1, maxEvents),
    ...eventHead,
    data: optional(json),
    text: optional(string),
    layout: optional(object({ ...flatLayout, indent: optional(json), pad: optional(either(oneOf(hole), pad)) })),
    columns: byPointer(column),
  }
  const alternating = tuple(column, object(runMembers))
  const interrupting = tuple(count, single)
  const between: Shape = (value) =>
    (Array.isArray(value) && typeof value[0] === 'number' ? interrupting : alternating)(value)
  const run = object({ ...runMembers, between: optional(array(between)) })
  return (value) => (typeof value === 'object' && value !== null && 'run' in value ? run : single)(value)
}

const pad = countWithin(0, maxTailLength)

const columnForms = byMember({
  from: object({ from: integer, step: integer }),
  each: object({ each: array(json), times: array(count) }),
  numbers: object({ numbers: array(either(numberText, number)) }),
  grows: object({ grows: array(string) }),
})
const columnList = array(json)
const column: Shape = (value) => (Array.isArray(value) ? columnList : columnForms)(value)

const repeated: Shape = (value) => (isRepeat(value) ? undefined : problem('it must be a number, or such as "0 x 12"'))
/** Whole numbers, zero or more; equal ones in a row may be told as one. */
export const numberList = array(either(repeated, count))

const chunks = {
  gapsMs: optional(numberList),
  end: optional(
    byTag('kind', {
      failed: object({ kind: string, failure }),
      aborted: object({ kind: string }),
      partial: object({ kind: string }),
    }),
  ),
}
const byteCuts = object({ bytes: numberList })
const cutChunks = { cuts: optional(byteCuts), ...chunks }

const lineEnd = optional(oneOf('\r\n', '\r'))
const eventStream = {
  framing: string,
  cuts: optional(byMember({ events: object({ events: numberList }), bytes: byteCuts })),
  ...chunks,
}
const lineLayout = object(flatLayout)
const stream = { ...eventStream, layout: optional(lineLayout), events: array(eventShape(lineLayout)) }
const arrayStream = { ...eventStream, layout: optional(jsonLayout), events: array(eventShape(jsonLayout)) }

export const responseBody = byMember({
  json: object({ json, ...filled, layout: optional(jsonLayout), ...cutChunks }),
  text: object({ text: string, ...cutChunks }),
  lines: object({ lines: someOf(string), ...cutChunks }),
  framing: byTag('framing', {
    sse: object({ ...stream, lineEnd, fieldBlank: optional(oneOf('')), fieldOrder: optional(oneOf('data first')) }),
    ndjson: object({ ...stream, lineEnd }),
    'json-array': object({
      ...arrayStream,
      between: matching(/^[ \t\r\n]{0,64},[ \t\r\n]{0,64}$/, 'a comma and white space'),
    }),
  }),
  base64: object({ base64, ...cutChunks }),
  file: object({ file: sideFileName, sha256, bytes: count, ...cutChunks }),
})
