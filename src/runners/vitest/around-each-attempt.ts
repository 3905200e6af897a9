import { type TestContext, TestRunner } from 'vitest'

/**
 * Vitest's `aroundEach` for the suite that is being collected, but ahead of the test's automatic fixtures: Vitest's own
 * sets those up before it calls the hook, outside of whatever the hook puts around the test.
 */
export function aroundEachAttempt(hook: (run: () => Promise<void>, context: TestContext) => Promise<void>): void {
  TestRunner.getCurrentSuite().on('aroundEach', (run, context) => hook(run, context))
}
