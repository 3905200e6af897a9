import type { AnyCodec } from '../calls/value-codec.ts'

/** One call of a tool, whatever framework made it. */
export interface ToolCall {
  readonly name: string
  /** What is recorded of the arguments and compared in replay: an array of those that count. */
  readonly input: unknown
  /** The id under which the model asked for it, where the framework says so. */
  readonly callId?: string | undefined
  readonly codec?: AnyCodec | undefined
  /** The tool itself; not called in replay. */
  readonly live: () => unknown
}

/** Serves, records or refuses a tool call; gives what `live` gives, a promise for a promise. */
export type RecordTool = (call: ToolCall) => unknown
