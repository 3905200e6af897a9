/** How much a packed body will be, told without unfolding it (F20): a small file must not become a huge one. */
import { columnSize } from './columns.ts'
import type { Json, JsonLayout } from './document.ts'
import { measureNumbers } from './number-list.ts'
import { eventCount, isRun } from './pack-events.ts'
import { type Column, type EventRun, hole, type PackedBody, type PackedEvent } from './packed-document.ts'

export type PackedStream = Extract<PackedBody, { events: unknown }>

export function packedChunkCount(body: PackedBody): number {
  if (body.cuts !== undefined) {
    return measureNumbers('events' in body.cuts ? body.cuts.events : body.cuts.bytes).count
  }
  return 'events' in body ? packedEventCount(body) : 1
}

export function packedEventCount({ events }: PackedStream): number {
  let total = 0
  for (const item of events) total += eventCount(item)
  return total
}

/** No stream takes fewer bytes than this; it may take more. */
export function leastStreamBytes(body: PackedStream): number {
  return body.events.reduce((total, item) => total + (isRun(item) ? leastRunBytes(item) : 0), 0)
}

/** What an event and a chunk take in memory at least, beside their text. */
export const eventBytes = 1024
export const chunkBytes = 32

/** About how much memory a body takes at least when it is unfolded: its text, and objects for its events and chunks. */
export function unfoldedBytes(body: PackedBody): number {
  const stream = 'events' in body ? leastStreamBytes(body) + packedEventCount(body) * eventBytes : 0
  return stream + packedChunkCount(body) * chunkBytes
}

export interface StreamSize {
  /** What `mostAddedBytes` says. */
  readonly added: number
  readonly fileBytes: number
  readonly enough: number
}

/**
 * No stream takes more bytes than this, what it takes from elsewhere in the file apart; infinite where only counting can tell.
 * Its own values are looked at only where the size of the whole file does not show that it takes `enough` or less.
 */
export function mostStreamBytes(body: PackedStream, { added, fileBytes, enough }: StreamSize): number {
  const most = fileBytes * mostEscaped + added
  return most <= enough || added > enough ? most : Math.min(most, mostOwnBytes(body) + added)
}

/** An escape takes six bytes for a character of one, and so does a character with white space after it. */
export const mostEscaped = 6

/** Beyond six bytes for each character that stands in the file for the stream. Looks at no column whose values stand there but once. */
export function mostAddedBytes({ events, layout, between = '' }: PackedStream): number {
  const context = { layout, around: mostFrameBytes + between.length + mostBlanks(layout) }
  let total = 0
  for (const item of events) total += mostItemBytes(item, context)
  return total
}

/** What stands round the data of an event, other than in the file: names of fields, line ends. */
const mostFrameBytes = 32

interface ItemContext {
  readonly layout: JsonLayout | undefined
  /** What stands round the data of each event, other than in the file, its own layout apart. */
  readonly around: number
}

function mostItemBytes(item: PackedEvent, context: ItemContext): number {
  const own = 'layout' in item ? item.layout : undefined
  const beside = context.around + mostBlanks(own)
  if (!isRun(item)) return beside
  const { run, columns, between = [], event, id, data, text } = item
  let added = 0
  for (const [, other] of between) added += mostItemBytes(other, context)
  for (const column of Object.values(columns)) added += mostColumnBytes(column, run)
  const pattern = JSON.stringify([event, id, data, text, own])
  const isCompact = own === undefined && context.layout === undefined && text === undefined
  return added + run * ((isCompact ? Buffer.byteLength(pattern) : pattern.length * mostEscaped) + beside)
}

/** What a layout adds to an event, its escapes and a few blanks a character apart. */
function mostBlanks(layout: JsonLayout | undefined): number {
  if (layout === undefined) return 0
  const { indent, comma = '', colon = '', pad, tail } = layout
  if (indent !== undefined || !isShortBlank(comma) || !isShortBlank(colon)) return Number.POSITIVE_INFINITY
  return pad === undefined && tail === undefined ? 0 : mostPadAndTail
}

function isShortBlank(text: string): boolean {
  return text.length < mostEscaped && !text.includes('\n')
}

/** A line feed in a payload begins a field anew: `\r\ndata: `. */
const mostLineFeed = 8
const mostPadAndTail = 256 + 256 * mostLineFeed

/** A counter stands in the file once, a value that is repeated or goes on growing as well. */
function mostColumnBytes(column: Column, count: number): number {
  if ('from' in column) return count * longestNumber
  return 'each' in column || 'grows' in column ? mostValueBytes(column, count) : 0
}

function mostValueBytes(column: Column, count: number): number {
  if ('numbers' in column) return JSON.stringify(column.numbers).length
  return columnSize(column, count) * mostLineFeed + count * longestNumber
}

/** Of those that ECMAScript spells. */
const longestNumber = 25

/** The bytes of all that stands in the file for the stream. */
function mostOwnBytes({ events }: PackedStream): number {
  let total = 0
  for (const item of events) {
    if (!isRun(item)) total += JSON.stringify(item).length * mostEscaped
    else total += mostOwnRunBytes(item)
  }
  return total
}

function mostOwnRunBytes({ run, columns, between = [] }: EventRun): number {
  let total = 0
  for (const column of Object.values(columns)) total += mostValueBytes(column, run)
  for (const [, other] of between) {
    total += isRun(other) ? mostOwnRunBytes(other) : JSON.stringify(other).length * mostEscaped
  }
  return total
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
