/** The events of a stream with their runs folded: which events belong to one run, and whether folding them pays (F9). */
import { packColumn, unpackColumn } from './columns.ts'
import type { JsonLayout, StreamEvent } from './document.ts'
import { type EventRow, packRun, rowOf, unpackRun } from './event-runs.ts'
import type { Between, Column, EventRun, PackedEvent, SingleEvent } from './packed-document.ts'

/** Fewer events of one shape read better as they are. */
const leastRun = 3

/** So many events of other shapes in a row do not end a run; where shapes alternate, so many. */
const mostBetween = 2
const mostAlternating = 8

/** Fewer alternating events of one shape are not worth the puzzle. */
const leastAlternating = 8

export function packEvents(events: readonly StreamEvent[], layout: JsonLayout | undefined): readonly PackedEvent[] {
  const padded = events.some((event) => 'data' in event && event.layout?.pad !== undefined)
  const rows = events.map((event) => rowOf(event, { layout, padded }))
  const packed: PackedEvent[] = []
  for (let start = 0; start < events.length; ) {
    const run = longestRun({ events, rows, layout, start })
    packed.push(...(run === undefined ? [events[start] as StreamEvent] : run.packed))
    start = run?.end ?? start + 1
  }
  return packed
}

/** All events of a stream again. */
export function unpackEvents(packed: readonly PackedEvent[], layout: JsonLayout | undefined): readonly StreamEvent[] {
  return packed.flatMap((item) => (isRun(item) ? withBetween(unpackRun(item, layout), item, layout) : [item]))
}

export function isRunBetween(item: Between): item is readonly [after: Column, run: EventRun] {
  return 'run' in item[1]
}

export function isRun(item: PackedEvent): item is EventRun {
  return 'run' in item
}

/** True where runs alternate: then the numbers of its single events are nobody's business. */
export function isAlternating({ between = [] }: EventRun): boolean {
  return between.some(isRunBetween)
}

/** How many events this stands for, counted without unfolding it. */
export function eventCount(item: PackedEvent): number {
  if (!isRun(item)) return 1
  let total = item.run
  if (item.between !== undefined) for (const [, other] of item.between) total += eventCount(other)
  return total
}

interface Stream {
  readonly events: readonly StreamEvent[]
  readonly rows: readonly (EventRow | undefined)[]
  readonly layout: JsonLayout | undefined
  readonly start: number
}

interface FoldedRun {
  readonly packed: readonly PackedEvent[]
  /** Index of the first event after it. */
  readonly end: number
}

/** What begins at `start`: a run with interruptions, one without, or one with which others alternate; undefined for none. */
function longestRun(stream: Stream): FoldedRun | undefined {
  const members = membersFrom(stream, mostBetween)
  const adjacent = members.filter((index, at) => index === stream.start + at)
  const end = (all: readonly number[]): number => (all.at(-1) as number) + 1
  if (members.length >= leastRun) {
    const others = end(members) - stream.start - members.length
    const whole = others * 4 <= members.length ? fold(stream, members, singlesBetween) : undefined
    if (whole !== undefined) return { packed: [whole], end: end(members) }
  }
  const alternating = adjacent.length >= leastAlternating ? [] : membersFrom(stream, mostAlternating)
  if (alternating.length >= leastAlternating) {
    const whole = fold(stream, alternating, runsBetween)
    if (whole !== undefined) return { packed: [whole], end: end(alternating) }
  }
  if (adjacent.length < leastRun) return undefined
  const plain = fold(stream, adjacent, singlesBetween)
  // Not worth it: it would not be from the next event on, either.
  return {
    packed: plain === undefined ? stream.events.slice(stream.start, end(adjacent)) : [plain],
    end: end(adjacent),
  }
}

function membersFrom({ rows, start }: Stream, most: number): readonly number[] {
  const shape = rows[start]?.shape
  if (shape === undefined) return []
  const members = [start]
  for (let index = start + 1; index < rows.length; index += 1) {
    if (rows[index]?.shape === shape) members.push(index)
    else if (index - (members.at(-1) as number) > most) break
  }
  return members
}

/** An event that is no member, and after how many of them it stands. */
interface Other {
  readonly after: number
  readonly index: number
}

type BetweenOf = (stream: Stream, others: readonly Other[]) => readonly Between[]

/** Folded, if that is shorter, and gives back the very same events. */
function fold(stream: Stream, members: readonly number[], betweenOf: BetweenOf): EventRun | undefined {
  const { events, rows, layout, start } = stream
  const run = packRun(members.map((index) => rows[index] as EventRow))
  if (run === undefined) return undefined
  const others: Other[] = []
  for (const [at, index] of members.entries()) {
    const next = members[at + 1] ?? index + 1
    for (let other = index + 1; other < next; other += 1) others.push({ after: at + 1, index: other })
  }
  const folded: EventRun = others.length === 0 ? run : { ...run, between: betweenOf(stream, others) }
  const text = JSON.stringify(events.slice(start, (members.at(-1) as number) + 1))
  if (JSON.stringify(folded).length >= text.length) return undefined
  return JSON.stringify(unpackEvents([folded], layout)) === text ? folded : undefined
}

const singlesBetween: BetweenOf = ({ events }, others) =>
  others.map(({ after, index }) => [after, events[index] as StreamEvent])

/** What alternates is runs again, as far as it can be. */
const runsBetween: BetweenOf = (stream, others) => {
  const groups = new Map<string, Other[]>()
  for (const other of others) {
    const key = stream.rows[other.index]?.shape ?? `${other.index}`
    groups.set(key, [...(groups.get(key) ?? []), other])
  }
  const all = [...groups.values()].flatMap((group): readonly Between[] => {
    const run = group.length < leastRun ? undefined : packRun(group.map(({ index }) => stream.rows[index] as EventRow))
    const after = packColumn(group.map((other) => ({ value: other.after })))?.column
    return run === undefined || after === undefined ? singlesBetween(stream, group) : [[after, run]]
  })
  // Single events alone stand in their own order.
  return all.some(isRunBetween) ? all : singlesBetween(stream, others)
}

function withBetween(
  events: readonly StreamEvent[],
  run: EventRun,
  layout: JsonLayout | undefined,
): readonly StreamEvent[] {
  const others = (run.between ?? []).flatMap((item) => {
    if (!isRunBetween(item)) return [{ after: item[0], event: withoutSame(item[1]) }]
    const places = unpackColumn(item[0], item[1].run)
    return unpackRun(item[1], layout).map((event, index) => ({ after: Number(places[index]?.value), event }))
  })
  if (others.length === 0) return events
  // Sorting is stable: of those in one place, the ones named first come first.
  others.sort((one, other) => one.after - other.after)
  const all: StreamEvent[] = []
  let start = 0
  for (const { after, event } of others) {
    for (; start < after; start += 1) all.push(events[start] as StreamEvent)
    all.push(event)
  }
  return [...all, ...events.slice(start)]
}

function withoutSame(event: SingleEvent): StreamEvent {
  const { same: _same, ...plain } = event as StreamEvent & { readonly same?: unknown }
  return plain as StreamEvent
}
