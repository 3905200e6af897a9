/** Runs of events of one shape as a pattern with columns, and back (F9). Where an event stands never changes. */
import { type Cell, packColumn, unpackColumn } from './columns.ts'
import type { Json, JsonLayout, StreamEvent } from './document.ts'
import { orderLayout } from './json-layout.ts'
import { escapeStep, pointerPath } from './json-pointer.ts'
import { type Column, type EventRun, hole } from './packed-document.ts'

/** The one part of a layout that may vary within a run. */
export const padPointer = '/layout/pad'

/** An event as a tree of which any leaf may vary. The spellings of its numbers are no part of it. */
export interface EventRow {
  /** Rows of one shape have their leaves at the same places. */
  readonly shape: string
  readonly tree: RowTree
  readonly numbers: Readonly<Record<string, string>>
}

type RowTree = { readonly [name: string]: Json }

/** Undefined for a verbatim event, which has no shape. `layout` is that of the stream; `padded`: some event of it has a pad. */
export function rowOf(
  event: StreamEvent,
  { layout, padded }: { readonly layout: JsonLayout | undefined; readonly padded: boolean },
): EventRow | undefined {
  if ('raw' in event) return undefined
  if ('text' in event) return row(event, {})
  const { layout: own, ...content } = event
  const { numbers = {}, ...ownSpacing } = own ?? {}
  const inherits = own === undefined || (own.numbers !== undefined && sameLayout(ownSpacing, layout))
  // A pad of zero blanks: among padded events, one that has no layout of its own.
  const spacing = inherits ? (padded ? orderLayout({ ...layout, pad: 0 }) : undefined) : ownSpacing
  return row({ ...content, ...(spacing !== undefined && { layout: spacing as Json }) }, numbers)
}

/** A run of these rows, which have one shape; undefined where it cannot give them back. */
export function packRun(rows: readonly EventRow[]): EventRun | undefined {
  const [first] = rows
  if (first === undefined) return undefined
  const places = leafPointers(first.tree)
  const leaves = rows.map(({ tree, numbers }) => leafCells(tree, numbers))
  const columns: Record<string, Column> = {}
  const pattern = structuredClone(first.tree) as Record<string, Json>
  for (const [index, pointer] of places.entries()) {
    const packed = packColumn(leaves.map((cells) => cells[index] as Cell))
    if (packed === undefined) continue
    // Layouts that vary in anything but the pad are rare, and read badly as columns.
    if (pointer.startsWith('/layout/') && pointer !== padPointer) return undefined
    columns[pointer] = packed.column
    setLeaf(pattern, pointer, packed.pattern)
  }
  const spelled = Object.entries(first.numbers).filter(([pointer]) => !Object.hasOwn(columns, `/data${pointer}`))
  return { run: rows.length, ...withLayout(pattern, Object.fromEntries(spelled)), columns }
}

/** The events of a run, in order, without those between. */
export function unpackRun(run: EventRun, layout: JsonLayout | undefined): readonly StreamEvent[] {
  const { run: count, columns, between: _between, ...pattern } = run
  const slots = slotsOf(pattern as RowTree, columns, count)
  return Array.from({ length: count }, (_, index) => {
    const spelled: Record<string, string> = {}
    const event = fillSlots({ value: pattern as Json, slot: slots, index, spelled, pointer: '' })
    return restore(event as unknown as StreamEvent, spelled, layout)
  })
}

function row(tree: RowTree, numbers: Readonly<Record<string, string>>): EventRow {
  const { event = '', data } = tree
  const type = typeof data === 'object' && data !== null && 'type' in data ? data.type : ''
  // Events that say what they are by a name or type are kept apart, so that a run is one kind of thing.
  return { shape: `${JSON.stringify([event, type])}${shapeOf(tree)}`, tree, numbers }
}

/** Scalars, and lists of them: the bytes of a token are as many as they are. */
function isLeaf(value: Json): boolean {
  return (
    typeof value !== 'object' || value === null || (Array.isArray(value) && value.length > 0 && value.every(isScalar))
  )
}

function isScalar(value: Json): boolean {
  return typeof value !== 'object' || value === null
}

function shapeOf(value: Json): string {
  if (typeof value !== 'object' || value === null || isLeaf(value)) return '.'
  if (Array.isArray(value)) return `[${value.map(shapeOf).join('')}]`
  let shape = '{'
  for (const [name, item] of Object.entries(value)) shape += `${JSON.stringify(name)}${shapeOf(item as Json)}`
  return `${shape}}`
}

function sameLayout(own: JsonLayout, layout: JsonLayout | undefined): boolean {
  return JSON.stringify(orderLayout(own)) === JSON.stringify(orderLayout(layout ?? {}))
}

