/** `[start, end)` of a text, in UTF-16 units, and what stands there instead. Lists are in order, without overlap. */
export interface Replacement {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** The text with its replacements; the same string where there are none. */
export function replaceIn(text: string, replacements: readonly Replacement[]): string {
  if (replacements.length === 0) return text
  const parts: string[] = []
  let done = 0
  for (const replacement of replacements) {
    parts.push(text.slice(done, replacement.start), replacement.text)
    done = replacement.end
  }
  parts.push(text.slice(done))
  return parts.join('')
}
