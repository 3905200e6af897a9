/** Whether a plain `JSON.parse` lost something (F19), told from the text without building anything. */

/**
 * True where a name stands twice in one object, or a number is not spelled as ECMAScript spells it: only then it may be one
 * that a double does not hold. `text` is JSON, and `value` what `JSON.parse` made of it.
 */
export function mayHaveLost(text: string, value: unknown): boolean {
  // A name that stands twice is counted twice, and parsed once.
  return (likelyNumber.test(text) && hasOddNumber(text)) || countNames(text) !== countMembers(value)
}

/** A number of sixteen digits or more, with an exponent, or a negative zero; or a text that looks so. Others always fit. */
const likelyNumber = /[\s:,[](?:-?\d[\d.]{15}|-?\d[\d.]*[eE][+-]?\d+[\s,\]}]|-0[\s,.\]}])/

function hasOddNumber(text: string): boolean {
  const numbers = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g
  for (const [token] of text.matchAll(numbers))
    if (!token.startsWith('"') && String(Number(token)) !== token) return true
  return false
}

/** Strings that a colon follows. */
function countNames(text: string): number {
  let count = 0
  for (let open = text.indexOf('"'); open >= 0; ) {
    let close = text.indexOf('"', open + 1)
    while (isEscaped(text, close)) close = text.indexOf('"', close + 1)
    let next = close + 1
    while (isBlank(text.charCodeAt(next))) next += 1
    if (text.charCodeAt(next) === colon) count += 1
    open = text.indexOf('"', next)
  }
  return count
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
