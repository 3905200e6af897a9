/**
 * What all copies of this package in one worker share: which test a call belongs to, and which sessions are open.
 * It lives on the outer global, so that inlined copies, vm contexts and module resets see the same state.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { RecordMode } from '../core/modes/record-mode.ts'
import type { Interception } from '../interception/install-interception.ts'
import { outerGlobal } from '../interception/realm.ts'
import type { StrayCall } from './calls/stray-call.ts'
import type { Slot } from './slot.ts'
import type { TapeOptions } from './tape-options.ts'

/** The test file that runs in this worker now. */
export interface CurrentFile {
  /** Absolute. */
  readonly path: string
  /** The same, POSIX, relative to its package root: for messages. */
  readonly name: string
  /** Its tests are being defined; none has run. */
  collecting: boolean
  /** True: some test of it is covered, so that captured calls outside of tests are refused. */
  covered: boolean
  /** The mode of the project's defaults, for calls outside of tests. */
  readonly mode: RecordMode
  /** The project's defaults, for decisions outside of tests. */
  readonly options: TapeOptions
  /** Calls that came after their test had ended or outside of every test, for the report. */
  readonly strays: StrayCall[]
  /** The global object that its code sees: a realm of its own with some runners. */
  readonly global: typeof globalThis
  readonly interception: Interception
}

export interface WorkerState {
  readonly slots: AsyncLocalStorage<Slot>
  readonly lanes: AsyncLocalStorage<string>
  /** Every test that is running. */
  readonly running: Set<Slot>
  /** Covered tests that are running. */
  readonly open: Set<Slot>
  file: CurrentFile | undefined
}

const key = Symbol.for('turntape.worker.1')

let found: WorkerState | undefined

/** The state of this worker, made at the first call. */
export function workerState(): WorkerState {
  found ??= sharedState()
  return found
}

function sharedState(): WorkerState {
  const outer = outerGlobal() as { [key]?: WorkerState }
  outer[key] ??= {
    slots: new AsyncLocalStorage(),
    lanes: new AsyncLocalStorage(),
    running: new Set(),
    open: new Set(),
    file: undefined,
  }
  return outer[key]
}
