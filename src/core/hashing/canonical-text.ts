/** The canonical form of a text that may be JSON, F13. */
import { canonicalJson } from './canonical-json.ts'
import { parseLossless, type TextReason } from './parse-lossless.ts'
import { serialiseLossless } from './serialise-lossless.ts'

export type CanonicalText =
  /** RFC 8785, save that a number no double holds exactly stands as its normal decimal text, `9007199254740993e0`. */
  | { readonly kind: 'json'; readonly canonical: string }
  /** Its own text is its identity. */
  | { readonly kind: 'text'; readonly reason: TextReason }

/** Equal for two texts exactly if they are the same JSON: order of names, white space and spellings do not count. */
export function canonicalText(text: string): CanonicalText {
  const parsed = parseLossless(text)
  if (parsed.kind === 'text') return parsed
  const canonical = parsed.exact ? serialiseLossless(parsed.value) : canonicalJson(parsed.value)
  return { kind: 'json', canonical }
}
