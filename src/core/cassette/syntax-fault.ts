/** Why a file is no JSON text at all, and where (F19): conflict markers, truncation, wrong encoding. */
import { ReplayError } from '../../errors/replay-error.ts'
import { type JsonPosition, parseTree } from './exact-json.ts'

/** The text of UTF-8 bytes. @throws TURNTAPE_CASSETTE_INVALID for other bytes, with the line of the first. */
export function readUtf8(bytes: Uint8Array, cassette: string): string {
  try {
    return strictDecoder.decode(bytes)
  } catch (cause) {
    const reason = 'the file is not UTF-8'
    throw new ReplayError(
      'TURNTAPE_CASSETTE_INVALID',
      { cassette, ...firstInvalidByte(bytes), reason, remedy: encodingRemedy },
      { cause },
    )
  }
}

/** For text that `JSON.parse` refused: the clearest account of what is wrong with it. */
export function findSyntaxFault(text: string, cassette: string): ReplayError {
  const fault = conflictMarker(text) ?? byteOrderMark(text) ?? emptyFile(text) ?? syntaxError(text)
  return new ReplayError('TURNTAPE_CASSETTE_INVALID', { cassette, ...fault })
}

interface SyntaxFault extends JsonPosition {
  readonly reason: string
  readonly remedy?: string
}

const strictDecoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

const encodingRemedy = 'Save it as UTF-8 without a byte order mark, or record it again.'

// No string of a cassette holds a raw line end, so a marker at the start of a line is never content.
const marker = /^(?:<{7}|\|{7}|={7}|>{7})(?: |\r?$)/m

function conflictMarker(text: string): SyntaxFault | undefined {
  const match = marker.exec(text)
  if (match === null) return undefined
  return {
    line: text.slice(0, match.index).split('\n').length,
    column: 1,
    reason: 'it holds a git conflict marker',
    remedy: 'Take one side whole (git checkout --ours or --theirs), or record it again.',
  }
}

function byteOrderMark(text: string): SyntaxFault | undefined {
  if (!text.startsWith('\ufeff')) return undefined
  return { line: 1, column: 1, reason: 'it begins with a byte order mark', remedy: encodingRemedy }
}

function emptyFile(text: string): SyntaxFault | undefined {
  return text.trim() === '' ? { line: 1, column: 1, reason: 'the file is empty' } : undefined
}

function syntaxError(text: string): SyntaxFault {
  const { controlCharacter, isOpen } = scanStrings(text)
  const tree = parseTree(text)
  // The exact parser is laxer about raw control characters in strings than the language is.
  if (tree.ok) return { ...controlCharacter, reason: 'a string holds a raw control character' }
  const end = positionAt(text, text.trimEnd().length)
  if (isOpen && (tree.line === end.line || tree.reason === 'unexpected end of input')) {
    return { ...end, reason: 'the file ends in the middle: it is truncated' }
  }
  return { line: tree.line, column: tree.column, reason: tree.reason }
}

/** Where the first raw control character of a string is, and whether a string, object or array is open at the end. */
function scanStrings(text: string): { readonly controlCharacter: JsonPosition; readonly isOpen: boolean } {
  let controlAt: number | undefined
  let inString = false
  let depth = 0
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at] as string
    if (character === '"') inString = !inString
    else if (inString && character === '\\') at += 1
    else if (inString && character < ' ') controlAt ??= at
    else if (!inString && (character === '{' || character === '[')) depth += 1
    else if (!inString && (character === '}' || character === ']')) depth -= 1
  }
  return { controlCharacter: positionAt(text, controlAt ?? 0), isOpen: inString || depth > 0 }
}

function positionAt(text: string, offset: number): JsonPosition {
  const lines = text.slice(0, offset).split('\n')
  return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 }
}

/** Decoding with replacements and encoding again gives the same bytes up to the first invalid one. */
function firstInvalidByte(bytes: Uint8Array): JsonPosition {
  const decoded = Buffer.from(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes))
  let at = 0
  while (at < bytes.length && bytes[at] === decoded[at]) at += 1
  const before = Buffer.from(bytes.subarray(0, at)).toString('utf8')
  return positionAt(before, before.length)
}
