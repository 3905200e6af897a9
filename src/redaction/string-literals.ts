/** JSON string literals inside a text: where they are, what they say, and where each letter of that stands in the text. */

/** The content of a literal, without its quotes. */
export interface LiteralRange {
  readonly start: number
  readonly end: number
}

/** Every double-quoted literal of a text that holds JSON. One line at a time: no literal of JSON spans two lines. */
export function stringLiterals(text: string): LiteralRange[] {
  const found: LiteralRange[] = []
  let open = -1
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    if (code === 0x0a) open = -1
    else if (code === 0x5c && open >= 0) index += 1
    else if (code === 0x22) {
      if (open >= 0) found.push({ start: open, end: index })
      open = open >= 0 ? -1 : index + 1
    }
  }
  return found
}

/** A decoded literal; `rawIndexOf` maps a place in `value` to its place in the text, the end included. */
export interface DecodedLiteral {
  readonly value: string
  readonly rawIndexOf: (index: number) => number
}

export function decodeLiteral(text: string, { start, end }: LiteralRange): DecodedLiteral {
  const raw = text.slice(start, end)
  if (!raw.includes('\\')) return { value: raw, rawIndexOf: (index) => start + index }
  const starts: number[] = []
  const units: string[] = []
  for (let index = 0; index < raw.length; ) {
    const length = raw[index] === '\\' ? (raw[index + 1] === 'u' ? 6 : 2) : 1
    starts.push(start + index)
    units.push(length === 1 ? (raw[index] as string) : decodeEscape(raw.slice(index, index + length)))
    index += length
  }
  return { value: units.join(''), rawIndexOf: (index) => starts[index] ?? end }
}

const simpleEscapes: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }

/** Always one UTF-16 unit, whatever the escape: places stay countable. */
function decodeEscape(written: string): string {
  const letter = written[1] ?? '\\'
  if (letter !== 'u') return simpleEscapes[letter] ?? letter
  const unit = Number.parseInt(written.slice(2), 16)
  return Number.isNaN(unit) ? '\ufffd' : String.fromCharCode(unit)
}
