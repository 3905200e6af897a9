/**
 * The registry of permanent error codes: one line a code, with what its details hold. A code is never reused.
 * Messages are pure functions of the details, each in `messages/`, each held by a text snapshot.
 */
import type { DivergenceDetails, Remedy } from './divergence-details.ts'

/** What each code's `details` hold. */
export interface ErrorDetails {
  // the run left the cassette
  TURNTAPE_DIVERGED: DivergenceDetails
  TURNTAPE_OUT_OF_ORDER: DivergenceDetails
  TURNTAPE_WRONG_KIND: DivergenceDetails
  TURNTAPE_EXHAUSTED: DivergenceDetails
  TURNTAPE_UNUSED: {
    readonly test: string
    readonly cassette: string
    readonly mode: string
    readonly unused: readonly UnusedItem[]
    readonly total: number
    readonly ci?: boolean
    readonly recordCommand?: string
    readonly updateCommand?: string
  }
  TURNTAPE_MISSING_CASSETTE: {
    readonly test: string
    readonly cassette: string
    readonly mode: string
    readonly ci: boolean
    readonly request?: string
    readonly recordCommand: string
    readonly move?: {
      readonly from: string
      readonly command: string
      /** How many cassettes begin with this request and belong to no test; default 1. */
      readonly candidates?: number
      /** How many cassettes the command moves; default 1. */
      readonly moves?: number
    }
  }
  TURNTAPE_READ_PAST_RECORDING: {
    readonly test: string
    readonly cassette: string
    readonly interaction: number
    /** Of a body. */
    readonly chunks?: number
    /** Of an iterable. */
    readonly elements?: number
    readonly end: 'aborted' | 'partial'
    readonly recordCommand: string
  }
  TURNTAPE_NOT_ABORTED: {
    readonly test: string
    readonly cassette: string
    readonly interaction: number
    readonly request: string
    /** What ended the recorded call: `TimeoutError: The operation was aborted due to timeout`. */
    readonly reason: string
    readonly recordCommand: string
  }
  TURNTAPE_STEP_UNMET: {
    readonly test: string
    readonly lane?: string
    /** What was asked for; absent: chunks. */
    readonly part?: string
    readonly wanted: number
    /** How many of them came. */
    readonly count: number
    /** Streams that were held, from the first to the last, and those that had not ended. */
    readonly streams: number
    readonly open: number
  }

  // the cassette is refused when it is opened
  TURNTAPE_UNVERIFIABLE: {
    readonly test: string
    readonly cassette: string
    readonly calls: readonly RefusedCall[]
    /** How many there are, and of how many that would be served. */
    readonly count: number
    readonly total: number
    readonly recordCommand: string
  }
  TURNTAPE_SUBSTITUTED: {
    readonly test: string
    readonly cassette: string
    readonly calls: readonly RefusedCall[]
    readonly count: number
    readonly recordCommand: string
  }
  TURNTAPE_INCOMPLETE: {
    readonly test: string
    readonly cassette: string
    readonly calls: readonly RefusedCall[]
    readonly count: number
    readonly recordCommand: string
  }
  TURNTAPE_CALL_ID_REPEATED: {
    readonly test: string
    readonly cassette: string
    readonly tool: string
    readonly callId: string
    readonly lane: string | undefined
    readonly first: number
    readonly second: number
    readonly when: 'recording' | 'loading'
    readonly recordCommand: string
  }
  TURNTAPE_UNKNOWN_POINT: {
    readonly test: string
    readonly cassette: string
    readonly option: 'from' | 'upTo'
    readonly turn: number
    /** How many turns the cassette has; undefined: there is no cassette. */
    readonly turns: number | undefined
  }

  // a call that cannot be placed
  TURNTAPE_LIVE_IN_REPLAY: { readonly test: string; readonly tool: string; readonly request: string }
  TURNTAPE_UNATTRIBUTED: { readonly request: string; readonly running: readonly string[] }
  TURNTAPE_LATE_CALL: {
    readonly request: string
    readonly test: string
    readonly mode: string
    readonly refused?: boolean
  }
  TURNTAPE_OUTSIDE_TEST: { readonly request: string; readonly file: string }
  TURNTAPE_UNCAPTURED_CONNECTION: {
    readonly test: string
    readonly host: string
    readonly port: number | undefined
    readonly mode: string
    readonly client?: 'undici'
  }

