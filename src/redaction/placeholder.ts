/**
 * What a placeholder looks like. A secret becomes `<redacted:KIND:N>`, N apart for apart secrets of one kind; a path
 * prefix becomes one of three words. Both hold ASCII only and nothing that JSON, SSE or a form would escape.
 */

export type PathPlaceholder = '<project>' | '<home>' | '<tmp>'

/** As it stands, as a URL spells it, and as a JSON writer that escapes angle brackets spells it. */
const spelling = /(?:<|%3C|\\u003c)redacted(?::|%3A)([a-z][a-z0-9-]{0,39})(?::|%3A)([1-9]\d{0,8})(?:>|%3E|\\u003e)/i

const whole = new RegExp(`^${spelling.source}$`, 'i')
const closed = /<(?:project|home|tmp|redacted:[a-z][a-z0-9-]{0,39}:[1-9]\d{0,8})>$/
const longestPlaceholder = 64

/** `<redacted:KIND:N>`. */
export function formatPlaceholder(kind: string, number: number): string {
  return `<redacted:${kind}:${number}>`
}

/** The first placeholder of a secret in the text, in whatever spelling; path placeholders do not count (F15). */
export function placeholderIn(text: string): string | undefined {
  return spelling.exec(text)?.[0]
}

/** True where the text is one placeholder and nothing else. */
export function isPlaceholder(text: string): boolean {
  return whole.test(text)
}

/** True where a placeholder, of a secret or a path, ends right before `index`. */
export function endsWithPlaceholder(text: string, index: number): boolean {
  return text[index - 1] === '>' && closed.test(text.slice(Math.max(0, index - longestPlaceholder), index))
}

/** Every placeholder of a secret in the text. */
export function placeholdersIn(text: string): { kind: string; number: number; start: number; end: number }[] {
  const found = []
  for (const match of text.matchAll(new RegExp(spelling.source, 'gi'))) {
    found.push({
      kind: (match[1] as string).toLowerCase(),
      number: Number(match[2]),
      start: match.index,
      end: match.index + match[0].length,
    })
  }
  return found
}

/** Undoes what `URL` does to a placeholder in a URL, so that a served URL that is asked for is itself again. */
export function decodePlaceholders(url: string): string {
  return url
    .replace(/%3C(project|home|tmp)%3E/gi, (_, name: string) => `<${name.toLowerCase()}>`)
    .replace(new RegExp(spelling.source, 'gi'), (_, kind: string, number: string) =>
      formatPlaceholder(kind.toLowerCase(), Number(number)),
    )
}
