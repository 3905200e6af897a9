import type { NamedPattern } from './redact-options.ts'
import type { SecretSpan } from './span.ts'
import { decodeLiteral, stringLiterals } from './string-literals.ts'

/** `json`: the text holds JSON (SSE and JSON lines included), and a span must stay inside one string. */
export type TextForm = 'json' | 'text'

/** The user's own patterns. */
export function findPatterns(text: string, form: TextForm, patterns: readonly NamedPattern[]): SecretSpan[] {
  if (patterns.length === 0) return []
  if (form === 'text') return patterns.flatMap(({ name, pattern }) => matches(text, name, pattern))
  return stringLiterals(text).flatMap((range) => {
    const { value, rawIndexOf } = decodeLiteral(text, range)
    return patterns
      .flatMap(({ name, pattern }) => matches(value, name, pattern))
      .map((span) => ({ ...span, start: rawIndexOf(span.start), end: rawIndexOf(span.end) }))
  })
}

function matches(text: string, kind: string, pattern: RegExp): SecretSpan[] {
  const spans: SecretSpan[] = []
  for (const match of text.matchAll(pattern)) {
    if (match[0] === '') continue
    const { start, end } = wholeLetters(text, match.index, match.index + match[0].length)
    spans.push({ start, end, kind, secret: text.slice(start, end) })
  }
  return spans
}

/** A pattern without the flag `u` may cut a letter of two units: half a letter is no text. */
function wholeLetters(text: string, start: number, end: number): { start: number; end: number } {
  const splits = (index: number): boolean => isHigh(text.charCodeAt(index - 1)) && isLow(text.charCodeAt(index))
  return { start: splits(start) ? start - 1 : start, end: splits(end) ? end + 1 : end }
}

function isHigh(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff
}

function isLow(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff
}
