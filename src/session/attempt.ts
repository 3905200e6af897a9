/**
 * One attempt of one test, whichever runner runs it: opens its slot, puts what it runs into the attempt's async context and
 * closes the session. How a runner shows a failure, and where its hooks are, is the runner's side.
 */
import { resolveMode } from '../core/modes/resolve-mode.ts'
import { runsInCI } from './ci.ts'
import type { AttemptOutcome } from './ending/end-session.ts'
import { leaveReceipt } from './ending/receipt.ts'
import type { SessionHost } from './session-host.ts'
import type { SessionReport } from './session-report.ts'
import { Slot } from './slot.ts'
import { placeCassette } from './source/place-cassette.ts'
import { resolveOptions } from './tape-options.ts'
import { TapeSession } from './tape-session.ts'
import type { TestIdentity } from './test-identity.ts'
import { workerState } from './worker-state.ts'

/** What an attempt asks of its runner. All but the name only once the test is covered and makes its first call. */
export interface AttemptedTest {
  /** Names joined with ` > `. */
  readonly fullName: string
  /** `path` is the option of that name. */
  readonly identity: (path: string | undefined) => TestIdentity
  readonly host: (root: string) => SessionHost
  /** The runner's gate for snapshots. */
  readonly update: () => 'all' | 'new' | 'none'
  /** Called at the first failure, when it happens. */
  readonly onFirstFailure: () => void
}

/** What an attempt says of itself. Plain data. */
export interface AttemptReport {
  readonly report: SessionReport
  /** `-u` was given where nothing may be recorded. */
  readonly updateIgnored: boolean
}

export class Attempt {
  readonly slot: Slot
  #updateIgnored = false
  #failure: Error | undefined

  constructor(test: AttemptedTest) {
    this.slot = new Slot(test.fullName, (layers) => {
      const options = resolveOptions([workerState().file?.options ?? {}, ...layers])
      const mode = resolveMode({
        ci: runsInCI(),
        runnerUpdate: test.update(),
        environment: process.env.TURNTAPE_MODE,
        option: options.mode,
      })
      this.#updateIgnored = mode.updateIgnored
      const given = test.identity(options.path)
      const identity = { ...given, cassette: placeCassette(given.cassette) }
      const host = test.host(identity.root)
      const realm = workerState().file?.global ?? globalThis
      const { onFirstFailure } = test
      const isHere = (lane: string | undefined): boolean => this.#isHere(lane)
      return new TapeSession({ test: identity, realm, host, options, mode, isHere, onFirstFailure })
    })
  }

  /** The attempt starts, its hooks included. */
  begin(): void {
    workerState().running.add(this.slot)
    if (this.slot.covered) this.open()
  }

  /** Runs a part of the attempt in its async context. */
  enter<R>(part: () => R): R {
    return workerState().slots.run(this.slot, part)
  }

  #isHere(lane: string | undefined): boolean {
    const { slots, lanes } = workerState()
    return slots.getStore() === this.slot && lanes.getStore() === lane
  }

  /** Marks the test as covered; it is open from here on. */
  open(): void {
    workerState().open.add(this.slot)
  }

  /** The first failure so far. */
  get failure(): Error | undefined {
    return this.slot.live ? this.slot.started?.failure : this.#failure
  }

  /** Closes the session after every hook. Undefined where the test is not covered. Errors: those of the options and the mode. */
  async end(outcome: AttemptOutcome): Promise<AttemptReport | undefined> {
    const state = workerState()
    try {
      const report = await this.slot.session?.close(outcome)
      leaveReceipt({ test: this.slot.name, covered: this.slot.covered, outcome: report?.outcome ?? 'idle' })
      return report === undefined ? undefined : { report, updateIgnored: this.#updateIgnored }
    } finally {
      this.#failure = this.slot.started?.failure
      this.slot.end()
      state.running.delete(this.slot)
      state.open.delete(this.slot)
    }
  }
}
