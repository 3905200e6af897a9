/** Half of a surrogate pair, which has no UTF-8 form: RFC 8785 refuses it, so a body that holds one is text (F13). */

/**
 * True if a JSON text written by JSON.stringify (or an RFC 8785 serialiser) holds a lone surrogate: those writers escape
 * a lone one as `\udXXX` and write a pair as it is, so the escape, not itself escaped, is the whole test.
 */
export function serialisedHoldsLoneSurrogate(text: string): boolean {
  return text.includes('\\ud') && /(?<!\\)(?:\\\\)*\\ud[89a-f]/.test(text)
}

/** True if a string holds a lone surrogate. */
export function holdsLoneSurrogate(value: string): boolean {
  return /[\ud800-\udfff]/u.test(value)
}
