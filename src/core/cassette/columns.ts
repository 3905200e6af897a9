/** One column of a run of events: the values of one place, written as briefly as they can still be read (F9). */
import type { Json } from './document.ts'
import type { Column } from './packed-document.ts'
import { hole } from './packed-document.ts'

/** A value of a column, and how it was spelled if it is a number that ECMAScript spells otherwise. */
export interface Cell {
  readonly value: Json
  readonly spelled?: string | undefined
}

export interface PackedColumn {
  readonly column: Column
  /** What stands at its place in the pattern: a hole, with what all its texts begin and end with. */
  readonly pattern: string
}

/** Undefined where all cells are equal: then there is nothing that varies. */
export function packColumn(cells: readonly Cell[]): PackedColumn | undefined {
  const [first] = cells
  if (cells.every((cell) => cell.spelled === first?.spelled && sameValue(cell.value, first?.value))) return undefined
  if (cells.some((cell) => cell.spelled !== undefined)) return packSpelled(cells)
  const values = cells.map((cell) => cell.value)
  const step = stepOf(values)
  if (step !== undefined) return { column: { from: values[0] as number, step }, pattern: hole }
  if (!values.every((value) => typeof value === 'string')) return { column: shorter(values), pattern: hole }
  const texts = values as readonly string[]
  const { prefix, suffix } = commonEnds(texts)
  const middles = texts.map((text) => text.slice(prefix.length, text.length - suffix.length))
  return { column: growth(middles) ?? shorter(middles), pattern: prefix + hole + suffix }
}

/** The values of a column again, as many as the run has events. */
export function unpackColumn(column: Column, count: number): readonly Cell[] {
  if ('from' in column)
    return Array.from({ length: count }, (_, index) => ({ value: column.from + index * column.step }))
  if ('each' in column) {
    return column.each.flatMap((value, index) => new Array<Cell>(column.times[index] ?? 0).fill({ value }))
  }
  if ('numbers' in column) {
    return column.numbers.map((number) =>
      typeof number === 'number' ? { value: number } : { value: Number(number) + 0, spelled: number },
    )
  }
  if (!('grows' in column)) return column.map((value) => ({ value }))
  let text = ''
  return column.grows.map((added) => {
    text += added
    return { value: text }
  })
}

/** How many values a column gives; undefined for a counter, which goes on for ever. */
export function columnLength(column: Column): number | undefined {
  if ('from' in column) return undefined
  if ('each' in column) return column.times.reduce((total, times) => total + times, 0)
  if ('numbers' in column) return column.numbers.length
  return 'grows' in column ? column.grows.length : column.length
}

/** Characters that the values of a column take at least when they are unfolded, counted without doing so (F20). */
export function columnSize(column: Column, count: number): number {
  if ('from' in column) return count
  if ('numbers' in column) return column.numbers.length
  let total = 0
  if ('grows' in column) {
    let left = count
    for (const added of column.grows) total += added.length * left--
    return total
  }
  if (!('each' in column)) {
    for (const value of column) total += leastSize(value)
    return total
  }
  let at = 0
  for (const value of column.each) total += leastSize(value) * (column.times[at++] ?? 0)
  return total
}

function leastSize(value: Json): number {
  if (typeof value === 'string') return value.length
  return typeof value === 'object' && value !== null ? JSON.stringify(value).length : 1
}

/** Shared beginnings and ends shorter than this, taken together, stay where they are: deltas must read as they came. */
const leastShared = 6

/** A growing text shorter than this reads better whole. */
const leastGrown = 64

function packSpelled(cells: readonly Cell[]): PackedColumn | undefined {
  if (!cells.every((cell) => typeof cell.value === 'number')) return undefined
  return { column: { numbers: cells.map((cell) => cell.spelled ?? (cell.value as number)) }, pattern: hole }
}

function stepOf(values: readonly Json[]): number | undefined {
  const [first, second] = values
  if (values.length < 3 || typeof first !== 'number' || typeof second !== 'number') return undefined
  const step = second - first
  const isCounter = values.every((value, index) => Number.isSafeInteger(value) && value === first + index * step)
  return isCounter && Number.isSafeInteger(step) ? step : undefined
}

/** Every value, or each with how often it comes, whichever is clearly shorter. */
function shorter(all: readonly Json[]): Column {
  const each: Json[] = []
  const times: number[] = []
  for (const value of all) {
    if (each.length > 0 && sameValue(value, each.at(-1))) times[times.length - 1] = (times.at(-1) as number) + 1
    else {
      each.push(value)
      times.push(1)
    }
  }
  if (each.length * 2 > all.length) return all
  const runs = { each, times }
  return JSON.stringify(runs).length < JSON.stringify(all).length ? runs : all
}

function growth(texts: readonly string[]): Column | undefined {
  if (texts.length < 3 || (texts.at(-1) as string).length < leastGrown) return undefined
  const grows: string[] = []
  let before = ''
  for (const text of texts) {
    if (!text.startsWith(before) || endsInsidePair(before)) return undefined
    grows.push(text.slice(before.length))
    before = text
  }
  return JSON.stringify(grows).length * 2 < JSON.stringify(texts).length ? { grows } : undefined
}

function commonEnds(texts: readonly string[]): { readonly prefix: string; readonly suffix: string } {
  const none = { prefix: '', suffix: '' }
  if (texts.length < 3) return none
  const [first = ''] = texts
  let prefix = first.length
  let suffix = first.length
  for (const text of texts) {
    prefix = Math.min(prefix, text.length)
    while (!text.startsWith(first.slice(0, prefix))) prefix -= 1
  }
  for (const text of texts) {
    suffix = Math.min(suffix, text.length - prefix)
    while (suffix > 0 && !text.endsWith(first.slice(first.length - suffix))) suffix -= 1
  }
  if (endsInsidePair(first.slice(0, prefix))) prefix -= 1
  if (isLowSurrogate(first.charCodeAt(first.length - suffix))) suffix -= 1
  if (suffix < 0 || prefix + suffix < leastShared) return none
  const ends = { prefix: first.slice(0, prefix), suffix: first.slice(first.length - suffix) }
  return ends.prefix.includes(hole) || ends.suffix.includes(hole) ? none : ends
}

/** Cells are scalars, or lists of scalars. */
function sameValue(one: Json, other: Json | undefined): boolean {
  return one === other || (typeof one === 'object' && JSON.stringify(one) === JSON.stringify(other))
}

function endsInsidePair(text: string): boolean {
  const last = text.charCodeAt(text.length - 1)
  return last >= 0xd800 && last <= 0xdbff
}

function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff
}
