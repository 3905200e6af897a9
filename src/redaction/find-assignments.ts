import { isSecretMember, isSecretVariable, kindOfName } from './secret-names.ts'
import type { SecretSpan } from './span.ts'
import { endsWithColour } from './text-borders.ts'

/** `DB_PASSWORD=…`, `x-api-key: …`, `password = '…'`: from the sign on, one run of letters that keys are made of. */
const signAndValue = /[=:] {0,3}(?:\\{0,3}["'`])?([A-Za-z0-9_~@!$%^*+/.-]{8}[A-Za-z0-9_~@!$%^*+/.-]*={0,2})/y

/** Secrets that a text sets by a name that leaves no doubt: what `env`, a `.env` file or a command line shows. */
export function findAssignments(text: string): SecretSpan[] {
  const spans: SecretSpan[] = []
  let done = 0
  // From sign to sign: most texts hold few that a name stands before.
  for (const sign of signs(text)) {
    const written = sign < done ? undefined : nameBefore(text, sign)
    if (written === undefined || written.start < done) continue
    signAndValue.lastIndex = sign
    const value = signAndValue.exec(text)?.[1]
    if (value === undefined) continue
    const whole = text.slice(written.start, written.end)
    const name = text[written.start - 1] === '\\' ? withoutEscape(whole) : whole
    // The value may set something itself: `filename=DB_PASSWORD=…`.
    if (!isSecretName(name) || !isTelling(value)) continue
    done = signAndValue.lastIndex
    spans.push({ start: done - value.length, end: done, kind: kindOfName(name), secret: value })
  }
  return spans
}

/** The place of each sign, in order. */
function* signs(text: string): Generator<number> {
  let colonAt = placeOf(':', text, 0)
  let equalsAt = placeOf('=', text, 0)
  for (let at = Math.min(colonAt, equalsAt); at < text.length; at = Math.min(colonAt, equalsAt)) {
    yield at
    if (at === colonAt) colonAt = placeOf(':', text, at + 1)
    else equalsAt = placeOf('=', text, at + 1)
  }
}

/** The next place of a sign; the length of the text where there is none. */
function placeOf(sign: string, text: string, from: number): number {
  const at = text.indexOf(sign, from)
  return at < 0 ? text.length : at
}

const blank = 0x20
const equals = 0x3d
const mostBlanks = 3
const longestName = 61

/** The whole run of letters that ends at the sign, or at the blanks before an equals sign; undefined where it is no name. */
function nameBefore(text: string, sign: number): { readonly start: number; readonly end: number } | undefined {
  let end = sign
  if (text.charCodeAt(sign) === equals) {
    while (end > sign - mostBlanks && text.charCodeAt(end - 1) === blank) end -= 1
  }
  let start = end
  while (end - start <= longestName && isNameLetter(text.charCodeAt(start - 1)) && !endsWithColour(text, start)) {
    start -= 1
  }
  const length = end - start
  return length >= 2 && length <= longestName && isLetter(text.charCodeAt(start)) ? { start, end } : undefined
}

function isNameLetter(code: number): boolean {
  return isLetter(code) || (code >= 0x30 && code <= 0x39) || code === 0x5f || code === 0x2e || code === 0x2d
}

function isLetter(code: number): boolean {
  const lower = code | 0x20
  return lower >= 0x61 && lower <= 0x7a
}

/** In JSON the letter of `\n` stands before the name. */
function withoutEscape(written: string): string {
  return written.replace(/^(?:u[0-9a-fA-F]{4}|[bfnrt])/, '')
}

function isSecretName(name: string): boolean {
  return isSecretMember(name) || (/^[A-Z][A-Z0-9_]*$/.test(name) && isSecretVariable(name))
}

/** No word of a sentence, no name of a variable, no path: it has a digit and a letter, and is no code. */
function isTelling(value: string): boolean {
  return (
    /[0-9]/.test(value) && /[A-Za-z]/.test(value) && !/^(?:\$|[./~])|^(?:process|os|env|config|self|this)\./.test(value)
  )
}
