/**
 * The texts of a stream's events straight from what stands in the file (F9): a run is rendered once, and each of its events is
 * that with the values of its columns in between. What cannot be told so is unpacked and rendered, one run at a time.
 */
import { unpackColumn } from './columns.ts'
import type { EventFrame, Json, JsonLayout, ResponseBody } from './document.ts'
import { padPointer } from './event-runs.ts'
import { orderLayout, renderJson } from './json-layout.ts'
import { pointerPath } from './json-pointer.ts'
import { isAlternating, isRun, unpackEvents } from './pack-events.ts'
import { type Column, type EventRun, hole, type PackedEvent, type SingleBetween } from './packed-document.ts'
import { renderEvent } from './stream-events.ts'

type PackedStream = EventFrame & { readonly layout?: JsonLayout; readonly events: readonly PackedEvent[] }

const packedStreams = new WeakMap<object, PackedStream>()

/** Keeps in mind how a body stands in the file. */
export function keepPacked(body: object, packed: PackedStream): void {
  packedStreams.set(body, packed)
}

/** How a body that was read from a file stands there. */
export function packedOf(body: object): PackedStream | undefined {
  return packedStreams.get(body)
}

/** The texts of all events of a body that was read from a file; undefined where they are to be made of the events. */
export function packedTexts(body: ResponseBody): readonly string[] | undefined {
  const packed = packedOf(body)
  return packed === undefined ? undefined : eventTexts(packed)
}

/** Undefined where only the events can tell: of elements that stand in an array, and of values that stand elsewhere in the file. */
function eventTexts(stream: PackedStream): readonly string[] | undefined {
  if (stream.framing === 'json-array' || stream.events.some(takesFromElsewhere)) return undefined
  return stream.events.flatMap((item) => {
    const texts = isRun(item) && !isAlternating(item) ? runTexts(item, stream) : undefined
    if (texts !== undefined) return withBetween(texts, item as EventRun, stream)
    return unpackEvents([item], stream.layout).map((event) => renderEvent(event, stream, 0))
  })
}

/** Its values are not all here: some stand elsewhere in the file. */
export function takesFromElsewhere(item: PackedEvent): boolean {
  return isRun(item) ? (item.between ?? []).some(([, other]) => 'same' in other) : 'same' in item
}

function withBetween(texts: readonly string[], { between = [] }: EventRun, stream: PackedStream): readonly string[] {
  if (between.length === 0) return texts
  const all: string[] = []
  let start = 0
  for (const [after, event] of between as readonly SingleBetween[]) {
    for (; start < after; start += 1) all.push(texts[start] as string)
    all.push(renderEvent(event, stream, 0))
  }
  return [...all, ...texts.slice(start)]
}

/** Undefined for a run of which more varies than scalars of its data and its pad. */
function runTexts(run: EventRun, stream: PackedStream): readonly string[] | undefined {
  const { [padPointer]: padColumn, ...columns } = run.columns
  const template = hasPlainLayout(run, stream) ? templateOf(run, columns, stream) : undefined
  if (template === undefined) return undefined
  const { pieces } = template
  const fills = template.fills.map((fill) => fillTexts(fill, run.run, stream.layout))
  const pads = padColumn === undefined ? undefined : unpackColumn(padColumn, run.run)
  const texts: string[] = []
  for (let index = 0; index < run.run; index += 1) {
    let payload = pieces[0] as string
    for (let at = 0; at < fills.length; at += 1) payload += `${fills[at]?.[index]}${pieces[at + 1]}`
    const pad = pads === undefined ? 0 : Number(pads[index]?.value)
    if (pad > 0) payload = `${payload.slice(0, -1)}${' '.repeat(pad)}${payload.slice(-1)}`
    texts.push(template.before + payload + template.after)
  }
  return texts
}

/** The layout of the stream, with or without a pad that varies. */
function hasPlainLayout({ layout, columns }: EventRun, stream: PackedStream): boolean {
  const { pad, numbers, tail } = stream.layout ?? {}
  if (pad !== undefined || numbers !== undefined || tail !== undefined) return false
  if (layout === undefined) return columns[padPointer] === undefined
  const { pad: own, ...spacing } = layout
  return (
    (own as unknown) === hole &&
    JSON.stringify(orderLayout(spacing)) === JSON.stringify(orderLayout(stream.layout ?? {}))
  )
}

interface Fill {
  readonly column: Column
  readonly prefix: string
  readonly suffix: string
}

interface Template {
  /** What stands around the payload. */
  readonly before: string
  readonly after: string
  /** The payload, cut where the columns go: one piece more than there are fills. */
  readonly pieces: readonly string[]
  readonly fills: readonly Fill[]
}

function templateOf(run: EventRun, columns: EventRun['columns'], stream: PackedStream): Template | undefined {
  const { event, id, data } = run
  if (data === undefined) return undefined
  const marked = JSON.parse(JSON.stringify(data)) as Json
  const marks = Object.entries(columns).map(([pointer, column], index) => {
    const mark = `turntapeFill${index}End`
    return { mark: JSON.stringify(mark), fill: markPlace(marked, { pointer, column, mark }) }
  })
  const payload = renderJson(marked, stream.layout)
  const wrapped = { ...(event !== undefined && { event }), ...(id !== undefined && { id }), text: 'turntapePayload' }
  const around = renderEvent(wrapped, stream, 0).split('turntapePayload')
  const inOrder = marks.sort((one, other) => payload.indexOf(one.mark) - payload.indexOf(other.mark))
  const pieces = cutAt(
    payload,
    inOrder.map(({ mark }) => mark),
  )
  const fills = inOrder.flatMap(({ fill }) => fill ?? [])
  if (pieces === undefined || around.length !== 2 || fills.length !== marks.length) return undefined
  return { before: around[0] as string, after: around[1] as string, pieces, fills }
}

interface Place {
  readonly pointer: string
  readonly column: Column
  readonly mark: string
}

/** Puts the mark where the column goes. */
function markPlace(root: Json, { pointer, column, mark }: Place): Fill | undefined {
  const [first, ...path] = pointerPath(pointer) ?? []
  const last = path.pop()
  if (first !== 'data' || last === undefined || 'numbers' in column) return undefined
  let node = root as unknown as Record<string, Json>
  for (const step of path) node = node[step] as unknown as Record<string, Json>
  const [prefix = '', suffix = ''] = String(node[last]).split(hole)
  node[last] = mark
  return { column, prefix, suffix }
}

/** Undefined where a mark does not stand there exactly once, or a line ends in the text. */
function cutAt(text: string, marks: readonly string[]): readonly string[] | undefined {
  if (text.includes('\n')) return undefined
  const pieces: string[] = []
  let rest = text
  for (const mark of marks) {
    const [before = '', ...after] = rest.split(mark)
    if (after.length !== 1) return undefined
    pieces.push(before)
    rest = after[0] as string
  }
  return [...pieces, rest]
}

function fillTexts({ column, prefix, suffix }: Fill, count: number, layout: JsonLayout | undefined): readonly string[] {
  const write = (value: Json): string => renderJson(typeof value === 'string' ? prefix + value + suffix : value, layout)
  if (Array.isArray(column)) return column.map(write)
  if ('each' in column) {
    return column.each.flatMap((value, index) => new Array<string>(column.times[index] ?? 0).fill(write(value)))
  }
  return unpackColumn(column, count).map(({ value }) => write(value))
}
