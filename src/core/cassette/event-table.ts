/**
 * A run of events as a table of texts (F9): what its events have in common is rendered once, and the columns go in between. Columns
 * are written whole, as one list in JSON, since a call for each value costs more than all else.
 */
import { unpackColumn } from './columns.ts'
import type { EventFrame, Json, JsonLayout } from './document.ts'
import { padPointer } from './event-runs.ts'
import { orderLayout, renderJson, renderStrings } from './json-layout.ts'
import { pointerPath } from './json-pointer.ts'
import { type Column, type EventRun, hole } from './packed-document.ts'
import { renderEvent } from './stream-events.ts'

export type FramedStream = EventFrame & { readonly layout?: JsonLayout }

export interface EventTable {
  /** How many events. */
  readonly count: number
  /** What stands around the columns: one more than there are. */
  readonly around: readonly string[]
  /** Of each column the texts of its values, one for each event. */
  readonly columns: readonly (readonly string[])[]
}

/** Undefined for a run of which more varies than scalars of its data and its pad. */
export function eventTable(run: EventRun, stream: FramedStream): EventTable | undefined {
  const { [padPointer]: padColumn, ...columns } = run.columns
  const template = hasPlainLayout(run, stream) ? templateOf(run, columns, stream) : undefined
  if (template === undefined) return undefined
  const around = [...template.around]
  const filled = template.fills.map((fill, at) => {
    const strings = stringTexts(fill, stream.layout)
    if (strings === undefined) return fillTexts(fill, run.run, stream.layout)
    around[at] += '"'
    around[at + 1] = `"${around[at + 1]}`
    return strings
  })
  if (padColumn === undefined) return { count: run.run, around, columns: filled }
  // Before the bracket that closes the payload.
  const last = around.pop() as string
  const close = last.length - template.after.length - 1
  const pads = unpackColumn(padColumn, run.run).map(({ value }) => ' '.repeat(Math.max(0, Number(value))))
  return {
    count: run.run,
    around: [...around, last.slice(0, close), last.slice(close)],
    columns: [...filled, pads],
  }
}

/** The text of each event. */
export function tableTexts({ count, around, columns }: EventTable): readonly string[] {
  const texts: string[] = []
  for (let index = 0; index < count; index += 1) {
    let text = around[0] as string
    for (let at = 0; at < columns.length; at += 1) text += `${columns[at]?.[index]}${around[at + 1]}`
    texts.push(text)
  }
  return texts
}

/** Pieces that are the text of all events, one after the other; long texts are not joined, which would copy them. */
export function tablePieces(table: EventTable): readonly string[] {
  const [before = '', after = ''] = table.around
  const [column, ...others] = table.columns
  if (column === undefined || others.length > 0) return [tableTexts(table).join('')]
  return [before, column.join(after + before), after]
}

/** The layout of the stream, with or without a pad that varies. */
function hasPlainLayout({ layout, columns }: EventRun, stream: FramedStream): boolean {
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
  /** The text of an event, cut where the columns go: one piece more than there are fills. */
  readonly around: readonly string[]
  readonly fills: readonly Fill[]
  /** What stands after the payload, at the end of the last piece. */
  readonly after: string
}

function templateOf(run: EventRun, columns: EventRun['columns'], stream: FramedStream): Template | undefined {
  const { event, id, data } = run
  if (data === undefined) return undefined
  const marked = JSON.parse(JSON.stringify(data)) as Json
  const marks = Object.entries(columns).map(([pointer, column], index) => {
    const mark = `turntapeFill${index}End`
    return { mark: JSON.stringify(mark), fill: markPlace(marked, { pointer, column, mark }) }
  })
  const payload = renderJson(marked, stream.layout)
  const wrapped = { ...(event !== undefined && { event }), ...(id !== undefined && { id }), text: 'turntapePayload' }
  const [before, after, ...others] = renderEvent(wrapped, stream, 0).split('turntapePayload')
  const inOrder = marks.sort((one, other) => payload.indexOf(one.mark) - payload.indexOf(other.mark))
  const pieces = cutAt(
    payload,
    inOrder.map(({ mark }) => mark),
  )
  const fills = inOrder.flatMap(({ fill }) => fill ?? [])
  if (pieces === undefined || after === undefined || others.length > 0 || fills.length !== marks.length)
    return undefined
  pieces[0] = `${before}${pieces[0]}`
  pieces[pieces.length - 1] += after
  return { around: pieces, fills, after }
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
function cutAt(text: string, marks: readonly string[]): string[] | undefined {
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

const betweenStrings = '","'

/** A column of strings alone, without their outer quotes; undefined for any other. */
function stringTexts({ column, prefix, suffix }: Fill, layout: JsonLayout | undefined): readonly string[] | undefined {
  if (!Array.isArray(column) || !column.every((value) => typeof value === 'string')) return undefined
  const values = prefix === '' && suffix === '' ? column : column.map((value) => prefix + value + suffix)
  const text = renderStrings(values, layout)
  // In a string each quote is escaped; so this stands between two, unless one before it ends with a quote and a comma.
  return text.includes(`\\${betweenStrings}`) ? undefined : text.slice(2, -2).split(betweenStrings)
}

function fillTexts({ column, prefix, suffix }: Fill, count: number, layout: JsonLayout | undefined): readonly string[] {
  const write = (value: Json): string => renderJson(typeof value === 'string' ? prefix + value + suffix : value, layout)
  if (Array.isArray(column)) return column.map(write)
  if ('each' in column) {
    return column.each.flatMap((value, index) => new Array<string>(column.times[index] ?? 0).fill(write(value)))
  }
  return unpackColumn(column, count).map(({ value }) => write(value))
}
