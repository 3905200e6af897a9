/** How a JSON value was written, and writing it that way again (F5, F9). Finding a layout is proved by rendering it. */
import type { Json, JsonLayout } from './document.ts'

/** Longest white space after a value that counts as layout; a longer one makes the body text. */
export const maxTailLength = 256

/** The text of a value in a layout. The exact inverse of what `findLayout` accepted. */
export function renderJson(value: Json, layout: JsonLayout = {}): string {
  const plain = isPlain(layout)
    ? JSON.stringify(value, null, layout.indent)
    : renderValue(value, spellingOf(layout), '')
  const spelled = layout.escape === 'ascii' ? escapeBeyondAscii(plain) : plain
  return layout.tail === undefined ? spelled : spelled + layout.tail
}

/** The layout that gives back exactly `text` for `value`, or undefined where none of the known ones does. */
export function findLayout(text: string, value: Json): JsonLayout | undefined {
  const body = text.trimEnd()
  const tail = text.slice(body.length)
  if (tail.length > maxTailLength) return undefined
  for (const layout of candidates(body)) {
    const rendered = renderJson(value, layout)
    const found = rendered === body ? layout : escapeBeyondAscii(rendered) === body ? withAscii(layout) : undefined
    if (found !== undefined) return tail === '' ? found : { ...found, tail }
  }
  return undefined
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

/** White space that a layout may hold: what JSON allows between tokens. */
export function isJsonBlank(text: string): boolean {
  return /^[ \t\r\n]*$/.test(text)
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
  return layout.colon === undefined && (layout.comma === undefined || layout.indent !== undefined)
}

function renderValue(value: Json, spelling: Spelling, margin: string): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const inner = margin + spelling.indent
  const items = Array.isArray(value)
    ? value.map((item: Json) => renderValue(item, spelling, inner))
    : Object.entries(value).map(
        ([key, item]) => `${JSON.stringify(key)}:${spelling.colon}${renderValue(item as Json, spelling, inner)}`,
      )
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  if (items.length === 0) return `${open}${close}`
  if (spelling.indent === '') return `${open}${items.join(`,${spelling.comma}`)}${close}`
  return `${open}\n${inner}${items.join(`,\n${inner}`)}\n${margin}${close}`
}

/** Layouts seen in the wild: compact, Python's, and indented ones by the indentation this text has. */
function candidates(body: string): readonly JsonLayout[] {
  const indentation = /^[[{]\n([ \t]{1,10})/.exec(body)?.[1]
  if (indentation === undefined) return [{}, { comma: ' ', colon: ' ' }, { colon: ' ' }, { comma: ' ' }]
  const indent = /^ +$/.test(indentation) ? indentation.length : indentation
  return [{ indent }, { indent, colon: '' }]
}

function withAscii({ indent, comma, colon }: JsonLayout): JsonLayout {
  return {
    ...(indent !== undefined && { indent }),
    ...(comma !== undefined && { comma }),
    ...(colon !== undefined && { colon }),
    escape: 'ascii',
  }
}

function escapeBeyondAscii(text: string): string {
  return text.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
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
