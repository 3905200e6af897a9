/** How much a packed body will be, counted without unfolding it (F20): a small file must not become a huge one. */
import { columnSize } from './columns.ts'
import type { StreamEvent } from './document.ts'
import { measureNumbers } from './number-list.ts'
import { eventCount, isRun } from './pack-events.ts'
import { type EventRun, hole, type PackedBody, type PackedEvent } from './packed-document.ts'
import { renderEvent } from './stream-events.ts'

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
  return body.events.reduce((total, item) => total + (isRun(item) ? leastRunBytes(item, body) : 0), 0)
}

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

function leastRunBytes(run: EventRun, body: Extract<PackedBody, { events: unknown }>): number {
  const { run: count, columns, between = [], layout: _layout, ...pattern } = run
  const { events: _events, layout: _common, ...stream } = body
  const varying = Object.values(columns)
  const text = renderEvent(pattern as unknown as StreamEvent, stream, 1)
  // A hole is one character between quotes, three bytes; what fills it may be no string.
  const fixed = Math.max(1, Buffer.byteLength(text) - varying.length * (Buffer.byteLength(hole) + 2))
  const others = between.reduce((total, [, other]) => total + (isRun(other) ? leastRunBytes(other, body) : 0), 0)
  return others + count * fixed + varying.reduce((total, column) => total + columnSize(column, count), 0)
}
