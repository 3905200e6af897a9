/** The port of the providers' request readers: what a request carries beside the conversation so far. */
import type { Json } from '../core/cassette/document.ts'
import type { JsonObject } from './read-json.ts'

export interface RequestReader {
  /** The results of tools that the request hands to the model, in its order. */
  toolResults(request: JsonObject): readonly SentToolResult[]
  settings(request: JsonObject): Settings
}

export interface SentToolResult {
  /** As sent; absent where the provider knows none (Gemini) or an empty one was sent. */
  readonly id?: string
  /** The name of the latest earlier call with this id, where the result itself does not say it. */
  readonly name?: string
  /** As sent: text, or parts. */
  readonly output: Json
  /** True: sent as the result of a call that failed. */
  readonly isError?: true
}

/** The settings in force for a call, by common names; what has none is in `others` as sent. */
export interface Settings {
  readonly model?: string
  /** The system text: all of it, joined by a blank line. */
  readonly instructions?: string
  readonly tools: readonly OfferedTool[]
  readonly toolChoice?: Json
  readonly temperature?: number
  readonly topP?: number
  readonly maxOutputTokens?: number
  readonly stopSequences?: readonly string[]
  /** The form asked of the answer: a JSON schema and its kin. */
  readonly responseFormat?: Json
  /** How much thinking is asked for. */
  readonly reasoning?: Json
  readonly others: Readonly<Record<string, Json>>
}

export interface OfferedTool {
  readonly name: string
  readonly description?: string
  /** JSON Schema of the arguments. */
  readonly parameters?: Json
  /** The tool as sent. */
  readonly raw: Json
}
