/**
 * The two generations of undici's dispatch protocol, as far as we speak it. Up to version 7 a handler has `onConnect`,
 * `onHeaders`, `onData` …; from 7 on it may have `onRequestStart`, `onResponseStart` … instead, which 8 insists on.
 */

export type HeaderPairs = readonly (readonly [name: string, value: string])[]

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

export type HeaderRecord = Record<string, string | string[]>

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

export type RawValue = string | Uint8Array | readonly Uint8Array[]

export interface Dispatcher {
  dispatch(options: DispatchOptions, handler: DispatchHandler): boolean
}

/** undici's own test: a handler with `onRequestStart` is modern, whatever else it has. */
export function isModern(handler: DispatchHandler): boolean {
  return typeof handler.onRequestStart === 'function'
}

/** Name and value by turns, as the parser gives them; a value may be a list. */
export function pairsOfRaw(raw: readonly RawValue[]): HeaderPairs {
  const pairs: [string, string][] = []
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const name = rawText(raw[index] as RawValue).toLowerCase()
    const value = raw[index + 1] as RawValue
    if (Array.isArray(value)) pairs.push(...value.map((one): [string, string] => [name, rawText(one)]))
    else pairs.push([name, rawText(value)])
  }
  return pairs
}

export function pairsOfRecord(record: HeaderRecord): HeaderPairs {
  return Object.entries(record).flatMap(([name, value]) =>
    [value].flat().map((one): [string, string] => [name.toLowerCase(), one]),
  )
}

export function recordOfPairs(pairs: HeaderPairs): HeaderRecord {
  const record: HeaderRecord = {}
  for (const [name, value] of pairs) {
    const before = record[name]
    record[name] = before === undefined ? value : [before, value].flat()
  }
  return record
}

export function rawOfPairs(pairs: HeaderPairs): Buffer[] {
  return pairs.flatMap(([name, value]) => [Buffer.from(name, 'latin1'), Buffer.from(value, 'latin1')])
}

function rawText(value: RawValue): string {
  return typeof value === 'string' ? value : Buffer.from(value as Uint8Array).toString('latin1')
}
