import { type SecretShape, secretShapes } from './secret-shapes.ts'
import type { SecretSpan } from './span.ts'
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

const alphanumeric = /^[A-Za-z0-9]+$/

/** Secrets that have the shape of a known key, in order. One pass over the text, linear whatever it holds. */
export function findShapes(text: string): SecretSpan[] {
  const spans: SecretSpan[] = []
  let done = 0
  for (const match of text.matchAll(anyBeginning)) {
    if (match.index < done || !isTokenBorder(text, match.index)) continue
    const span = matchShape(text, match.index, beginnings.get(match[0]) as readonly Beginning[])
    if (span === undefined) continue
    spans.push(span)
    done = span.end
  }
  return spans
}

/** Tries the shapes of the beginning found and of the shorter ones that it holds (`sk-proj-`, then `sk-`). */
function matchShape(text: string, index: number, candidates: readonly Beginning[]): SecretSpan | undefined {
  const before = text[index - 1]
  for (const { start, shape } of candidates) {
    // A slash or a plus is a border to a text, and an ordinary letter inside base64.
    if ((before === '/' || before === '+') && alphanumeric.test(start)) continue
    shape.rest.lastIndex = index + start.length
    if (!shape.rest.test(text)) continue
    const from = shape.keeps === 'start' ? index + start.length : index
    const end = shape.rest.lastIndex
    return { start: from, end, kind: shape.kind, secret: text.slice(from, end) }
  }
  return undefined
}

function indexBeginnings(shapes: readonly SecretShape[]): Map<string, readonly Beginning[]> {
  const all = shapes.flatMap((shape) => shape.starts.map((start) => ({ start, shape })))
  const byLength = [...all].sort((a, b) => b.start.length - a.start.length)
  return new Map(all.map(({ start }) => [start, byLength.filter((other) => start.startsWith(other.start))]))
}

function escapeLiteral(literal: string): string {
  return literal.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
