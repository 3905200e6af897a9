/**
 * `aroundEach` for versions that have none (3.2): before the first test of a file runs, every hook and test function of it
 * is replaced by one that first starts the hooks around the attempt, then runs in the async context which they made.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { RunnerTask, RunnerTestCase, RunnerTestFile, TestContext } from 'vitest'
import { workerState } from '../../session/worker-state.ts'
import { type AttemptHook, type EachHook, suiteFunctions } from './suite-functions.ts'
import { vitest } from './vitest-module.ts'

/** Stands among the `beforeEach` hooks of a suite for a hook around them. */
export type AroundMarker = EachHook & { readonly turntapeAround: AttemptHook }

type Enter = <R>(part: () => R) => R

const prepared = new WeakSet<object>()

/** Once per file, while it is collected. */
export function emulateAroundEach(): void {
  const { file } = workerState()
  if (file === undefined || prepared.has(file)) return
  prepared.add(file)
  // Versions without `aroundEach` give the suite as the first argument.
  vitest.beforeAll(((suite: RunnerTestFile) => wrapSuite(suite, [])) as never)
}

function wrapSuite(suite: Exclude<RunnerTask, RunnerTestCase>, outer: readonly AttemptHook[]): void {
  const hooks = suiteFunctions.getHooks(suite)
  const arounds = [...outer, ...hooks.beforeEach.filter(isMarker).map((marker) => marker.turntapeAround)]
  replace(hooks.beforeEach, (all) => all.filter((hook) => !isMarker(hook)).map(entering))
  replace(hooks.afterEach, (all) => all.map(entering))
  for (const task of suite.tasks) {
    if (task.type === 'suite') wrapSuite(task, arounds)
    else wrapTest(task as RunnerTestCase, arounds)
  }
}

const aroundsOf = new WeakMap<object, readonly AttemptHook[]>()

function wrapTest(task: RunnerTestCase, arounds: readonly AttemptHook[]): void {
  aroundsOf.set(task, arounds)
  const run = suiteFunctions.getFn(task)
  // A test to do has no function.
  if (run === undefined) return
  suiteFunctions.setFn(task, async () => (await entered(task.context))(run))
}

function entering(hook: EachHook): EachHook {
  return async (context, suite) => {
    const enter = await entered(context)
    const cleanup: unknown = await enter(() => hook(context, suite))
    if (typeof cleanup !== 'function') return cleanup
    return (...args: unknown[]) => enter(() => cleanup(...args))
  }
}

const running = new WeakMap<object, Promise<Enter>>()

/** The context of the attempt that runs now; made by whichever hook comes first. */
function entered({ task, onTestFinished }: TestContext): Promise<Enter> {
  let entering = running.get(task)
  if (entering === undefined) {
    entering = startAttempt({ task, onTestFinished } as TestContext)
    running.set(task, entering)
  }
  return entering
}

function startAttempt(context: TestContext): Promise<Enter> {
  const { task, onTestFinished } = context
  return new Promise((resolve, reject) => {
    let finish: () => void = () => {}
    const finished = new Promise<void>((done) => {
      finish = done
    })
    const innermost = (): Promise<void> => {
      resolve(AsyncLocalStorage.snapshot())
      return finished
    }
    let whole: Promise<void> = Promise.resolve()
    // Registered before any other, so that it is called last.
    onTestFinished(async () => {
      running.delete(task)
      finish()
      await whole
    })
    whole = nest(aroundsOf.get(task) ?? [], context, innermost)
    whole.catch(reject)
  })
}

function nest(arounds: readonly AttemptHook[], context: TestContext, innermost: () => Promise<void>): Promise<void> {
  const [first, ...rest] = arounds
  if (first === undefined) return innermost()
  return first(() => nest(rest, context, innermost), context)
}

function isMarker(hook: EachHook): hook is AroundMarker {
  return 'turntapeAround' in hook
}

function replace<T>(list: T[], change: (all: readonly T[]) => readonly T[]): void {
  list.splice(0, list.length, ...change([...list]))
}
