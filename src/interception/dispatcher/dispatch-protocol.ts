/**
 * The two generations of undici's dispatch protocol, as far as we speak it. Up to version 7 a handler has `onConnect`,
 * `onHeaders`, `onData` …; from 7 on it may have `onRequestStart`, `onResponseStart` … instead, which 8 insists on.
 */
import type { HeaderRecord, RawValue } from '../header-pairs.ts'

export interface DispatchOptions {
  readonly origin?: string | URL
  readonly path: string
  readonly method: string
  readonly body?: unknown
  readonly headers?: unknown
  readonly query?: Readonly<Record<string, unknown>> | null
  readonly upgrade?: unknown
}

/** What the caller's handler may do with a modern exchange. */
export interface DispatchController {
  readonly aborted: boolean
  readonly reason: unknown
  readonly paused: boolean
  rawHeaders: readonly Uint8Array[]
  rawTrailers: readonly Uint8Array[]
  pause(): void
  resume(): void
  abort(reason?: unknown): void
}

export interface LegacyHandler {
  onConnect?(abort: (reason?: unknown) => void, context?: unknown): void
  onHeaders?(
    status: number,
    rawHeaders: readonly RawValue[],
    resume: () => void,
    statusText: string,
  ): boolean | undefined
  onData?(bytes: Uint8Array): boolean | undefined
  onComplete?(rawTrailers: readonly RawValue[]): void
  onError?(error: unknown): void
}

export interface ModernHandler {
  onRequestStart?(controller: DispatchController, context?: unknown): void
  onResponseStart?(controller: DispatchController, status: number, headers: HeaderRecord, statusText?: string): void
  onResponseData?(controller: DispatchController, bytes: Uint8Array): void
  onResponseEnd?(controller: DispatchController, trailers: HeaderRecord): void
  onResponseError?(controller: DispatchController, error: unknown): void
}

export type DispatchHandler = LegacyHandler & ModernHandler

export interface Dispatcher {
  dispatch(options: DispatchOptions, handler: DispatchHandler): boolean
}

/** undici's own test: a handler with `onRequestStart` is modern, whatever else it has. */
export function isModern(handler: DispatchHandler): boolean {
  return typeof handler.onRequestStart === 'function'
}
