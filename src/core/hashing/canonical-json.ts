/**
 * Identity of JSON values, F13: RFC 8785 text. Owns what "the same value" means; knows nothing of requests or files.
 * `json-canonicalize` does the common case. It has three faults on values that come from a parse, and each of them goes
 * to our own serialiser, which a test holds to the same output: a member named `toJSON` stops its sorting, one object
 * reachable on two paths (`/a`, `/ab`) counts as a cycle, and deep nesting overflows the stack.
 */
import { canonicalize } from 'json-canonicalize'
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
  const canonical = canonicalizeOrUndefined(value)
  return canonical === undefined || canonical.includes('"toJSON":') ? serialiseLossless(value) : canonical
}

function canonicalizeOrUndefined(value: Json): string | undefined {
  try {
    return canonicalize(value)
  } catch {
    // Too deep, a false cycle, or not JSON: our serialiser serves the first two and names the third.
    return undefined
  }
}
