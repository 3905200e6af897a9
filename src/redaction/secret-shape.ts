/**
 * The shape of a known key: what it begins with, and what must follow. A finder looks for the beginnings first, since
 * most texts hold none. Every `rest` is sticky and linear: one run of one class, no nested repetition.
 */
export interface SecretShape {
  readonly kind: string
  /** Literal beginnings, longest first. */
  readonly starts: readonly string[]
  /** What of the secret stands before the beginning, where that is in its middle; matches up to its end, at most 60 long. */
  readonly lead?: RegExp
  /** What follows a beginning, sticky. */
  readonly rest: RegExp
  /** `start`: the beginning is only the context (`Bearer `) and stays. */
  readonly keeps?: 'start'
  /** A made-up secret, apart from its beginning so that no scanner takes this file for a leak. */
  readonly sample: string
  readonly sampleLead?: string
}

export const sampleLetters = 'Zq7Rw2Xn9Kd4Tb6Yh1Mv8Jc3Lp5Gs0FaUeWi'
export const sampleHex = '0a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f6071'

/** One or more runs of token letters, at least `least` long. A digit is asked for where words could look alike. */
export function token(least: number, options?: { readonly also?: string; readonly digit?: true }): RegExp {
  const letter = `[A-Za-z0-9${options?.also ?? ''}]`
  const digit = options?.digit === true ? `(?=[A-Za-z${options.also ?? ''}]*[0-9])` : ''
  // `{n}` and then `*`, not `{n,}`: the second form keeps a counter per letter and can exhaust the matcher's stack.
  return new RegExp(`${digit}${letter}{${least}}${letter}*`, 'y')
}

/** Letters of tokens that are written with dashes and underscores. */
export const dashed = '_-'
