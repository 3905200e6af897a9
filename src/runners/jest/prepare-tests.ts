/**
 * Before the first test of a file runs, every hook around tests and every test function of it is replaced by one that
 * runs in the async context of its attempt, covered or not. Jest has no hook around tests that could do it.
 */
import { nameIndexes } from '../../core/cassette/cassette-path.ts'
import { type CircusFunction, type CircusTest, type DescribeBlock, namesOf, testsOf } from './circus.ts'
import type { JestFile } from './jest-file.ts'
import { TestAttempt, type TestPlan } from './test-attempt.ts'

/** Once per file. `closing` is the hook that ends an attempt: it becomes the last one of all. */
export function prepareTests(file: JestFile, closing: CircusFunction): AttemptsOfFile {
  const root = file.circus.rootDescribeBlock
  const attempts = new AttemptsOfFile(file, testsOf(root))
  wrapHooks(root, { attempts, closing })
  const last = root.hooks.findIndex(({ fn }) => fn === closing)
  root.hooks.push(...root.hooks.splice(last, 1))
  for (const test of testsOf(root)) {
    const { fn } = test
    if (fn === undefined) continue
    if (test.concurrent) test.fn = () => attempts.start(test).runAlone(fn.bind(undefined))
    else test.fn = entering(fn, () => attempts.of(test))
  }
  return attempts
}

export class AttemptsOfFile {
  readonly #plans: ReadonlyMap<CircusTest, TestPlan>
  readonly #running = new WeakMap<CircusTest, TestAttempt>()
  readonly #file: JestFile

  constructor(file: JestFile, tests: readonly CircusTest[]) {
    const indexes = nameIndexes(tests.map(namesOf))
    this.#file = file
    this.#plans = new Map(tests.map((test, at) => [test, { file, index: indexes[at] ?? 1, attempts: 0 }]))
  }

  start(test: CircusTest): TestAttempt {
    return new TestAttempt(test, this.#plans.get(test) ?? { file: this.#file, index: 1, attempts: 0 })
  }

  /** The attempt that runs now; made by whichever hook comes first. */
  of(test: CircusTest): TestAttempt {
    let attempt = this.#running.get(test)
    if (attempt === undefined) {
      attempt = this.start(test)
      this.#running.set(test, attempt)
    }
    return attempt
  }

  /** Of the test that runs now, outside of concurrent ones. */
  get current(): TestAttempt | undefined {
    const test = this.#file.circus.currentlyRunningTest
    return test ? this.of(test) : undefined
  }

  async finishCurrent(): Promise<void> {
    const test = this.#file.circus.currentlyRunningTest
    const attempt = test ? this.#running.get(test) : undefined
    if (!test || attempt === undefined) return
    this.#running.delete(test)
    await attempt.finish()
  }
}

interface Wrapping {
  readonly attempts: AttemptsOfFile
  readonly closing: CircusFunction
}

function wrapHooks(block: DescribeBlock, wrapping: Wrapping): void {
  const { attempts, closing } = wrapping
  for (const hook of block.hooks) {
    const around = hook.type === 'beforeEach' || hook.type === 'afterEach'
    if (around && hook.fn !== closing) hook.fn = entering(hook.fn, () => attempts.current)
  }
  for (const child of block.children) if (child.type === 'describeBlock') wrapHooks(child, wrapping)
}

/** As many parameters as before: Jest takes one for a `done` callback. Generator functions, which it runs itself, stay. */
function entering(fn: CircusFunction, attemptNow: () => TestAttempt | undefined): CircusFunction {
  if (/Generator/.test(Object.prototype.toString.call(fn))) return fn
  const enter = (part: () => unknown): unknown => {
    const attempt = attemptNow()
    return attempt === undefined ? part() : attempt.enter(part)
  }
  if (fn.length === 0) {
    return function (this: unknown) {
      return enter(() => fn.call(this))
    }
  }
  return function (this: unknown, done: unknown) {
    return enter(() => fn.call(this, done))
  }
}
