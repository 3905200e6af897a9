/**
 * Commands that can be copied into any shell. The rule, for sh, bash, zsh, PowerShell and cmd alike:
 * an argument stands in double quotes, and every character that one of them treats specially inside double quotes
 * is written `{u+HEX}`, which the `turntape` command reads back. Nothing else is changed: blanks, `>`, `&`, `'`, `*`
 * and letters of any language are plain inside double quotes in all of them.
 */

// sh: " $ ` \ and ! (history). PowerShell: " $ ` and the curly double quotes. cmd and .cmd files: " % ! ^.
// Controls, formats, lone surrogates and odd line ends cannot be pasted.
const unsafe = /["$`\\!%^\u201c-\u201f]|[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]|\{(?=u\+|\.\.\.\})/gu

const mark = /\{u\+([0-9a-f]{1,6})\}/g

/** A longer argument is cut there; `{...}` at its end means "and anything after". */
const maxArgumentLength = 240

const cutMark = '{...}'

/** One argument for the `turntape` command, quoted so that every shell hands it on as it stands. */
export function shellQuote(argument: string): string {
  const characters = Array.from(argument.slice(0, 2 * maxArgumentLength + 2))
  const cut = characters.length > maxArgumentLength
  const shown = cut ? characters.slice(0, maxArgumentLength).join('') : argument
  return `"${shown.replace(unsafe, escapeCharacter)}${cut ? cutMark : ''}"`
}

/** Reads an argument that `shellQuote` wrote and a shell handed on. `prefix`: it was cut, anything may follow. */
export function readShellArgument(argument: string): { readonly text: string; readonly prefix: boolean } {
  const prefix = argument.endsWith(cutMark)
  const body = prefix ? argument.slice(0, -cutMark.length) : argument
  return { text: body.replace(mark, readMark), prefix }
}

/**
 * A regular expression for a runner's `-t`, quoted: plain in every shell, since no backslash may be used.
 * Each character special to a shell or to a pattern is a `.`, which matches it; `names` are joined as the runner does.
 */
export function shellNamePattern(names: readonly string[]): string {
  const whole = names.map((name) => name.slice(0, 2 * maxArgumentLength)).join(' ')
  const pattern = whole.replace(unsafe, '.').replace(/[.*+?()[\]{}|/]/g, '.')
  return `"${Array.from(pattern).slice(0, maxArgumentLength).join('')}"`
}

/** A file for a runner that filters by substring: whole where it is plain in every shell, else its longest plain piece. */
export function shellFileFilter(file: string): string {
  const pieces = file.split(unsafe)
  return `"${pieces.reduce((longest, piece) => (piece.length > longest.length ? piece : longest), '')}"`
}

function escapeCharacter(character: string): string {
  return `{u+${(character.codePointAt(0) as number).toString(16)}}`
}

function readMark(whole: string, hex: string): string {
  const code = Number.parseInt(hex, 16)
  return code <= 0x10ffff ? String.fromCodePoint(code) : whole
}
