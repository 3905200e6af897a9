/** JSON text as a value, where nothing is lost by that (F5, F6, F13). */
import type { Json } from './document.ts'
import { findLoss, type JsonLoss } from './exact-json.ts'
import { findLayout } from './find-layout.ts'

/**
 * Deepest nesting of a value that is stored as a value; a deeper one stays text.
 * Far beyond any request, and far from where recursion over it would overflow the stack.
 */
export const maxValueDepth = 256

export type ExactJson =
  | { readonly ok: true; readonly value: Json }
  | { readonly ok: false; readonly reason: 'not json' | 'lone surrogate' | 'too deep' | JsonLoss['kind'] }

/** The value of `text` if parsing loses nothing but white space and the spelling of equal numbers and characters. */
export function parseExact(text: string): ExactJson {
  const value = parseJson(text)
  if (value === undefined) return { ok: false, reason: 'not json' }
  const unstorable = unstorableReason(value)
  if (unstorable !== undefined) return { ok: false, reason: unstorable }
  // Written the same way again, it lost nothing: duplicates, spellings and order would show.
  if (findLayout(text, value) !== undefined) return { ok: true, value }
  const loss = findLoss(text, anyLoss)
  return loss === undefined ? { ok: true, value } : { ok: false, reason: loss.kind }
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
  if (value === undefined || unstorableReason(value) !== undefined) return undefined
  return negativeZero.test(text) ? withoutNegativeZero(value) : value
}

/** Why a parsed value must not be stored as a value, F19: it would be dangerous, ill-formed or unreadable. */
function unstorableReason(value: Json, depth = 0): 'prototype name' | 'lone surrogate' | 'too deep' | undefined {
  if (typeof value === 'string') return loneSurrogate.test(value) ? 'lone surrogate' : undefined
  if (typeof value !== 'object' || value === null) return undefined
  if (depth >= maxValueDepth) return 'too deep'
  if (Array.isArray(value)) return unstorableItem(value, depth)
  for (const name of Object.keys(value)) {
    if (name === '__proto__') return 'prototype name'
    if (loneSurrogate.test(name)) return 'lone surrogate'
  }
  return unstorableItem(Object.values(value) as readonly Json[], depth)
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

function unstorableItem(items: readonly Json[], depth: number): ReturnType<typeof unstorableReason> {
  for (const item of items) {
    const reason = unstorableReason(item, depth + 1)
    if (reason !== undefined) return reason
  }
  return undefined
}
