/**
 * JSON laid out for a reader of pull requests (F1): small values on one line; runs of numbers and short strings, and messages
 * that one text makes long, on one line however long; the rest a member or element a line. A pure function of the value: key
 * order is the value's own.
 */
import type { Json } from './document.ts'
import type { Column } from './packed-document.ts'

/** Columns up to which a value stands on one line. */
const lineWidth = 100

/** Strings up to this length may stand in a run on one line. */
const shortString = 24

const step = '  '

/** Where a value stands: the indentation of its line, and how many columns its name already takes. */
export interface Place {
  readonly margin: string
  readonly taken: number
}

/** The text of a value at a place, without a line end. */
export function layJson(value: Json, { margin, taken }: Place): string {
  if (typeof value !== 'object' || value === null) return quoteJson(value)
  const line = lineOf(value, lineWidth - margin.length - taken)
  if (line !== undefined) return line
  if (Array.isArray(value) && isRun(value)) return `[${value.map(quoteJson).join(', ')}]`
  const only = Array.isArray(value) && value.length === 1 ? (value[0] as Json) : null
  if (typeof only === 'object' && only !== null) return `[${layJson(only, { margin, taken: taken + 1 })}]`
  if (!Array.isArray(value) && hasOneLongText(value, lineWidth - margin.length - taken)) return longLine(value)
  const inner = margin + step
  if (Array.isArray(value))
    return layArray(
      value.map((item: Json) => layJson(item, { margin: inner, taken: 0 })),
      margin,
    )
  return layObject(
    Object.entries(value).map(([name, item]) => [
      name,
      layJson(item as Json, { margin: inner, taken: name.length + 4 }),
    ]),
    margin,
  )
}

/** An array with each of these texts on lines of its own. */
export function layArray(items: readonly string[], margin: string): string {
  if (items.length === 0) return '[]'
  const inner = margin + step
  return `[\n${inner}${items.join(`,\n${inner}`)}\n${margin}]`
}

/** An object with each member on lines of its own; its texts are already laid out at the inner margin. */
export function layObject(members: readonly (readonly [name: string, text: string])[], margin: string): string {
  if (members.length === 0) return '{}'
  const inner = margin + step
  return `{\n${inner}${members.map(([name, text]) => `${quoteJson(name)}: ${text}`).join(`,\n${inner}`)}\n${margin}}`
}

/** A column of a run: texts fill lines and end one where they end one, as they would be read; all else is a line. */
export function layColumn(column: Column, margin: string): string {
  if ('grows' in column) return `{ "grows": ${layTexts(column.grows, margin)} }`
  if (!('map' in column)) return layRun(column)
  return column.every((value) => typeof value === 'string') ? layTexts(column, margin) : layCells(column, margin)
}

/** Lists of numbers and short texts on one line each; other values one a line. */
function layCells(values: readonly Json[], margin: string): string {
  const isShort = values.every((value) => typeof value !== 'string' || value.length <= shortString)
  return isShort ? `[${values.map(quoteJson).join(', ')}]` : layArray(values.map(quoteJson), margin)
}

function layRun(column: object): string {
  const members = Object.entries(column).map(([name, value]) => {
    const text = Array.isArray(value) ? `[${value.map(quoteJson).join(', ')}]` : quoteJson(value as Json)
    return `${quoteJson(name)}: ${text}`
  })
  return `{ ${members.join(', ')} }`
}

function layTexts(texts: readonly string[], margin: string): string {
  const inner = margin + step
  const lines: string[] = []
  let line = ''
  for (const text of texts) {
    const quoted = quoteJson(text)
    if (line !== '' && line.length + quoted.length + 2 > lineWidth - inner.length) {
      lines.push(line)
      line = ''
    }
    line += line === '' ? quoted : `, ${quoted}`
    if (!text.includes('\n')) continue
    lines.push(line)
    line = ''
  }
  if (line !== '') lines.push(line)
  if (lines.length === 1 && (lines[0] as string).length < lineWidth / 2) return `[${lines[0]}]`
  return layArray(lines, margin)
}

/** A value on one line without blanks between its tokens, safe in every tool that splits lines. */
export function quoteJson(value: Json): string {
  const text = JSON.stringify(value)
  return lineSeparator.test(text) ? text.replace(lineSeparators, escapeUnit) : text
}

// Line ends for JavaScript and some editors, but not for JSON. They stand in strings only.
const lineSeparator = /[\u2028\u2029]/
const lineSeparators = /[\u2028\u2029]/g

function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16)}`
}

/** The value on one line of at most `room` columns, with blanks; undefined, as soon as that is known, where it is longer. */
function lineOf(value: Json, room: number): string | undefined {
  if (typeof value === 'string' && value.length + 2 > room) return undefined
  if (typeof value !== 'object' || value === null) return fitting(quoteJson(value), room)
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{ ', ' }']
  const items: readonly (readonly [string, Json])[] = Array.isArray(value)
    ? value.map((item: Json) => ['', item] as const)
    : Object.entries(value).map(([name, item]) => [`${quoteJson(name)}: `, item as Json] as const)
  if (items.length === 0) return Array.isArray(value) ? '[]' : '{}'
  if (items.length * 3 > room) return undefined
  let line = open
  for (const [name, item] of items) {
    const text = lineOf(item, room - line.length - name.length)
    if (text === undefined) return undefined
    line += line === open ? name + text : `, ${name}${text}`
  }
  return fitting(line + close, room)
}

/** True for an object of scalars, such as a message, that one text alone makes longer than a line. */
function hasOneLongText(value: object, room: number): boolean {
  const items = Object.entries(value) as readonly (readonly [string, Json])[]
  let [whole, longest] = [4, 0]
  for (const [name, item] of items) {
    if (typeof item === 'object' && item !== null) return false
    const length = quoteJson(item).length
    whole += name.length + 6 + length
    if (typeof item === 'string') longest = Math.max(longest, length)
  }
  return whole - longest <= room
}

function longLine(value: object): string {
  return `{ ${Object.entries(value)
    .map(([name, item]) => `${quoteJson(name)}: ${quoteJson(item as Json)}`)
    .join(', ')} }`
}

function fitting(text: string, room: number): string | undefined {
  return text.length <= room ? text : undefined
}

function isRun(value: readonly Json[]): boolean {
  return value.every((item) => typeof item === 'number' || (typeof item === 'string' && item.length <= shortString))
}
