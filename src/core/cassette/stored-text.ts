/** Which bytes are text (F5): valid UTF-8 without the control characters that only binary data has. */

// `ignoreBOM` keeps a byte order mark as a character: the bytes must come back.
const strictDecoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Control characters that no text has; tab, line feed, carriage return, backspace, form feed and escape are text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this looks for
const binaryCharacter = /[\u0000-\u0007\u000b\u000e-\u001a\u001c-\u001f]/

/** The text of these bytes, or undefined where they are not text: then they are binary. */
export function textOf(bytes: Uint8Array): string | undefined {
  try {
    const text = strictDecoder.decode(bytes)
    return binaryCharacter.test(text) ? undefined : text
  } catch {
    // Not UTF-8: an answer, no failure.
    return undefined
  }
}

/** Text in its most readable stored form: one string, or one a line where there are line feeds. */
export function storeText(text: string): { readonly text: string } | { readonly lines: readonly string[] } {
  return text.includes('\n') ? { lines: text.split('\n') } : { text }
}