  // recording cannot go on
  TURNTAPE_MISSING_KEY: {
    readonly variable: string
    readonly request: string
    /** Absent: the call is of no covered test. */
    readonly test?: string
    readonly cassette?: string
  }
  TURNTAPE_PLACEHOLDER_LIVE: {
    readonly test: string
    readonly request: string
    readonly placeholder: string
    readonly recordCommand: string
  }
  TURNTAPE_FAKE_TIMERS: {
    readonly test: string
    readonly request: string
    /** A line of code that fakes the date and leaves the timers real, in the words of the runner. */
    readonly realTimers: string
  }
  TURNTAPE_VALUE_NOT_JSON: {
    readonly test: string
    readonly name: string
    readonly what: 'input' | 'value' | 'element'
    readonly pointer: string
    readonly found: string
  }
  TURNTAPE_SECRET_FOUND: {
    readonly test: string
    readonly cassette: string
    readonly pendingPath: string | undefined
    readonly findings: readonly SecretFinding[]
  }
  TURNTAPE_CAP_EXCEEDED: {
    readonly cassette: string
    readonly cap: CapName
    readonly limit: number
    readonly found: number
    readonly atLeast: boolean
    readonly when: 'recording' | 'loading'
  }
  TURNTAPE_STORE_CONFLICT: { readonly cassette: string; readonly pendingPath: string | undefined }
  TURNTAPE_STORE_FAILED: {
    readonly cassette: string
    readonly pendingPath: string | undefined
    readonly reason: string
  }

  // the file
  TURNTAPE_CASSETTE_INVALID: {
    readonly cassette: string
    readonly line?: number
    readonly column?: number
    readonly pointer?: string
    readonly reason: string
    /** What mends this very fault; default: to look at it with `turntape check`. */
    readonly remedies?: readonly Remedy[]
  }
  TURNTAPE_CASSETTE_TOO_NEW: {
    readonly cassette: string
    readonly found: string
    readonly supported: string
    /** What the file says a reader must know, and this one does not. */
    readonly requires?: readonly string[]
  }
  TURNTAPE_CASSETTE_EDITED: {
    readonly cassette: string
    readonly interaction: number
    readonly expected: string
    readonly found: string
  }

  // use
  TURNTAPE_INVALID_MODE: {
    readonly given: string
    readonly source: 'TURNTAPE_MODE' | 'option'
    readonly valid: readonly string[]
  }
  TURNTAPE_INVALID_OPTION: { readonly option: string; readonly given: string; readonly expected: string }
  TURNTAPE_NOT_IN_TEST: { readonly call: string; readonly reason: string; readonly instead: string }
  TURNTAPE_RESET_WHILE_RECORDING: { readonly mode: string }
  TURNTAPE_NOTHING_RECORDED: {
    /** False: none of the tests that ran is covered. */
    readonly covered: boolean
    /** Names of tests that ran. */
    readonly tests: readonly string[]
    readonly runner: 'vitest' | 'jest'
  }
  TURNTAPE_USAGE: { readonly problem: string; readonly remedy: string }
}

export type ErrorCode = keyof ErrorDetails

export type CapName = 'maxCassetteBytes' | 'maxBodyBytes' | 'maxInteractions' | 'maxChunks' | 'maxBlocks'

export interface UnusedItem {
  readonly number: number
  readonly turn?: number
  readonly lane?: string
  /** One line: `POST https://api.openai.com/v1/chat/completions gpt-5`. */
  readonly request: string
}

/** A recorded call for which a cassette is refused. */
export interface RefusedCall extends UnusedItem {
  /** As the cassette says it. */
  readonly reason: string
}

/** A place that holds what must not be stored. Never holds the value. */
export interface SecretFinding {
  /** `interaction 3, response body, event 12 /choices/0/delta/content` */
  readonly place: string
  /** What matched: `the value of OPENAI_API_KEY`, `the host name`. */
  readonly rule: string
  /** A line of code or a command that redacts it. */
  readonly remedy: string
}
