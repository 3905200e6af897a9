/**
 * What can be fuzzed. Every input is bytes, however it was made, so that a finding is a file that can be kept and replayed.
 */
import type fc from 'fast-check'

export interface FuzzTarget {
  /** Also the folder of its findings below `fuzz/found`. */
  readonly name: string
  /** What `check` holds, in a sentence. */
  readonly promise: string
  /** Real inputs to be changed; made with answers of providers, where there are some. */
  readonly seeds: (answers: readonly Uint8Array[]) => readonly Uint8Array[]
  /** Inputs made by structure. */
  readonly made: fc.Arbitrary<Uint8Array>
  /** Throws where the promise is broken. */
  readonly check: (input: Uint8Array) => void | Promise<void>
}

/** A promise that an input broke. */
export class BrokenPromise extends Error {
  override readonly name = 'BrokenPromise'
}

export function hold(condition: boolean, what: string): asserts condition {
  if (!condition) throw new BrokenPromise(what)
}
