/** The types of `turntape/jest`: our own, so that they fit `@types/jest` and `@jest/globals` alike and need neither. */
import type { Tape } from '../../session/tape.ts'
import type { TapeOptions } from '../../session/tape-options.ts'
import type { recordTools } from '../../session/tools/record-tools.ts'
import type { TestFunction } from './jest-realm.ts'

export interface TapeContext {
  readonly tape: Tape
}

/** Jest's `test` with a tape as the member `tape` of the first argument. */
export interface ReplayTest {
  (name: string, fn?: (context: TapeContext) => unknown, timeoutMs?: number): void
  readonly only: ReplayTest
  readonly skip: ReplayTest
  readonly concurrent: ReplayTest
  readonly failing: ReplayTest
  readonly todo: (name: string) => void
  /** As Jest's: the function gets the row alone. */
  readonly each: EachRow
  /** As Vitest's: the function gets the row as it stands, and the tape. */
  readonly for: <Row>(
    table: readonly Row[],
  ) => (name: string, fn: (row: Row, context: TapeContext) => unknown, timeoutMs?: number) => void
}

interface EachRow {
  <Row extends readonly unknown[]>(
    table: readonly Row[],
  ): (name: string, fn: (...row: [...Row]) => unknown, timeoutMs?: number) => void
  <Row>(table: readonly Row[]): (name: string, fn: (row: Row) => unknown, timeoutMs?: number) => void
  (
    headings: TemplateStringsArray,
    ...values: readonly unknown[]
  ): (name: string, fn: (row: Record<string, never>) => unknown, timeoutMs?: number) => void
}

export interface JestEntry {
  readonly test: ReplayTest
  readonly replay: (base: TestFunction, options?: TapeOptions) => ReplayTest
  readonly useReplay: (options?: TapeOptions) => Tape
  readonly recordTools: typeof recordTools
}
