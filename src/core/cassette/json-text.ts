/** JSON text as a value, where nothing is lost by that (F5, F6, F13). */
import type { Json } from './document.ts'
import { findLoss, type JsonLoss } from './exact-json.ts'
import { mayHaveLost } from './may-have-lost.ts'

/**
 * Deepest nesting of a value that is stored as a value; a deeper one stays text.
 * Far beyond any request, and far from where recursion over it would overflow the stack.
 */
export const maxValueDepth = 256

export type ExactJson =
  | { readonly ok: true; readonly value: Json }
  | { readonly ok: false; readonly reason: 'not json' | 'lone surrogate' | 'too deep' | JsonLoss['kind'] }

/**
 * The value of `text` if parsing loses nothing but white space and the spelling of equal numbers and characters.
 * `bytes`: the same text in UTF-8, where it was decoded from that.
 */
export function parseExact(text: string, bytes?: Uint8Array): ExactJson {
  const value = parseJson(text)
  if (value === undefined) return { ok: false, reason: 'not json' }
  const unstorable = unstorableReason(value, mayHoldLoneSurrogate(text, bytes))
  if (unstorable !== undefined) return { ok: false, reason: unstorable }
  if (isOwnText(text, value) || !mayHaveLostOrMoved(bytes ?? Buffer.from(text), value)) return { ok: true, value }
  const loss = findLoss(text, anyLoss)
  return loss === undefined ? { ok: true, value } : { ok: false, reason: loss.kind }
}

/** Written the same way again, it lost nothing: duplicates, spellings and order would show. Only compact text is. */
function isOwnText(text: string, value: Json): boolean {
  return !blankBeforeValue.test(text) && JSON.stringify(value) === text
}

/** Near the start, where every layout but the compact one has a blank. */
const blankBeforeValue = /^\s*(?:[[{]\s|\{"[^"\\]{0,256}":\s)/

function mayHaveLostOrMoved(bytes: Uint8Array, value: Json): boolean {
  return holdsIndexName(value) || mayHaveLost(bytes, value)
}

/** Engines list such names first, ascending, wherever they stood. */
function holdsIndexName(value: Json): boolean {
  if (typeof value !== 'object' || value === null) return false
  return (!Array.isArray(value) && Object.keys(value).some(isIndexLike)) || itemsOf(value).some(holdsIndexName)
}

function isIndexLike(name: string): boolean {
  const first = name.charCodeAt(0)
  return first >= 0x30 && first <= 0x39
}

/** `JSON.parse`, with undefined for what is not JSON. */
export function parseJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json
  } catch {
    // Not JSON: an answer, no failure.
    return undefined
  }
}

/** The value of `text` where it may be stored as one. A negative zero is zero: its spelling is layout. */
export function parseStorable(text: string): Json | undefined {
  const value = parseJson(text)
  if (value === undefined || unstorableReason(value, mayHoldLoneSurrogate(text)) !== undefined) return undefined
  return negativeZero.test(text) ? withoutNegativeZero(value) : value
}

type Unstorable = 'prototype name' | 'lone surrogate' | 'too deep'

/** Why a parsed value must not be stored as a value, F19: it would be dangerous, ill-formed or unreadable. */
function unstorableReason(value: Json, mayBeLone: boolean): Unstorable | undefined {
  return shapeReason(value, 0) ?? (mayBeLone && holdsLoneSurrogate(value) ? 'lone surrogate' : undefined)
}

function shapeReason(value: Json, depth: number): Exclude<Unstorable, 'lone surrogate'> | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  if (depth >= maxValueDepth) return 'too deep'
  if (Object.hasOwn(value, '__proto__')) return 'prototype name'
  for (const item of itemsOf(value)) {
    const reason = shapeReason(item, depth + 1)
    if (reason !== undefined) return reason
  }
  return undefined
}

function holdsLoneSurrogate(value: Json): boolean {
  if (typeof value === 'string') return loneSurrogate.test(value)
  if (typeof value !== 'object' || value === null) return false
  return Object.keys(value).some((name) => loneSurrogate.test(name)) || itemsOf(value).some(holdsLoneSurrogate)
}

function itemsOf(value: object): readonly Json[] {
  return Array.isArray(value) ? value : Object.values(value)
}

/** False: no string of the text's value holds one. What was decoded from UTF-8 holds one as an escape alone. */
function mayHoldLoneSurrogate(text: string, bytes?: Uint8Array): boolean {
  if (text.includes('\\ud') || text.includes('\\uD')) return true
  return bytes === undefined && loneSurrogate.test(text)
}

const anyLoss: ReadonlySet<JsonLoss['kind']> = new Set([
  'duplicate name',
  'prototype name',
  'inexact number',
  'name order',
])

const negativeZero = /-0(?:\.0*)?(?:[eE][+-]?\d+)?(?![.\d])/

function withoutNegativeZero(value: Json): Json {
  if (typeof value === 'number') return value === 0 ? 0 : value
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(withoutNegativeZero)
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, withoutNegativeZero(item as Json)]))
}

const loneSurrogate = /\p{Surrogate}/u
