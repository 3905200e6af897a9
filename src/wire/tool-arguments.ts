/** The arguments of a tool call from the text a model wrote. */
import { parseExact } from '../core/cassette/json-text.ts'
import type { ToolArguments } from './block.ts'

/** A value where the text is JSON and parsing loses nothing; else the text, as for arguments that were cut. */
export function readArguments(text: string): ToolArguments {
  const parsed = parseExact(text)
  return parsed.ok ? { json: parsed.value } : { text }
}
