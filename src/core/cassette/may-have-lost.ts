/** Whether a plain `JSON.parse` lost something (F19), told from the text without building anything. */

/**
 * True where a name stands twice in one object, or a number is not spelled as ECMAScript spells it: only then it may be one
 * that a double does not hold. `text` is JSON, and `value` what `JSON.parse` made of it.
 */
export function mayHaveLost(text: string, value: unknown): boolean {
  let names = 0
  for (let next = 0; next < text.length; ) {
    const found = text.indexOf('"', next)
    const open = found < 0 ? text.length : found
    if (hasOddNumber(text, next, open)) return true
    next = stringEnd(text, open)
    if (isName(text, next)) names += 1
  }
  // A name that stands twice is counted twice, and parsed once.
  return names !== countMembers(value)
}

/** The shortest such number, with what stands before it. */
const leastOddNumber = ':-0'.length

/** A number of sixteen digits or more, with an exponent, or a negative zero; or one that looks so. Others always fit. */
const likelyNumber = /\d[\d.]{15}|\d[eE]|-0/

/** Between two strings; most of such places hold nothing but a comma or a line end. */
function hasOddNumber(text: string, start: number, end: number): boolean {
  if (end - start < leastOddNumber) return false
  const between = text.slice(start, end)
  if (!likelyNumber.test(between)) return false
  for (const [token] of between.matchAll(/-?\d[\d.eE+-]*/g)) if (String(Number(token)) !== token) return true
  return false
}

/** Just after the quote that closes the string. */
function stringEnd(text: string, open: number): number {
  let close = text.indexOf('"', open + 1)
  while (isEscaped(text, close)) close = text.indexOf('"', close + 1)
  return close < 0 ? text.length : close + 1
}

/** A string that a colon follows. */
function isName(text: string, end: number): boolean {
  let next = end
  while (isBlank(text.charCodeAt(next))) next += 1
  return text.charCodeAt(next) === colon
}

const colon = 0x3a
const backslash = 0x5c

/** An odd number of backslashes before it. */
function isEscaped(text: string, quote: number): boolean {
  let at = quote - 1
  while (text.charCodeAt(at) === backslash) at -= 1
  return (quote - at) % 2 === 0
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09
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
