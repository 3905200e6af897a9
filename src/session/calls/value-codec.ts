/** How values that are not JSON are recorded and given back. */

/** Any function; the recorded one keeps its type. */
// biome-ignore lint/suspicious/noExplicitAny: a constraint that every function type meets
export type AnyFunction = (...args: any[]) => any

/** What a function gives: each element of an async iterable, or the value, also through a promise. */
export type Given<F extends AnyFunction> =
  ReturnType<F> extends AsyncIterable<infer Element> ? Element : Awaited<ReturnType<F>>

interface ValueCodec<Value, Stored> {
  /** The JSON that is recorded for a value (not called for undefined, which needs none). */
  readonly encode: (value: Value) => Stored
  /** The value again, as a new one at each call. What it throws, the caller gets. */
  readonly decode: (stored: Stored) => Value
}

interface NoCodec {
  readonly encode?: undefined
  readonly decode?: undefined
}

/** The third argument of `tape.tool`. */
export type ToolOptions<F extends AnyFunction, Stored> = {
  /** What is recorded of the arguments, and compared in replay, instead of the arguments. Must give JSON. */
  readonly input?: (...args: Parameters<F>) => unknown
} & (ValueCodec<Given<F>, Stored> | NoCodec)

/** The fourth argument of `tape.call`. */
export type CallOptions<Value, Stored> = ValueCodec<Value, Stored>

/** A codec whose types have been forgotten. */
export interface AnyCodec {
  readonly encode?: ((value: never) => unknown) | undefined
  readonly decode?: ((stored: never) => unknown) | undefined
}
