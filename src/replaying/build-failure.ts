/**
 * From a failure's structure back to an error that client code treats as it treated the live one (F16): class where it is a
 * built-in one, name, message, code, details, the chain of causes. The inverse of `captureFailure` in recording.
 */
import type { Failure, Json } from '../core/cassette/document.ts'

/** What `fetch` and streams reject with when a signal ends them, and the other names that DOMException is used with. */
const domExceptionNames = new Set([
  'AbortError',
  'TimeoutError',
  'NetworkError',
  'InvalidStateError',
  'DataCloneError',
  'NotSupportedError',
])

const builtIns = ['TypeError', 'RangeError', 'SyntaxError', 'ReferenceError', 'EvalError', 'URIError'] as const

/** Where a client takes its error classes from: the global object of the code that catches them. */
export type ErrorRealm = Pick<typeof globalThis, (typeof builtIns)[number] | 'Error' | 'AggregateError' | 'JSON'>

/** An error, or the very value where something else was thrown. A new one at each call, of the classes of `realm`. */
export function buildFailure(failure: Failure, realm: ErrorRealm = globalThis): unknown {
  const { name, details } = failure
  // A copy of the test's own realm: what a caller does with it must not reach the cassette.
  const own = (value: Json): unknown => realm.JSON.parse(JSON.stringify(value))
  if (isValueType(name))
    return name === 'undefined' ? undefined : own(details?.value ?? (name === 'object' ? null : failure.message))
  const error = buildError(failure, realm)
  for (const [key, value] of Object.entries(details ?? {})) define(error, key, own(value))
  return error
}

function buildError(failure: Failure, realm: ErrorRealm): Error {
  const { name, message, code, details } = failure
  const options = failure.cause === undefined ? undefined : { cause: buildFailure(failure.cause, realm) }
  // A DOMException has no code of its own; Node's and undici's own abort errors have, and are plain errors.
  if (code === undefined && details?.code === undefined && domExceptionNames.has(name)) {
    const exception = new DOMException(message, name)
    if (options !== undefined) define(exception, 'cause', options.cause)
    return exception
  }
  const builtIn = builtIns.find((one) => one === name) ?? 'Error'
  const error =
    name === 'AggregateError' ? new realm.AggregateError([], message, options) : new realm[builtIn](message, options)
  if (error.name !== name)
    Object.defineProperty(error, 'name', { value: name, configurable: true, enumerable: false, writable: true })
  if (code !== undefined) define(error, 'code', code)
  markAsUndicis(error, code)
  return error
}

/** undici's classes know their errors by registered symbols, so that `instanceof` holds across its copies: here, too. */
function markAsUndicis(error: Error, code: string | undefined): void {
  for (const mark of marksOf(error.name, code)) {
    Object.defineProperty(error, Symbol.for(`undici.error.${mark}`), { value: true, configurable: true })
  }
}

function marksOf(name: string, code: string | undefined): readonly string[] {
  // It comes without a code, and is no UndiciError.
  if (name === 'HTTPParserError') return ['UND_ERR_HTTP_PARSER']
  return code?.startsWith('UND_ERR_') ? ['UND_ERR', code] : []
}

/** Defined, not assigned: a cassette is data, and `__proto__` is a name like any other. */
function define(error: Error, key: string, value: unknown): void {
  Object.defineProperty(error, key, { value, configurable: true, enumerable: key !== 'cause', writable: true })
}

/** The `typeof` of what is no object: the name such a failure was captured under. */
function isValueType(name: string): boolean {
  return ['undefined', 'string', 'number', 'boolean', 'bigint', 'symbol', 'object'].includes(name)
}
