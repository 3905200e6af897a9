import { isPlaceholder } from './placeholder.ts'
import { isSecretMember, kindOfName, squashName } from './secret-names.ts'
import type { SecretSpan } from './span.ts'

/** Finds the string values of JSON members that are secret by name, at any depth, in JSON inside strings too. */
export type MemberFinder = (text: string) => SecretSpan[]

/** `names`: further secret member names, spelling does not count. */
export function createMemberFinder(names: readonly string[]): MemberFinder {
  const own = new Set(names.map(squashName))
  const isSecret = remembered((name) => own.has(squashName(name)) || isSecretMember(name))
  return (text) => {
    const spans: SecretSpan[] = []
    for (let colon = text.indexOf(':'); colon >= 0; colon = text.indexOf(':', colon + 1)) {
      const border = borderAt(text, colon)
      if (border === undefined) continue
      const { closing, depth, start } = border
      const name = nameBefore(text, closing, depth)
      if (name === undefined || ownBackslashes(depth) !== depth || !isSecret(name)) continue
      const span = valueAt(text, start, depth)
      if (span.start === span.end || isPlaceholder(span.secret)) continue
      spans.push({ ...span, kind: kindOfName(name) })
    }
    return spans
  }
}

interface Border {
  /** The quote that closes the name. */
  readonly closing: number
  /** The backslashes of the quote that opens the value: the depth of JSON in strings. */
  readonly depth: number
  /** Where the string value begins. */
  readonly start: number
}

/** What stands around a colon, if that is a quote before it and one behind it, with few blanks between. */
function borderAt(text: string, colon: number): Border | undefined {
  let closing = colon - 1
  while (isBlank(text, closing) && colon - closing <= maxBlanks) closing -= 1
  if (text.charCodeAt(closing) !== quote) return undefined
  let open = colon + 1
  while (isBlank(text, open) && open - colon <= maxBlanks) open += 1
  const escaped = open
  while (text.charCodeAt(open) === backslash && open - escaped < maxDepth) open += 1
  return text.charCodeAt(open) === quote ? { closing, depth: open - escaped, start: open + 1 } : undefined
}

const quote = 0x22
const backslash = 0x5c
const maxBlanks = 64
const maxDepth = 15

function isBlank(text: string, index: number): boolean {
  const code = text.charCodeAt(index)
  return code <= 0x20
    ? code === 0x20 || (code >= 0x09 && code <= 0x0d)
    : code > 0x7f && /\s/.test(text[index] as string)
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
