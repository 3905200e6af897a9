/**
 * One attempt of one Vitest test: opens its slot, raises its first failure where Vitest still counts it as the test's
 * own, and closes it after every hook. Decisions are the session's; here is only Vitest's side of them.
 */
import type { RunnerTestCase, TestError } from 'vitest'
import { resolveMode } from '../../core/modes/resolve-mode.ts'
import { isReplayError } from '../../errors/replay-error.ts'
import { runsInCI } from '../../session/ci.ts'
import type { SessionReport } from '../../session/session-report.ts'
import { Slot } from '../../session/slot.ts'
import { resolveOptions } from '../../session/tape-options.ts'
import { TapeSession } from '../../session/tape-session.ts'
import { workerState } from '../../session/worker-state.ts'
import { hostOf } from './host.ts'
import { coveredLayers } from './mark-covered.ts'
import { presentable } from './presentable.ts'
import { runnerUpdate } from './runner-facts.ts'
import { taskIdentity, taskNames } from './task-identity.ts'

/** What an attempt leaves in `task.meta.turntape`, for the reporter. Plain data. */
export interface TaskReport {
  readonly attempts: readonly SessionReport[]
  /** `-u` was given where nothing may be recorded. */
  readonly updateIgnored: boolean
}

declare module 'vitest' {
  interface TaskMeta {
    turntape?: TaskReport
    /** Of a file: first lines of calls that came after their test had ended. */
    turntapeLate?: readonly string[]
  }
}

const attempts = new WeakMap<RunnerTestCase, Attempt>()

/** Tests marked `fails` whose mark was taken off by a failure of ours: that is not the failure they wait for. */
const overruled = new WeakSet<RunnerTestCase>()

/** The attempt of a task that runs now; made at the first call, since fixtures may come before hooks. */
export function attemptOf(task: RunnerTestCase): Attempt {
  let attempt = attempts.get(task)
  if (attempt === undefined) {
    attempt = new Attempt(task)
    attempts.set(task, attempt)
  }
  return attempt
}

export class Attempt {
  readonly slot: Slot
  readonly #task: RunnerTestCase
  /** Errors that earlier attempts left with the task. */
  readonly #earlierErrors: number
  #raised = false
  /** The divergence came before any other error of this attempt. */
  #failedFirst = false
  #updateIgnored = false

  constructor(task: RunnerTestCase) {
    this.#task = task
    this.#earlierErrors = this.#errors().length
    if (overruled.delete(task)) task.fails = true
    this.slot = new Slot(taskNames(task).join(' > '), (layers) => {
      const options = resolveOptions([workerState().file?.options ?? {}, ...layers])
      const mode = resolveMode({
        ci: runsInCI(),
        runnerUpdate: runnerUpdate(),
        environment: process.env.TURNTAPE_MODE,
        option: options.mode,
      })
      this.#updateIgnored = mode.updateIgnored
      const test = taskIdentity(task, options.path)
      const onFirstFailure = (): void => {
        this.#failedFirst = this.#errors().length === this.#earlierErrors
      }
      return new TapeSession({ test, host: hostOf(test.root), options, mode, onFirstFailure })
    })
    for (const options of coveredLayers(task) ?? []) this.slot.cover('test', options)
  }

  /** Runs the attempt, hooks included, in its own async context. */
  async run(body: () => Promise<void>): Promise<void> {
    const state = workerState()
    state.running.add(this.slot)
    if (this.slot.covered) this.open()
    try {
      await state.slots.run(this.slot, body)
    } finally {
      await this.#close()
    }
  }

  /** Marks the test as covered; it is open from here on. */
  open(): void {
    workerState().open.add(this.slot)
  }

  /** Throws the first failure, once. For `onTestFinished`, so that the test's own hooks still see it failed. */
  raise(): void {
    const failure = this.slot.started?.failure
    if (failure !== undefined) this.#throwOnce(failure)
  }

  async #close(): Promise<void> {
    const state = workerState()
    attempts.delete(this.#task)
    const session = this.slot.session
    try {
      if (session === undefined) return
      const report = await session.close(this.#outcome())
      this.#keepReport(report)
      if (session.failure !== undefined) this.#throwOnce(session.failure)
    } finally {
      this.slot.live = false
      state.running.delete(this.slot)
      state.open.delete(this.slot)
    }
  }

  #outcome(): { readonly passed: boolean; readonly skipped: boolean } {
    const state = this.#task.result?.state
    const skipped = state === 'skip'
    // A test that is to fail has passed when its body failed, unless it failed by our own verdict.
    const passed = this.#task.fails === true ? state === 'fail' && !this.#raised : state === 'pass'
    return { passed, skipped }
  }

  #keepReport(report: SessionReport): void {
    if (report.outcome === 'idle' && report.failure === undefined) return
    const { meta } = this.#task
    const earlier = meta.turntape?.attempts ?? []
    meta.turntape = { attempts: [...earlier, report], updateIgnored: this.#updateIgnored }
  }

  #throwOnce(failure: Error): void {
    if (this.#raised) return
    this.#raised = true
    const { location, file } = this.#task
    const place = location === undefined ? undefined : `${file.filepath}:${location.line}:${location.column}`
    const error = presentable(failure, place)
    const { result } = this.#task
    // What an SDK threw with our own words in it says nothing new; other errors stay.
    const news = (errors: readonly TestError[]): TestError[] => errors.filter((other) => !repeats(other, failure))
    const earlier = news(this.#errors().slice(0, this.#earlierErrors))
    const own = this.#task.fails ? [] : news(this.#errors().slice(this.#earlierErrors))
    if (this.#task.fails) {
      this.#task.fails = false
      overruled.add(this.#task)
    }
    if (result?.errors !== undefined) result.errors = this.#failedFirst ? earlier : [...earlier, ...own]
    // Vitest lists the members of an AggregateError each by itself, in order.
    if (this.#failedFirst && own.length > 0) throw new AggregateError([error, ...own])
    throw error
  }

  #errors(): readonly TestError[] {
    return this.#task.result?.errors ?? []
  }
}

function repeats(other: { readonly message?: string }, failure: Error): boolean {
  const first = isReplayError(failure) ? failure.shortMessage : failure.message
  return unescaped(String(other.message)).includes(unescaped(first))
}

// Clients that print a body print our words as JSON, some of them twice over: quotes and backslashes come escaped.
function unescaped(text: string): string {
  return text.replaceAll('\\', '')
}
