/**
 * Vitest's functions for suites that are being collected, wherever this version has them: as members of `TestRunner`, or
 * in `vitest/suite`, which later versions warn about and then drop.
 */
import type { RunnerTestCase, RunnerTestSuite, TestContext, TestRunner } from 'vitest'
import { currentTestPath } from './runner-facts.ts'
import { vitest } from './vitest-module.ts'

export type AttemptHook = (run: () => Promise<void>, context: TestContext) => Promise<void>

/** A `beforeEach` or `afterEach` as Vitest calls it. */
export type EachHook = (context: TestContext, suite: RunnerTestSuite) => unknown

interface SuiteFunctions {
  readonly getCurrentSuite: (typeof TestRunner)['getCurrentSuite']
  readonly getFn: (task: RunnerTestCase) => (() => Promise<void>) | undefined
  readonly setFn: (task: RunnerTestCase, fn: () => Promise<void>) => void
  readonly getHooks: (suite: object) => { readonly beforeEach: EachHook[]; readonly afterEach: EachHook[] }
}

/** True: this version runs a hook around each test. */
export function hasAroundEach(): boolean {
  return 'aroundEach' in vitest
}

// Not a literal: Vite would look for it in versions that have none.
const olderEntry = ['vitest', 'suite'].join('/')

async function findSuiteFunctions(): Promise<SuiteFunctions | undefined> {
  if (currentTestPath() === undefined) return undefined
  if ('TestRunner' in vitest) return vitest.TestRunner as unknown as SuiteFunctions
  return (await import(/* @vite-ignore */ olderEntry)) as SuiteFunctions
}

/** For code that runs in workers only. */
export const suiteFunctions = (await findSuiteFunctions()) as SuiteFunctions
