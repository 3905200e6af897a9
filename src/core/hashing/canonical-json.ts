/**
 * Identity of JSON values, F13: RFC 8785 text. Owns what "the same value" means; knows nothing of requests or files.
 * The language's own writer does all but the order of the members, so what it gets is a copy in that order, of which all that
 * was in order already is shared. What no copy can hold in order, and what is no JSON, goes to the slower serialiser.
 */
import type { Json } from '../cassette/document.ts'
import { serialiseLossless } from './serialise-lossless.ts'

/**
 * The RFC 8785 text of a value: names sorted by UTF-16 units, numbers as ECMAScript writes them, no white space.
 * Total on JSON values of any depth. Where RFC 8785 refuses, a lone surrogate is written as its `\udXXX` escape (as
 * `JSON.stringify` does), so that no two values share a text; bodies that hold one are text and never come here (F13).
 * A member that is undefined counts as absent.
 * Throws TURNTAPE_USAGE for what is not JSON: NaN, an infinity, a cycle.
 */
export function canonicalJson(value: Json): string {
  const sorted = sortedOrUndefined(value)
  return sorted === undefined ? serialiseLossless(value) : JSON.stringify(sorted)
}

/** Deeper values are the serialiser's, which is not recursive. */
const maxDepth = 512

function sortedOrUndefined(value: Json): Json | undefined {
  try {
    return inOrder(value, 0)
  } catch (unordered) {
    if (unordered === cannotBeOrdered) return undefined
    throw unordered
  }
}

/** Thrown from any depth, and caught above: the common value pays nothing for it. */
const cannotBeOrdered = Symbol()

/** The value with the members of every object sorted; the very same one where they are. */
function inOrder(value: Json, depth: number): Json {
  if (typeof value !== 'object' || value === null) return checkedScalar(value)
  if (depth > maxDepth) throw cannotBeOrdered
  return Array.isArray(value) ? itemsInOrder(value, depth) : membersInOrder(value as JsonObject, depth)
}

type JsonObject = { readonly [name: string]: Json }

function checkedScalar(value: null | boolean | number | string): Json {
  const isJson = typeof value === 'number' ? Number.isFinite(value) : value === null || scalarTypes.has(typeof value)
  if (!isJson) throw cannotBeOrdered
  return value
}

const scalarTypes: ReadonlySet<string> = new Set(['string', 'boolean', 'undefined'])

function itemsInOrder(items: readonly Json[], depth: number): Json {
  let copy: Json[] | undefined
  for (let index = 0; index < items.length; index += 1) {
    const item = items[index] as Json
    // Strings are most of all values: a call less for each.
    const sorted = typeof item === 'string' ? item : inOrder(item, depth + 1)
    if (sorted === item) continue
    copy ??= [...items]
    copy[index] = sorted
  }
  return copy ?? items
}

function membersInOrder(members: JsonObject, depth: number): Json {
  const names = Object.keys(members)
  let isSame = true
  for (let index = 0; index < names.length; index += 1) {
    const name = names[index] as string
    const first = name.charCodeAt(0)
    // An object keeps such names in an order of its own, or takes them for something else.
    const isOdd = (first >= zero && first <= nine) || name === '__proto__' || name === 'toJSON'
    if (isOdd) throw cannotBeOrdered
    if (index > 0 && (names[index - 1] as string) > name) isSame = false
  }
  let copy: Record<string, Json> | undefined = isSame ? undefined : {}
  for (const name of isSame ? names : names.sort()) {
    const item = members[name] as Json
    const sorted = typeof item === 'string' ? item : inOrder(item, depth + 1)
    if (sorted !== item) copy ??= { ...members }
    if (copy !== undefined) copy[name] = sorted
  }
  return copy ?? members
}

const zero = 0x30
const nine = 0x39
