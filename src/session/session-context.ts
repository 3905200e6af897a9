import type { ModeRules } from '../core/modes/record-mode.ts'
import type { ResolvedMode } from '../core/modes/resolve-mode.ts'
import type { ReplayError } from '../errors/replay-error.ts'
import type { Redactor } from '../redaction/redactor.ts'
import type { StoreToken } from '../store/cassette-store.ts'
import type { SeenSdks } from './calls/seen-sdks.ts'
import type { ServedCalls } from './calls/served-calls.ts'
import type { FailureLedger } from './failure-ledger.ts'
import type { RunEntry, RunLog } from './run-log.ts'
import type { SessionHost } from './session-host.ts'
import type { RecordingSource } from './source/recording-source.ts'
import type { HoldBoard } from './stepping/hold-board.ts'
import type { SessionPaces } from './stepping/session-paces.ts'
import type { ResolvedOptions } from './tape-options.ts'
import type { TestIdentity } from './test-identity.ts'

/** What the parts of one session share. */
export interface SessionContext {
  readonly test: TestIdentity
  /** The global object that the test's code sees: a realm of its own with some runners. */
  readonly realm: typeof globalThis
  readonly host: SessionHost
  readonly options: ResolvedOptions
  readonly mode: ResolvedMode
  /** The row of the mode table that holds for this session. */
  readonly rules: ModeRules
  readonly log: RunLog
  readonly failures: FailureLedger
  readonly redactor: Redactor
  /** `host.now()` when the session opened. */
  readonly startedAtMs: number
  /** The date of what this session records, known to the test from its start. */
  readonly openedAt: Date
  /** Lanes that left the recording and are live from there on. */
  readonly liveLanes: Set<string | undefined>
  /** Callers that wait where the recording's caller had given up or stopped, and what is to be said if they still do at the end. */
  readonly waiting: Map<RunEntry, ReplayError>
  /** Lanes that were served a transport failure and have not called again: `fastRetry`. */
  readonly retrying: Set<string | undefined>
  /** True: what runs now is this test, in this lane. */
  readonly isHere: (lane: string | undefined) => boolean
  /** Which lanes the test steps through by hand, and the clocks of what is served. */
  readonly holds: HoldBoard
  readonly paces: SessionPaces
  /** The SDKs seen in this run. */
  readonly sdks: SeenSdks
  /** What was given out of the cassette, and who listens. */
  readonly servedCalls: ServedCalls
  /** Side files of what was recorded in this run, by name. */
  readonly sideFiles: Map<string, Uint8Array>
  /** The recording to replay from, read at the first call. Throws the errors of the store and the parser. */
  readonly source: () => RecordingSource | undefined
  /** What of the committed cassette lies around the part that this test replays, read before anything is paid for. */
  readonly around: () => Pick<RecordingSource, 'split' | 'sideFiles'> | undefined
  /** What the committed file was when the session first looked; undefined: there was none. */
  readonly expectedToken: () => StoreToken
  /** What the pending recording was before anything was paid for, and each one this session has made of it. */
  readonly pendingTokens: Set<StoreToken>
  /** Something settled: pending recordings and waiting ends look again. */
  readonly settled: () => void
}
