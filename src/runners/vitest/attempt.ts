/**
 * Vitest's side of one attempt of one test: raises its first failure where Vitest still counts it as the test's own, and
 * tells the outcome. Decisions are the session's.
 */
import type { RunnerTestCase, TestError } from 'vitest'
import { isReplayError } from '../../errors/replay-error.ts'
import { Attempt, type AttemptReport } from '../../session/attempt.ts'
import type { StrayCall } from '../../session/calls/stray-call.ts'
import { presentable, repeats } from '../../session/ending/presentable.ts'
import type { SessionReport } from '../../session/session-report.ts'
import { definedAt } from './defined-at.ts'
import { hostOf } from './host.ts'
import { coveredLayers } from './mark-covered.ts'
import { runnerUpdate } from './runner-facts.ts'
import { hasAroundEach } from './suite-functions.ts'
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
    /** Of a file: calls that belong to no running test. */
    turntapeStrays?: readonly StrayCall[]
  }
}

const attempts = new WeakMap<RunnerTestCase, TaskAttempt>()

/** Tests marked `fails` whose mark was taken off by a failure of ours: that is not the failure they wait for. */
const overruled = new WeakSet<RunnerTestCase>()

/** The attempt of a task that runs now; made at the first call, since fixtures may come before hooks. */
export function attemptOf(task: RunnerTestCase): TaskAttempt {
  let attempt = attempts.get(task)
  if (attempt === undefined) {
    attempt = new TaskAttempt(task)
    attempts.set(task, attempt)
  }
  return attempt
}

export class TaskAttempt extends Attempt {
  readonly #task: RunnerTestCase
  /** Errors that earlier attempts left with the task. */
  readonly #earlierErrors: number
  #raised = false
  /** The divergence came before any other error of this attempt. */
  #failedFirst = false

  constructor(task: RunnerTestCase) {
    super({
      fullName: taskNames(task).join(' > '),
      identity: (path) => taskIdentity(task, path),
      host: hostOf,
      update: runnerUpdate,
      onFirstFailure: () => {
        this.#failedFirst = this.#errors().length === this.#earlierErrors
      },
    })
    this.#task = task
    this.#earlierErrors = this.#errors().length
    if (overruled.delete(task)) task.fails = true
    for (const options of coveredLayers(task) ?? []) this.slot.cover('test', options)
  }

  /** Runs the attempt, hooks included, in its own async context. */
  async run(body: () => Promise<void>): Promise<void> {
    this.begin()
    try {
      await this.enter(body)
    } finally {
      await this.#close()
    }
  }

  /** Throws the first failure, once. For `onTestFinished`, so that the test's own hooks still see it failed. */
  raise(): void {
    if (this.failure !== undefined) this.#throwOnce(this.failure)
  }

  async #close(): Promise<void> {
    attempts.delete(this.#task)
    const ended = await this.#ended()
    if (ended !== undefined) {
      const { meta } = this.#task
      const earlier = meta.turntape?.attempts ?? []
      meta.turntape = { attempts: [...earlier, ended.report], updateIgnored: ended.updateIgnored }
    }
    // Vitest keeps every test's context until the file has ended; with the tape on it, it would keep the cassette.
    Reflect.deleteProperty(this.#task.context, 'tape')
    this.raise()
  }

  // Options that are refused are refused at every use, so that the body may have shown the same error already.
  async #ended(): Promise<AttemptReport | undefined> {
    try {
      return await this.end(this.#outcome())
    } catch (error) {
      if (!isReplayError(error)) throw error
      this.#throwOnce(error)
    }
  }

  #outcome(): { readonly passed: boolean; readonly skipped: boolean } {
    const state = this.#task.result?.state
    const skipped = state === 'skip'
    // A test that is to fail has passed when its body failed, unless it failed by our own verdict.
    const passed = this.#task.fails === true ? state === 'fail' && !this.#raised : state === 'pass'
    return { passed, skipped }
  }

  #throwOnce(failure: Error): undefined {
    if (this.#raised) return undefined
    this.#raised = true
    const { location, file, name } = this.#task
    const place = (): string | undefined =>
      location === undefined ? definedAt(file.filepath, name) : `${file.filepath}:${location.line}:${location.column}`
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
    throw this.#failedFirst && own.length > 0 ? listed([error, ...own]) : error
  }

  #errors(): readonly TestError[] {
    return this.#task.result?.errors ?? []
  }
}

/** What Vitest lists each by itself, in order: the members of an AggregateError, in 3.x those of an array. */
function listed(errors: readonly unknown[]): unknown {
  return hasAroundEach() ? new AggregateError(errors) : errors
}
