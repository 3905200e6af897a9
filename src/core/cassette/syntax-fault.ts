/** Why a file is no JSON text at all, and where (F19): conflict markers, truncation, wrong encoding. */
import { cassetteCommand, checkoutCommand } from '../../errors/commands.ts'
import type { Remedy } from '../../errors/divergence-details.ts'
import { ReplayError } from '../../errors/replay-error.ts'
import { findFault, type JsonPosition, positionAt } from './exact-json.ts'
import { utf8Of } from './stored-text.ts'

/** The text of UTF-8 bytes. @throws TURNTAPE_CASSETTE_INVALID for other bytes, with the line of the first. */
export function readUtf8(bytes: Uint8Array, cassette: string): string {
  const text = utf8Of(bytes)
  if (text !== undefined) return text
  const reason = 'the file is not UTF-8'
  throw new ReplayError('TURNTAPE_CASSETTE_INVALID', {
    cassette,
    ...firstInvalidByte(bytes),
    reason,
    remedies: encodingRemedies(cassette),
  })
}

/** For text that `JSON.parse` refused: the clearest account of what is wrong with it. */
export function findSyntaxFault(text: string, cassette: string): ReplayError {
  const fault = conflictMarker(text) ?? byteOrderMark(text) ?? emptyFile(text) ?? syntaxError(text)
  const { kind, ...place } = fault
  return new ReplayError('TURNTAPE_CASSETTE_INVALID', { cassette, ...place, remedies: remediesOf(kind, cassette) })
}

interface SyntaxFault extends JsonPosition {
  readonly reason: string
  /** `lost`: part of the file is gone. `slip`: it is all there, and one place is no JSON. */
  readonly kind: 'conflict' | 'encoding' | 'lost' | 'slip'
}

function remediesOf(kind: SyntaxFault['kind'], cassette: string): readonly Remedy[] {
  switch (kind) {
    case 'conflict':
      return [
        { why: 'Take your side whole', command: checkoutCommand('--ours --', cassette) },
        { why: 'Or theirs', command: checkoutCommand('--theirs --', cassette) },
      ]
    case 'encoding':
      return encodingRemedies(cassette)
    case 'lost':
      return [{ why: 'Put back what was committed', command: checkoutCommand('--', cassette) }]
    case 'slip':
      return mendRemedies(cassette)
  }
}

/** What is wrong in one place can be put right there. */
export function mendRemedies(cassette: string): readonly Remedy[] {
  return [
    { why: 'Mend it there, then see', command: cassetteCommand('check', cassette) },
    { why: 'Or put back what was committed', command: checkoutCommand('--', cassette) },
  ]
}

function encodingRemedies(cassette: string): readonly Remedy[] {
  return [
    { why: 'Save it as UTF-8 without a byte order mark, then see', command: cassetteCommand('check', cassette) },
    { why: 'Or put back what was committed', command: checkoutCommand('--', cassette) },
  ]
}

// No string of a cassette holds a raw line end, so a marker at the start of a line is never content.
const marker = /^(?:<{7}|\|{7}|={7}|>{7})(?: |\r?$)/m

function conflictMarker(text: string): SyntaxFault | undefined {
  const match = marker.exec(text)
  if (match === null) return undefined
  return {
    ...positionAt(text, match.index),
    reason: 'it holds a git conflict marker',
    kind: 'conflict',
  }
}

function byteOrderMark(text: string): SyntaxFault | undefined {
  return text.startsWith('\ufeff')
    ? { line: 1, column: 1, reason: 'it begins with a byte order mark', kind: 'encoding' }
    : undefined
}

function emptyFile(text: string): SyntaxFault | undefined {
  return text.trim() === '' ? { line: 1, column: 1, reason: 'the file is empty', kind: 'lost' } : undefined
}

function syntaxError(text: string): SyntaxFault {
  const fault = findFault(text) ?? { reason: 'it is no JSON', line: 1, column: 1 }
  const end = positionAt(text, text.trimEnd().length)
  if (isOpenAtEnd(text) && (fault.line === end.line || fault.reason.endsWith('unexpected end of input'))) {
    return { ...end, reason: 'the file ends in the middle: it is truncated', kind: 'lost' }
  }
  return { ...fault, kind: 'slip' }
}

/** Whether a string, object or array is. */
function isOpenAtEnd(text: string): boolean {
  let inString = false
  let depth = 0
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at] as string
    if (character === '"') inString = !inString
    else if (inString && character === '\\') at += 1
    else if (!inString && (character === '{' || character === '[')) depth += 1
    else if (!inString && (character === '}' || character === ']')) depth -= 1
  }
  return inString || depth > 0
}

/** Decoding with replacements and encoding again gives the same bytes up to the first invalid one. */
function firstInvalidByte(bytes: Uint8Array): JsonPosition {
  const decoded = Buffer.from(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes))
  let at = 0
  while (at < bytes.length && bytes[at] === decoded[at]) at += 1
  const before = Buffer.from(bytes.subarray(0, at)).toString('utf8')
  return positionAt(before, before.length)
}
