/** Decimal numbers as JSON writes them, compared by value: nothing is rounded to a double. */
import { normalDecimal } from '../cassette/decimal-text.ts'

/** A number that a double does not hold exactly, in its one normal spelling. */
export class ExactNumber {
  /** `12345678901234567891e-2`: see `normalDecimal`. The text of a double never has the value of one of these. */
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
