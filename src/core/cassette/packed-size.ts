/** How much a packed body will be, counted without unfolding it (F20): a small file must not become a huge one. */
import { columnSize } from './columns.ts'
import type { Json } from './document.ts'
import { measureNumbers } from './number-list.ts'
import { eventCount, isRun } from './pack-events.ts'
import { type EventRun, hole, type PackedBody, type PackedEvent } from './packed-document.ts'

export function packedChunkCount(body: PackedBody): number {
  if (body.cuts !== undefined) {
    return measureNumbers('events' in body.cuts ? body.cuts.events : body.cuts.bytes).count
  }
  return 'events' in body ? packedEventCount(body) : 1
}

export function packedEventCount({ events }: Extract<PackedBody, { events: unknown }>): number {
  return events.reduce((total, item) => total + eventCount(item), 0)
}

/** No stream takes fewer bytes than this; it may take more. */
export function leastStreamBytes(body: Extract<PackedBody, { events: unknown }>): number {
  return body.events.reduce((total, item) => total + (isRun(item) ? leastRunBytes(item) : 0), 0)
}

/** About how much memory a body takes at least when it is unfolded: its text, and objects for its events and chunks. */
export function unfoldedBytes(body: PackedBody): number {
  const stream = 'events' in body ? leastStreamBytes(body) + packedEventCount(body) * eventBytes : 0
  return stream + packedChunkCount(body) * chunkBytes
}

const eventBytes = 1024
const chunkBytes = 32

/** True where the body may be larger than what stands in the file for it. */
export function mayGrow(body: PackedBody): boolean {
  if ('layout' in body || 'file' in body || 'same' in body) return true
  return 'events' in body && body.events.some((item) => isRun(item) || 'layout' in item || 'same' in item)
}

/**
 * No body takes more bytes than this; infinite where only counting can tell.
 * `file`: bytes of the whole cassette. `added`: bytes that the body takes from elsewhere in it.
 */
export function mostBytes(
  body: PackedBody,
  { file, added }: { readonly file: number; readonly added: number },
): number {
  if ('file' in body) return body.bytes
  const own = (file + added) * mostEscaped
  if (!('events' in body)) return 'layout' in body ? Number.POSITIVE_INFINITY : own
  if (body.framing === 'json-array') return Number.POSITIVE_INFINITY
  return body.events.reduce((total, item) => total + mostEventBytes(item), own)
}

/** An escape takes six bytes for a character of one. */
const mostEscaped = 6

/** A pad and a tail. */
const mostBlanks = 512

function mostEventBytes(item: PackedEvent): number {
  if (!isRun(item)) return mostBlanks
  const { run, columns, between = [], ...pattern } = item
  const others = between.reduce((total, [, other]) => total + mostEventBytes(other), 0)
  const own = others + run * (JSON.stringify(pattern).length * mostEscaped + mostBlanks)
  return Object.values(columns).reduce((total, column) => total + columnSize(column, run) * mostEscaped + run * 24, own)
}

function leastRunBytes(run: EventRun): number {
  const { run: count, columns, between = [], data, text } = run
  const fixed = Math.max(1, leastTextBytes(data ?? text ?? ''))
  const others = between.reduce((total, [, other]) => total + (isRun(other) ? leastRunBytes(other) : 0), 0)
  return others + count * fixed + Object.values(columns).reduce((total, column) => total + columnSize(column, count), 0)
}

/** The characters of its names and strings; a hole may be filled with nothing. Brackets, quotes and numbers come on top. */
function leastTextBytes(value: Json): number {
  if (typeof value === 'string') return value.length - (value.includes(hole) ? hole.length : 0)
  if (typeof value !== 'object' || value === null) return 1
  let bytes = 0
  for (const name of Object.keys(value)) {
    if (!Array.isArray(value)) bytes += name.length
    bytes += leastTextBytes((value as { readonly [name: string]: Json })[name] as Json)
  }
  return bytes
}
