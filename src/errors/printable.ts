// What a terminal would act on, or a reader could not see: controls, formats, lone surrogates, odd line ends, no-break space.
// The two joiners stay, emoji and several scripts are made with them.
const unprintable = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\u00a0]/gu

const shortEscapes: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

/** The text on one line, safe for any terminal: every character that cannot be seen is written as an escape. */
export function printable(text: string): string {
  return text.replace(unprintable, escapeCharacter)
}

/** As `printable`, everything beyond ASCII written as an escape too: tells apart texts that look alike. */
export function printableAscii(text: string): string {
  return text.replace(/[^\x20-\x7e]/gu, escapeCharacter)
}

function escapeCharacter(character: string): string {
  return shortEscapes[character] ?? `\\u{${(character.codePointAt(0) as number).toString(16)}}`
}
