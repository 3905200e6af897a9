import { isPlaceholder } from './placeholder.ts'
import { isSecretMember, kindOfName, squashName } from './secret-names.ts'
import type { SecretSpan } from './span.ts'

/** From the quote that closes a name to the one that opens a string value; its backslashes are the depth of JSON in strings. */
const nameAndValue = /"\s{0,64}:\s{0,64}(\\{0,15})"/g

/** Finds the string values of JSON members that are secret by name, at any depth, in JSON inside strings too. */
export type MemberFinder = (text: string) => SecretSpan[]

/** `names`: further secret member names, spelling does not count. */
export function createMemberFinder(names: readonly string[]): MemberFinder {
  const own = new Set(names.map(squashName))
  const isSecret = remembered((name) => own.has(squashName(name)) || isSecretMember(name))
  return (text) => {
    const spans: SecretSpan[] = []
    for (const match of text.matchAll(nameAndValue)) {
      const depth = (match[1] as string).length
      const name = nameBefore(text, match.index, depth)
      if (name === undefined || ownBackslashes(depth) !== depth || !isSecret(name)) continue
      const span = valueAt(text, match.index + match[0].length, depth)
      if (span.start === span.end || isPlaceholder(span.secret)) continue
      spans.push({ ...span, kind: kindOfName(name) })
    }
    return spans
  }
}

/** Bodies repeat few names very often; a body of many names must not fill the memory. */
function remembered(judge: (name: string) => boolean): (name: string) => boolean {
  const known = new Map<string, boolean>()
  return (name) => {
    let verdict = known.get(name)
    if (verdict === undefined) {
      verdict = judge(name)
      if (known.size < maxRemembered) known.set(name, verdict)
    }
    return verdict
  }
}

const maxRemembered = 2000

/** The member name whose closing quote is at `quote`, if both its quotes have this depth. */
function nameBefore(text: string, quote: number, depth: number): string | undefined {
  const end = quote - depth
  let open = end - 1
  while (open > end - maxNameLength && open >= 0 && text.charCodeAt(open) !== 0x22) open -= 1
  if (text[open] !== '"' || backslashesBefore(text, open, open - depth - 1) !== depth) return undefined
  if (backslashesBefore(text, quote, quote - depth - 1) !== depth) return undefined
  return text.slice(open + 1, end)
}

const maxNameLength = 100

/** The string whose content begins at `start`, up to its closing quote, or to the end of what holds it where it is cut. */
function valueAt(text: string, start: number, depth: number): { start: number; end: number; secret: string } {
  for (let quote = text.indexOf('"', start); quote >= 0; quote = text.indexOf('"', quote + 1)) {
    const own = ownBackslashes(backslashesBefore(text, quote, start))
    if (own <= depth) return content(text, start, quote - own)
  }
  return content(text, start, text.length)
}

/**
 * How many of the backslashes before a quote escape the quote itself: none for a quote of the outermost string, one for
 * JSON in it, three for JSON in that, seven, fifteen. The rest are backslashes of the text inside.
 */
function ownBackslashes(count: number): number {
  let own = 0
  for (let left = count; left % 2 === 1; left = (left - 1) / 2) own = 2 * own + 1
  return own
}

function content(text: string, start: number, end: number): { start: number; end: number; secret: string } {
  return { start, end, secret: text.slice(start, end) }
}

function backslashesBefore(text: string, index: number, from: number): number {
  let count = 0
  while (index - count > from && text[index - count - 1] === '\\') count += 1
  return count
}
