/**
 * Whether a plain `JSON.parse` lost something (F19), told from the file without building anything. Over the bytes, in which each
 * step is one comparison: a text that holds one character beyond Latin-1 has two bytes a character and is read half as fast.
 */

/**
 * True where a name stands twice in one object, or a number is not spelled as ECMAScript spells it: only then it may be one
 * that a double does not hold. `bytes` are JSON in UTF-8, and `value` what `JSON.parse` made of it.
 */
export function mayHaveLost(bytes: Uint8Array, value: unknown): boolean {
  let names = 0
  for (let at = 0; at < bytes.length; ) {
    const byte = bytes[at] as number
    if (byte === quote) {
      at = stringEnd(bytes, at)
      if (isName(bytes, at)) names += 1
    } else if (byte === minus || isDigit(byte)) {
      const end = numberEnd(bytes, at)
      if (isOdd(bytes, at, end)) return true
      at = end
    } else at += 1
  }
  // A name that stands twice is counted twice, and parsed once.
  return names !== countMembers(value)
}

const quote = 0x22
const plus = 0x2b
const minus = 0x2d
const point = 0x2e
const zero = 0x30
const nine = 0x39
const colon = 0x3a
const backslash = 0x5c
const lowerE = 0x65

/** Most strings end within this many bytes; a search that is told of the rest has its price. */
const nearBytes = 64

/** Just after the quote that closes the string. */
function stringEnd(bytes: Uint8Array, open: number): number {
  const near = Math.min(bytes.length, open + nearBytes)
  let at = open + 1
  while (at < near) {
    const byte = bytes[at]
    if (byte === quote) return at + 1
    at += byte === backslash ? 2 : 1
  }
  let close = bytes.indexOf(quote, at)
  while (close >= 0 && isEscaped(bytes, close)) close = bytes.indexOf(quote, close + 1)
  return close < 0 ? bytes.length : close + 1
}

/** An odd number of backslashes before it. */
function isEscaped(bytes: Uint8Array, quoteAt: number): boolean {
  let at = quoteAt - 1
  while (bytes[at] === backslash) at -= 1
  return (quoteAt - at) % 2 === 0
}

/** A string that a colon follows. */
function isName(bytes: Uint8Array, end: number): boolean {
  let at = end
  while (isBlank(bytes[at])) at += 1
  return bytes[at] === colon
}

function numberEnd(bytes: Uint8Array, start: number): number {
  let at = start + 1
  while (isOfNumber(bytes[at])) at += 1
  return at
}

/** Shorter numbers without an exponent always fit, whatever zeros they have at their ends. */
const leastInexactDigits = 16

function isOdd(bytes: Uint8Array, start: number, end: number): boolean {
  const isNegativeZero = bytes[start] === minus && bytes[start + 1] === zero
  if (end - start < leastInexactDigits && !isNegativeZero && !hasExponent(bytes, start, end)) return false
  const token = String.fromCharCode(...bytes.subarray(start, Math.min(end, start + longestOwnSpelling + 1)))
  return String(Number(token)) !== token
}

/** ECMAScript spells no number in more characters: `-1.2345678901234567e-300`. */
const longestOwnSpelling = 25

function hasExponent(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at += 1) if (isLetterE(bytes[at])) return true
  return false
}

function isOfNumber(byte: number | undefined): boolean {
  return byte !== undefined && (isDigit(byte) || byte === point || byte === minus || byte === plus || isLetterE(byte))
}

function isDigit(byte: number): boolean {
  return byte >= zero && byte <= nine
}

function isLetterE(byte: number | undefined): boolean {
  return byte !== undefined && (byte | 0x20) === lowerE
}

function isBlank(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09
}

function countMembers(value: unknown): number {
  let count = 0
  const pending: unknown[] = [value]
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (typeof next !== 'object' || next === null) continue
    const items: readonly unknown[] = Array.isArray(next) ? next : Object.values(next)
    if (!Array.isArray(next)) count += items.length
    for (const item of items) if (typeof item === 'object' && item !== null) pending.push(item)
  }
  return count
}
