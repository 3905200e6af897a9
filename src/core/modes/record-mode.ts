/**
 * Record modes: what may be recorded in this run, as one pure table, and which mode a run is in.
 * Knows nothing of files, requests or runners; the table is printed into the README by `modeTable()`.
 */

export const recordModes = ['auto', 'replay', 'update', 'record', 'rebase', 'live'] as const

/** See the table in the README. */
export type RecordMode = (typeof recordModes)[number]

/** What a mode does in each situation. */
export interface ModeRules {
  /** The test has no cassette. */
  readonly noCassette: 'records' | 'fails' | 'network'
  /** A request equals the recorded one whose turn it is. */
  readonly match: 'replays' | 'records anew' | 'network'
  /** It equals none. `goes live`: from there on in its lane. `rewrites`: serves by position, rewrites the stored request. */
  readonly mismatch: 'fails' | 'goes live' | 'records anew' | 'rewrites' | 'network'
  /** Interactions nobody asked for, when the test passed. */
  readonly unused: 'fails' | 'dropped' | 'ignored'
  /** What may be written when the test passed. */
  readonly writes: 'new cassettes' | 'never' | 'what changed' | 'always'
}

export const modeRules: Readonly<Record<RecordMode, ModeRules>> = {
  auto: { noCassette: 'records', match: 'replays', mismatch: 'fails', unused: 'fails', writes: 'new cassettes' },
  replay: { noCassette: 'fails', match: 'replays', mismatch: 'fails', unused: 'fails', writes: 'never' },
  update: { noCassette: 'records', match: 'replays', mismatch: 'goes live', unused: 'dropped', writes: 'what changed' },
  record: {
    noCassette: 'records',
    match: 'records anew',
    mismatch: 'records anew',
    unused: 'dropped',
    writes: 'always',
  },
  rebase: { noCassette: 'fails', match: 'replays', mismatch: 'rewrites', unused: 'fails', writes: 'what changed' },
  live: { noCassette: 'network', match: 'network', mismatch: 'network', unused: 'ignored', writes: 'never' },
}

/** True for one of the six mode names. */
export function isRecordMode(value: unknown): value is RecordMode {
  return (recordModes as readonly unknown[]).includes(value)
}
