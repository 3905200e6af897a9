/** Decimal numbers as JSON writes them, compared by value: nothing is rounded to a double. */

/** A number that a double does not hold exactly, in its one normal spelling. */
export class ExactNumber {
  /** `12345678901234567891e-2`: sign, digits without outer zeros, exponent of ten. */
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/**
 * What a JSON number token stands for: a double where the double's own shortest text has the same decimal value, else
 * the decimal itself. `0.1` and `1e-1` are the double 0.1; `9007199254740993` and `1e400` stay decimals.
 */
export function readNumber(token: string): number | ExactNumber {
  const double = Number(token)
  if (token.length <= 15 && !/[eE]/.test(token)) return double // fewer than 16 digits always fit
  const decimal = normalDecimal(token)
  return Number.isFinite(double) && normalDecimal(String(double)) === decimal ? double : new ExactNumber(decimal)
}

/**
 * One spelling a decimal value: `-1.50e3` is `-15e2`, every zero is `0e0`.
 * The text of a double never has the value of an ExactNumber, so the two cannot be mistaken for each other.
 */
function normalDecimal(token: string): string {
  const match = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(token)
  if (match === null) return token
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match
  const digits = trimZeros(whole + fraction)
  if (digits.text === '') return '0e0'
  // BigInt: an exponent may have more digits than a double holds.
  const power = BigInt(exponent) - BigInt(fraction.length) + BigInt(digits.trailing)
  return `${sign}${digits.text}e${power}`
}

/** Digits without leading and trailing zeros, and how many trailing ones there were. Linear, unlike `/0+$/`. */
function trimZeros(digits: string): { readonly text: string; readonly trailing: number } {
  let end = digits.length
  while (end > 0 && digits[end - 1] === '0') end--
  let start = 0
  while (start < end && digits[start] === '0') start++
  return { text: digits.slice(start, end), trailing: digits.length - end }
}
