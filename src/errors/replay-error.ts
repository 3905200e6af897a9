/**
 * The one base error. Its message is made from its details by the registry of messages; `code` is permanent.
 * Copies of this package (ESM beside inlined ones) recognise each other's errors by a brand, never by `instanceof`.
 */
import type { ErrorCode, ErrorDetails } from './codes.ts'
import { isDivergence } from './divergence-codes.ts'
import { messageOf } from './messages.ts'

const brand = Symbol.for('turntape.ReplayError')

/**
 * Thrown for every failure that turntape itself finds.
 * `shortMessage` is the first line: stable, so that a log can be searched for it.
 */
export class ReplayError<C extends ErrorCode = ErrorCode> extends Error {
  readonly code: C
  readonly details: ErrorDetails[C]
  readonly shortMessage: string
  /** The changed leaf alone, redacted and elided; set for divergences, so that reporters draw their own diff. */
  declare readonly actual?: string
  declare readonly expected?: string

  constructor(code: C, details: ErrorDetails[C], options?: { readonly cause?: unknown }) {
    const message = messageOf(code, details)
    super(`${message} [${code}]`.replace(/^([^\n]*)\n([\s\S]*) \[(\w+)\]$/, '$1 [$3]\n$2'), options)
    this.code = code
    this.details = details
    this.shortMessage = this.message.split('\n', 1)[0] as string
    Object.defineProperty(this, 'name', { value: nameOf(code), enumerable: false, configurable: true, writable: true })
    Object.defineProperty(this, brand, { value: true, enumerable: false })
  }
}

/** True for a ReplayError of this or any other copy of the package. */
export function isReplayError(error: unknown): error is ReplayError {
  return typeof error === 'object' && error !== null && brand in error
}

function nameOf(code: ErrorCode): string {
  return isDivergence(code) ? 'DivergenceError' : 'ReplayError'
}