function leafPointers(value: Json, pointer = ''): readonly string[] {
  if (typeof value !== 'object' || value === null || isLeaf(value)) return [pointer]
  return Object.entries(value).flatMap(([name, item]) => leafPointers(item as Json, `${pointer}/${escapeStep(name)}`))
}

function leafCells(tree: Json, numbers: Readonly<Record<string, string>>): readonly Cell[] {
  const cells: Cell[] = []
  const hasNumbers = Object.keys(numbers).length > 0
  const visit = (value: Json, pointer: string): void => {
    if (typeof value !== 'object' || value === null || isLeaf(value)) {
      cells.push({ value, spelled: hasNumbers ? numbers[pointer.slice('/data'.length)] : undefined })
      return
    }
    for (const [name, item] of Object.entries(value)) {
      visit(item as Json, hasNumbers ? `${pointer}/${escapeStep(name)}` : '')
    }
  }
  visit(tree, '')
  return cells
}

function setLeaf(tree: Record<string, Json>, pointer: string, value: Json): void {
  const path = pointerPath(pointer) ?? []
  let node = tree
  for (const step of path.slice(0, -1)) node = node[step] as unknown as Record<string, Json>
  node[path.at(-1) as string] = value
}

function withLayout(tree: RowTree, numbers: Readonly<Record<string, string>>): RowTree {
  if (Object.keys(numbers).length === 0) return tree
  return { ...tree, layout: { ...(tree.layout as { readonly [name: string]: Json } | undefined), numbers } }
}

interface Slot {
  readonly fill?: { readonly cells: readonly Cell[]; readonly prefix: string; readonly suffix: string }
  readonly below: ReadonlyMap<string, Slot>
}

function slotsOf(pattern: RowTree, columns: EventRun['columns'], count: number): Slot {
  const root: Slot = { below: new Map() }
  for (const [pointer, column] of Object.entries(columns)) {
    let slot = root
    let value: Json | undefined = pattern
    const path = pointerPath(pointer) ?? []
    for (const [depth, step] of path.entries()) {
      value = (value as { readonly [name: string]: Json } | undefined)?.[step]
      const [prefix = '', suffix = ''] = typeof value === 'string' ? value.split(hole) : []
      const next: Slot = slot.below.get(step) ?? {
        below: new Map(),
        ...(depth === path.length - 1 && { fill: { cells: unpackColumn(column, count), prefix, suffix } }),
      }
      ;(slot.below as Map<string, Slot>).set(step, next)
      slot = next
    }
  }
  return root
}

interface Filling {
  readonly value: Json
  readonly slot: Slot
  readonly index: number
  /** Gathers the spellings of numbers, by pointer into the data. */
  readonly spelled: Record<string, string>
  readonly pointer: string
}

/** What does not vary is shared by all events of the run. */
function fillSlots({ value, slot, index, spelled, pointer }: Filling): Json {
  if (slot.fill !== undefined) {
    const cell = slot.fill.cells[index] as Cell
    if (cell.spelled !== undefined) spelled[pointer.slice('/data'.length)] = cell.spelled
    return typeof cell.value === 'string' ? slot.fill.prefix + cell.value + slot.fill.suffix : cell.value
  }
  if (slot.below.size === 0 || typeof value !== 'object' || value === null) return value
  const copy = (Array.isArray(value) ? [...value] : { ...value }) as Record<string, Json>
  for (const [step, below] of slot.below) {
    copy[step] = fillSlots({
      value: copy[step] as Json,
      slot: below,
      index,
      spelled,
      pointer: `${pointer}/${escapeStep(step)}`,
    })
  }
  return copy
}

function restore(
  event: StreamEvent,
  spelled: Readonly<Record<string, string>>,
  layout: JsonLayout | undefined,
): StreamEvent {
  if (!('data' in event)) return event
  const { layout: own, ...rest } = event
  const { numbers: constant, pad, ...spacing } = own ?? {}
  const numbers = orderNumbers({ ...constant, ...spelled }, event.data)
  const inherits = own === undefined || pad === 0 || (constant !== undefined && pad === undefined && isEmpty(spacing))
  const base = inherits ? layout : { ...spacing, ...(pad !== undefined && { pad }) }
  if (isEmpty(numbers)) return inherits ? rest : { ...rest, layout: orderLayout(base ?? {}) }
  return { ...rest, layout: orderLayout({ ...base, numbers }) }
}

/** By the order of the numbers in the event. */
function orderNumbers(numbers: Readonly<Record<string, string>>, data: Json): Readonly<Record<string, string>> {
  if (Object.keys(numbers).length < 2) return numbers
  const places = leafPointers(data).filter((pointer) => Object.hasOwn(numbers, pointer))
  return Object.fromEntries(places.map((pointer) => [pointer, numbers[pointer] as string]))
}

function isEmpty(members: object): boolean {
  return Object.keys(members).length === 0
}
