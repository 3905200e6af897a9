/**
 * Whether a plain `JSON.parse` lost something (F19), told from the file without building anything. Over the bytes, in which each
 * step is one comparison: a text that holds one character beyond Latin-1 has two bytes a character and is read half as fast.
 */

/**
 * True where a name stands twice in one object, or a number is not spelled as ECMAScript spells it: only then it may be one
 * that a double does not hold. `bytes` are JSON in UTF-8, and `value` what `JSON.parse` made of it.
 */
export function mayHaveLost(bytes: Uint8Array, value: unknown): boolean {
  // A name that stands twice is counted twice, and parsed once.
  return countNames(bytes) !== countMembers(value)
}

/**
 * NaN where a number is spelled in an odd way. The state is in variables of its own and nothing else is called on the way:
 * compiled early, in the midst of the first files, it takes a fraction of what a function for each step takes.
 */
function countNames(bytes: Uint8Array): number {
  const { length } = bytes
  let names = 0
  for (let at = 0; at < length; ) {
    const byte = bytes[at] as number
    if (byte === quote) {
      for (at += 1; at < length; at += 1) {
        const inside = bytes[at]
        if (inside === quote) break
        if (inside === backslash) at += 1
      }
      for (at += 1; (bytes[at] as number) <= blank; ) at += 1
      if (bytes[at] === colon) names += 1
    } else if (byte < minus || byte > nine) at += 1
    else {
      // Of all that stands outside of strings only numbers have characters from minus to nine.
      const start = at
      for (at += 1; (bytes[at] as number) >= minus && (bytes[at] as number) <= nine; ) at += 1
      const isLong = at - start >= leastInexactDigits
      const mayBeOdd = isLong || isLetterE(bytes[at]) || (byte === minus && bytes[start + 1] === zero)
      if (mayBeOdd && isOdd(bytes, start)) return Number.NaN
    }
  }
  return names
}

/** Shorter numbers without an exponent always fit, whatever zeros they have at their ends. */
const leastInexactDigits = 16

const blank = 0x20
const quote = 0x22
const plus = 0x2b
const minus = 0x2d
const point = 0x2e
const zero = 0x30
const nine = 0x39
const colon = 0x3a
const backslash = 0x5c
const lowerE = 0x65

function isOdd(bytes: Uint8Array, start: number): boolean {
  let end = start
  while (isOfNumber(bytes[end])) end += 1
  const token = String.fromCharCode(...bytes.subarray(start, Math.min(end, start + longestOwnSpelling + 1)))
  return String(Number(token)) !== token
}

/** ECMAScript spells no number in more characters: `-1.2345678901234567e-300`. */
const longestOwnSpelling = 25

function isOfNumber(byte: number | undefined): boolean {
  return byte !== undefined && (isDigit(byte) || byte === point || byte === minus || byte === plus || isLetterE(byte))
}

function isDigit(byte: number): boolean {
  return byte >= zero && byte <= nine
}

function isLetterE(byte: number | undefined): boolean {
  return byte !== undefined && (byte | 0x20) === lowerE
}

function countMembers(value: unknown): number {
  // What user code adds to every object would be counted with them.
  for (const _ in Object.prototype) return Number.NaN
  let count = 0
  const pending = [value]
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (Array.isArray(next)) pushItems(next, pending)
    else if (typeof next === 'object') count += pushMembers(next as Readonly<Record<string, unknown>>, pending)
  }
  return count
}

function pushItems(list: readonly unknown[], pending: unknown[]): void {
  for (let index = 0; index < list.length; index += 1) {
    const item = list[index]
    if (typeof item === 'object') pending.push(item)
  }
}

/** How many there are. */
function pushMembers(holder: Readonly<Record<string, unknown>>, pending: unknown[]): number {
  let count = 0
  for (const name in holder) {
    count += 1
    const item = holder[name]
    if (typeof item === 'object') pending.push(item)
  }
  return count
}
