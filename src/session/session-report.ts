/** What a session says of itself at the end: plain data, sent to the reporter. */
export interface SessionReport {
  readonly test: string
  /** Relative to the package root. */
  readonly cassette: string
  readonly mode: string
  readonly outcome: SessionOutcome
  readonly served: number
  readonly live: number
  /** A sentence: why it is pending, which cap is near. */
  readonly notes: readonly string[]
  /** The code and first line of the failure, also where a retry or `test.fails` hid it. */
  readonly failure?: { readonly code: string; readonly message: string }
}

/**
 * `idle`: nothing was captured and there is no cassette. `replayed`: all from the cassette. `written`, `updated`,
 * `rebased`: the file changed. `unchanged`: recorded anew, with the same outcome. `pending`: live calls were kept, not committed. `failed`: diverged, unused, refused.
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
