/**
 * JSON text in another layout than the compact one. Owns what such a text must be to be the same as a value, without being written
 * or kept; knows nothing of redaction and hashing.
 */
import { asBuffer } from './as-buffer.ts'
import type { Json } from './document.ts'
import { jsonEqual } from './json-equal.ts'
import { parseJson } from './json-text.ts'
import { mayHaveLost } from './may-have-lost.ts'
import { utf8Of } from './stored-text.ts'

/** True for text with a blank after its first brace or its first name: of the compact text of a value none need be written. */
export function isLaidOut(bytes: Buffer): boolean {
  const first = bytes[0]
  if (first !== openBrace && first !== openBracket) return false
  if ((bytes[1] as number) <= blank) return true
  let nameEnd = 2
  while (nameEnd < longestFirstName && bytes[nameEnd] !== quote) nameEnd += 1
  const isEscaped = bytes[nameEnd - 1] === backslash
  return !isEscaped && bytes[nameEnd + 1] === colon && (bytes[nameEnd + 2] as number) <= blank
}

const longestFirstName = 64

/**
 * True where the bytes are JSON of this very value and parsing them loses nothing (F13). False proves nothing: text that holds an
 * escaped surrogate is not looked at.
 */
export function isLaidOutJsonOf(value: Json, body: Uint8Array): boolean {
  const bytes = asBuffer(body)
  if (!isLaidOut(bytes)) return false
  const text = utf8Of(bytes)
  const parsed = text === undefined ? undefined : parseJson(text)
  if (parsed === undefined || !jsonEqual(parsed, value)) return false
  return !mayHaveLost(bytes, parsed) && !bytes.includes('\\ud') && !bytes.includes('\\uD')
}

const blank = 0x20
const quote = 0x22
const colon = 0x3a
const openBracket = 0x5b
const backslash = 0x5c
const openBrace = 0x7b
