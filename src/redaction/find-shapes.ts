import type { SecretShape } from './secret-shape.ts'
import { secretShapes } from './secret-shapes.ts'
import type { SecretSpan } from './span.ts'
import { decodeLiteral, stringLiterals } from './string-literals.ts'
import { isTokenBorder } from './text-borders.ts'

interface Beginning {
  readonly start: string
  readonly candidates: readonly Candidate[]
}

interface Candidate {
  readonly start: string
  readonly shape: SecretShape
}

/** Beginnings by their first letters, the longest first; each with the shapes of it and of the shorter ones that it holds. */
const beginnings = indexBeginnings(secretShapes)

/** By the mix of three letters, whether a beginning may stand there: asked of every place of a text. */
const mixes = 2 ** 18
const mixMask = mixes - 1
const byteValues = 256
const mayBegin = markBeginnings(secretShapes)

const base64Letters = /^[A-Za-z0-9+/]+$/
const maxLeadLength = 60

/** Secrets that have the shape of a known key, in order. One pass over the text, linear whatever it holds. */
export function findShapes(text: string): SecretSpan[] {
  const spans: SecretSpan[] = []
  // One byte a character, its lower one, is read in a fraction of the time; what only looks so is seen in the text itself.
  const bytes = Buffer.from(text, 'latin1')
  let done = 0
  for (let at = nextBeginning(bytes, 0); at < text.length; at = nextBeginning(bytes, at)) {
    const found = beginningAt(text, at)
    if (found !== undefined && at >= done) {
      const span = matchShape(text, at, found.candidates)
      if (span !== undefined && span.start >= done) {
        spans.push(span)
        done = span.end
      }
    }
    at += found?.start.length ?? 1
  }
  return spans
}

/** The next place where a beginning may stand; the length of the text where there is none. */
function nextBeginning(bytes: Uint8Array, from: number): number {
  // The last two places have no three letters, and are looked at as they are.
  const last = bytes.length - 2
  if (from >= last) return from
  let mix = mixed(bytes[from] as number, bytes[from + 1] as number)
  for (let at = from; at < last; at += 1) {
    // As `mixed` does, without a call for each letter of a text.
    mix = ((mix << 6) ^ (bytes[at + 2] as number)) & mixMask
    if (mayBegin[mix] === 1) return at
  }
  return last
}

function beginningAt(text: string, at: number): Beginning | undefined {
  return beginnings.get(headOf(text, at))?.find(({ start }) => text.startsWith(start, at))
}

/** The first two letters, which every beginning has, as one number. */
function headOf(text: string, at: number): number {
  return text.charCodeAt(at) * 0x1_0000 + text.charCodeAt(at + 1)
}

/** The same of a text that holds JSON, also where a writer escapes letters of a key (`+` as `\\u002B`). */
export function findShapesInJson(text: string): SecretSpan[] {
  const spans = findShapes(text)
  if (!mayEscapeTokenLetter(text)) return spans
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

/** Asked of the whole text, which has many other escapes: searched for as they stand, these take a third of the time. */
function mayEscapeTokenLetter(text: string): boolean {
  return text.includes('\\u00') || text.includes('\\/')
}

/** Tries the shapes of the beginning found and of the shorter ones that it holds (`sk-proj-`, then `sk-`). */
function matchShape(text: string, index: number, candidates: readonly Candidate[]): SecretSpan | undefined {
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

function indexBeginnings(shapes: readonly SecretShape[]): ReadonlyMap<number, readonly Beginning[]> {
  const all = shapes
    .flatMap((shape) => shape.starts.map((start): Candidate => ({ start, shape })))
    .sort((a, b) => b.start.length - a.start.length)
  const byHead = new Map<number, Candidate[]>()
  for (const one of all) {
    const head = headOf(one.start, 0)
    const known = byHead.get(head)
    if (known === undefined) byHead.set(head, [one])
    else known.push(one)
  }
  // Every text that a beginning holds at its start has the same head: no others need be compared.
  return new Map([...byHead].map(([head, candidates]) => [head, beginningsOf(candidates)]))
}

function beginningsOf(candidates: readonly Candidate[]): readonly Beginning[] {
  const starts = [...new Set(candidates.map(({ start }) => start))]
  return starts.map((start) => ({ start, candidates: candidates.filter((other) => start.startsWith(other.start)) }))
}

function markBeginnings(shapes: readonly SecretShape[]): Uint8Array {
  const marks = new Uint8Array(mixes)
  for (const start of shapes.flatMap(({ starts }) => starts)) {
    const two = mixed(start.charCodeAt(0), start.charCodeAt(1))
    // After a beginning of two letters anything may come.
    if (start.length > 2) marks[mixed(two, start.charCodeAt(2))] = 1
    else for (let any = 0; any < byteValues; any += 1) marks[mixed(two, any)] = 1
  }
  return marks
}

/** The mix of a letter and the two before it, from the mix before: of earlier ones no bit is left. */
function mixed(before: number, letter: number): number {
  return ((before << 6) ^ letter) & mixMask
}
