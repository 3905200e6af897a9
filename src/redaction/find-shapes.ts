import type { SecretShape } from './secret-shape.ts'
import { secretShapes } from './secret-shapes.ts'
import type { SecretSpan } from './span.ts'
import { decodeLiteral, stringLiterals } from './string-literals.ts'
import { isTokenBorder } from './text-borders.ts'

interface Beginning {
  readonly start: string
  readonly shape: SecretShape
}

const beginnings = indexBeginnings(secretShapes)
const anyBeginning = new RegExp(
  [...beginnings.keys()]
    .sort((a, b) => b.length - a.length)
    .map(escapeLiteral)
    .join('|'),
  'g',
)

const base64Letters = /^[A-Za-z0-9+/]+$/
const maxLeadLength = 60

/** Secrets that have the shape of a known key, in order. One pass over the text, linear whatever it holds. */
export function findShapes(text: string): SecretSpan[] {
  const spans: SecretSpan[] = []
  let done = 0
  for (const match of text.matchAll(anyBeginning)) {
    if (match.index < done) continue
    const span = matchShape(text, match.index, beginnings.get(match[0]) as readonly Beginning[])
    if (span === undefined || span.start < done) continue
    spans.push(span)
    done = span.end
  }
  return spans
}

/** The same of a text that holds JSON, also where a writer escapes letters of a key (`+` as `\\u002B`). */
export function findShapesInJson(text: string): SecretSpan[] {
  const spans = findShapes(text)
  if (!escapedTokenLetter.test(text)) return spans
  for (const range of stringLiterals(text)) {
    if (!escapedTokenLetter.test(text.slice(range.start, range.end))) continue
    const { value, rawIndexOf } = decodeLiteral(text, range)
    for (const span of findShapes(value)) {
      spans.push({ ...span, start: rawIndexOf(span.start), end: rawIndexOf(span.end) })
    }
  }
  return spans
}

/** A visible ASCII character as a unicode escape, or an escaped slash. */
const escapedTokenLetter = /\\(?:u00[2-7][0-9a-fA-F]|\/)/

/** Tries the shapes of the beginning found and of the shorter ones that it holds (`sk-proj-`, then `sk-`). */
function matchShape(text: string, index: number, candidates: readonly Beginning[]): SecretSpan | undefined {
  for (const { start, shape } of candidates) {
    const from = startOf(text, index, shape)
    if (from === undefined || !isTokenBorder(text, from)) continue
    shape.rest.lastIndex = index + start.length
    if (!shape.rest.test(text)) continue
    const begin = shape.keeps === 'start' ? index + start.length : from
    const end = shape.rest.lastIndex
    if (base64Letters.test(start) && isInBase64(text, from, end)) continue
    return { start: begin, end, kind: shape.kind, secret: text.slice(begin, end) }
  }
  return undefined
}

/** A slash or a plus is a border to a text, and an ordinary letter inside base64; a URL ends where a key does. */
function isInBase64(text: string, start: number, end: number): boolean {
  const before = text[start - 1]
  return before === '+' || (before === '/' && /[A-Za-z0-9+/=]/.test(text[end] ?? ' '))
}

/** Where the secret begins whose literal is found at `index`; undefined where what must stand before it does not. */
function startOf(text: string, index: number, { lead }: SecretShape): number | undefined {
  if (lead === undefined) return index
  const before = lead.exec(text.slice(Math.max(0, index - maxLeadLength), index))
  return before === null ? undefined : index - before[0].length
}

function indexBeginnings(shapes: readonly SecretShape[]): Map<string, readonly Beginning[]> {
  const all = shapes.flatMap((shape) => shape.starts.map((start) => ({ start, shape })))
  const byLength = [...all].sort((a, b) => b.start.length - a.start.length)
  return new Map(all.map(({ start }) => [start, byLength.filter((other) => start.startsWith(other.start))]))
}

function escapeLiteral(literal: string): string {
  return literal.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
