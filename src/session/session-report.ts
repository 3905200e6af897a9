import type { CapName } from '../errors/codes.ts'
import type { TokenCounts } from '../trajectory/sum-usages.ts'

/** What a session says of itself at the end: plain data, sent to the reporter. */
export interface SessionReport {
  readonly test: string
  /** Relative to the package root. */
  readonly cassette: string
  readonly mode: string
  readonly outcome: SessionOutcome
  readonly served: number
  readonly live: number
  /** Of this run, so far as it came. */
  readonly turns: number
  /** Absent: the cassette answered no model call. */
  readonly notPaid?: NotPaid
  /** A sentence: why it is pending. */
  readonly notes: readonly string[]
  /** The first cap at 0.9 of its limit or more. */
  readonly nearCap?: CapName
  /** Set where the recording is older than `maxAge`. Days. */
  readonly age?: { readonly days: number; readonly maxDays: number }
  /** The first failure, also where a retry or `test.fails` hid it. `message` is its first line, `text` the whole. */
  readonly failure?: {
    readonly code: string
    readonly message: string
    readonly text: string
    /** A cassette that may be this test's under another name, relative to the package root, and what moves it. */
    readonly move?: { readonly from: string; readonly command: string }
  }
}

/** What the cassette answered and nobody was asked for. */
export interface NotPaid {
  /** Failed attempts included. */
  readonly modelCalls: number
  /** Tokens, by the model that answered. */
  readonly byModel: Readonly<Record<string, TokenCounts>>
  /** Turns whose answer says no usage: nothing of them is in the tokens. */
  readonly uncountedTurns: number
}

/**
 * `idle`: nothing was captured, or the test failed by itself and nothing changed. `replayed`: all from the cassette.
 * `written`, `updated`, `rebased`: the file changed. `unchanged`: recorded anew, with the same outcome. `pending`: live calls
 * were kept, not committed. `failed`: diverged, unused, refused.
 */
export type SessionOutcome =
  | 'idle'
  | 'replayed'
  | 'unchanged'
  | 'written'
  | 'updated'
  | 'rebased'
  | 'pending'
  | 'failed'
  | 'live'
