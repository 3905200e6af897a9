/** Writing a JSON value the way it was written (F5, F9). How that way is found out is `find-layout.ts`. */
import type { Json, JsonLayout } from './document.ts'
import { jsonPointer } from './json-pointer.ts'

/** Longest white space after a value, or before its last bracket, that counts as layout; a longer one makes it text. */
export const maxTailLength = 256

/** The text of a value in a layout. The exact inverse of what `findLayout` accepted. */
export function renderJson(value: Json, layout?: JsonLayout): string {
  if (layout === undefined) return JSON.stringify(value)
  const plain = isPlain(layout)
    ? JSON.stringify(value, null, layout.indent)
    : renderValue(layout.numbers === undefined ? value : spellNumbers(value, layout.numbers), spellingOf(layout), '')
  const spelled = escapeText(plain, layout)
  const { pad, tail = '' } = layout
  return pad === undefined ? spelled + tail : `${spelled.slice(0, -1)}${' '.repeat(pad)}${spelled.slice(-1)}${tail}`
}

/** A list of strings on one line without blanks, each string as the layout writes it. */
export function renderStrings(values: readonly string[], layout: JsonLayout = {}): string {
  return escapeText(JSON.stringify(values), layout)
}

/** The bytes that `renderJson` would give, counted without writing the indentation: it may be far more than the value (F20). */
export function renderedJsonBytes(value: Json, layout: JsonLayout = {}): number {
  const { indent, ...flat } = layout
  const bytes = Buffer.byteLength(renderJson(value, flat))
  if (indent === undefined) return bytes
  const unit = typeof indent === 'number' ? indent : indent.length
  const colon = layout.colon === undefined ? 1 : 0
  const comma = layout.comma?.length ?? 0
  return bytes + indentationBytes(value, { unit, colon, comma }, 0)
}

/** The members of a layout in the order of the format. */
export function orderLayout(layout: JsonLayout): JsonLayout {
  return Object.fromEntries(layoutMembers.flatMap((name) => (layout[name] === undefined ? [] : [[name, layout[name]]])))
}

const layoutMembers = ['indent', 'comma', 'colon', 'pad', 'escape', 'escapeAlso', 'hex', 'numbers', 'tail'] as const

/** White space that a layout may hold: what JSON allows between tokens. */
export function isJsonBlank(text: string): boolean {
  return /^[ \t\r\n]*$/.test(text)
}

/** Characters that `escapeAlso` may name: in JSON text they stand in strings only. */
export function isEscapable(character: string): boolean {
  return /^[!#-)*;<=>?@^_`|~/\u007f]$/.test(character)
}

interface Spelling {
  readonly indent: string
  readonly comma: string
  readonly colon: string
}

function spellingOf({ indent = '', comma = '', colon }: JsonLayout): Spelling {
  const unit = typeof indent === 'number' ? ' '.repeat(indent) : indent
  // "After a comma on one line": an indented layout has no comma on one line.
  return { indent: unit, comma: unit === '' ? comma : '', colon: colon ?? (unit === '' ? '' : ' ') }
}

function isPlain(layout: JsonLayout): boolean {
  if (layout.numbers !== undefined) return false
  return layout.colon === undefined && (layout.comma === undefined || layout.indent !== undefined)
}

/** A number with the spelling it had. */
class SpelledNumber {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

type Spelled = Json | SpelledNumber | readonly Spelled[] | { readonly [name: string]: Spelled }

function spellNumbers(value: Json, numbers: Readonly<Record<string, string>>, path: readonly string[] = []): Spelled {
  if (typeof value === 'number') {
    const pointer = jsonPointer(path)
    return Object.hasOwn(numbers, pointer) ? new SpelledNumber(numbers[pointer] as string) : value
  }
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    return value.map((item: Json, index) => spellNumbers(item, numbers, [...path, String(index)]))
  }
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, spellNumbers(item as Json, numbers, [...path, name])]),
  )
}

function renderValue(value: Spelled, spelling: Spelling, margin: string): string {
  if (value instanceof SpelledNumber) return value.text
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const inner = margin + spelling.indent
  const items = Array.isArray(value)
    ? value.map((item: Spelled) => renderValue(item, spelling, inner))
    : Object.entries(value).map(
        ([key, item]) => `${JSON.stringify(key)}:${spelling.colon}${renderValue(item as Spelled, spelling, inner)}`,
      )
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  if (items.length === 0) return `${open}${close}`
  if (spelling.indent === '') return `${open}${items.join(`,${spelling.comma}`)}${close}`
  return `${open}\n${inner}${items.join(`,\n${inner}`)}\n${margin}${close}`
}

/** From the escapes of `JSON.stringify` to those of the layout. */
function escapeText(text: string, { escape: beyondAscii, escapeAlso = '', hex }: JsonLayout): string {
  if (beyondAscii === undefined && escapeAlso === '' && hex === undefined) return text
  return text.replace(/\\(?:u([0-9a-f]{4})|.)|[!#-)*;<=>?@^_`|~/\u007f-\uffff]/g, (unit, digits?: string) => {
    if (unit.startsWith('\\')) return hex === undefined || digits === undefined ? unit : `\\u${digits.toUpperCase()}`
    if (unit > '\u007f' ? beyondAscii === undefined : !escapeAlso.includes(unit)) return unit
    if (unit === '/') return '\\/'
    const code = unit.charCodeAt(0).toString(16).padStart(4, '0')
    return `\\u${hex === undefined ? code : code.toUpperCase()}`
  })
}

interface IndentationUnits {
  readonly unit: number
  readonly colon: number
  /** What the flat form has after each comma and the indented one has not. */
  readonly comma: number
}

function indentationBytes(value: Json, units: IndentationUnits, depth: number): number {
  if (typeof value !== 'object' || value === null) return 0
  const items = Object.values(value) as readonly Json[]
  if (items.length === 0) return 0
  let bytes = items.length * (1 + units.unit * (depth + 1)) + 1 + units.unit * depth - (items.length - 1) * units.comma
  if (!Array.isArray(value)) bytes += items.length * units.colon
  for (const item of items) bytes += indentationBytes(item, units, depth + 1)
  return bytes
}
