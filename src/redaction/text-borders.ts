/** Where a token or a path may begin in a text that may itself be JSON, a form or a URL: escapes are borders. */
import { endsWithPlaceholder } from './placeholder.ts'

/** True where a token may start at `index`. Letters of other scripts are borders: tokens are ASCII. */
export function isTokenBorder(text: string, index: number): boolean {
  return isBorder(text, index, isTokenCode)
}

/** True where a name (of a file, a user, a host) may start at `index`. */
export function isNameBorder(text: string, index: number): boolean {
  return isBorder(text, index, isNameCode)
}

/** True where no word goes over `index`: `alice` is a word of its own in `-Users-alice-project`, not in `malice`. */
export function isWordBorder(text: string, index: number): boolean {
  if (index === 0 || index === text.length) return true
  return !isWordCode(text.charCodeAt(index)) || isBorder(text, index, isWordCode)
}

function isWordCode(code: number): boolean {
  return isNameCode(code) && code !== 0x2d
}

function isTokenCode(code: number): boolean {
  return isAsciiAlphanumeric(code) || code === 0x5f || code === 0x2d
}

/** ASCII letters, digits, `_`, `-`, and the alphabets that write words apart from each other. */
function isNameCode(code: number): boolean {
  return isTokenCode(code) || (code >= 0xc0 && code <= 0x24f) || (code >= 0x370 && code <= 0x52f)
}

function isAsciiAlphanumeric(code: number): boolean {
  return (code >= 0x30 && code <= 0x39) || (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a)
}

function isBorder(text: string, index: number, isInside: (code: number) => boolean): boolean {
  if (index === 0) return true
  // Directly after a placeholder nothing starts: there the secret's last letter stood, and redacting twice changes nothing.
  if (!isInside(text.charCodeAt(index - 1))) return !endsWithPlaceholder(text, index)
  return endsWithEscape(text, index)
}

/** The end of what colours a terminal, as it is and as JSON and source code write it. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: escape and NUL are what it looks for
const colour = /(?:\u001b|\\(?:u001[bB]|x1[bB]|e|033))\[[0-9;]{0,20}m$/
const longestColour = 28

export function endsWithColour(text: string, index: number): boolean {
  return text[index - 1] === 'm' && colour.test(text.slice(Math.max(0, index - longestColour), index))
}

/** True after `\n` and the like, `\u0020`, `%20`, and after a colour: as escapes their letters are none. */
function endsWithEscape(text: string, index: number): boolean {
  const last = text.charCodeAt(index - 1)
  if (endsWithColour(text, index)) return true
  if (text[index - 2] === '\\') return 'nrtbf'.includes(String.fromCharCode(last))
  if (!isHexCode(last) || !isHexCode(text.charCodeAt(index - 2))) return false
  if (text[index - 3] === '%') return true
  return text[index - 5] === 'u' && text[index - 6] === '\\' && isHexCode(text.charCodeAt(index - 3))
}

function isHexCode(code: number): boolean {
  return (code >= 0x30 && code <= 0x39) || (code >= 0x41 && code <= 0x46) || (code >= 0x61 && code <= 0x66)
}
