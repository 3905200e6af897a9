import { type AroundMarker, emulateAroundEach } from './emulate-around-each.ts'
import { type AttemptHook, hasAroundEach, suiteFunctions } from './suite-functions.ts'

/**
 * Vitest's `aroundEach` for the suite that is being collected, but ahead of the test's automatic fixtures: Vitest's own
 * sets those up before it calls the hook, outside of whatever the hook puts around the test.
 */
export function aroundEachAttempt(hook: AttemptHook): void {
  const suite = suiteFunctions.getCurrentSuite()
  if (hasAroundEach()) {
    suite.on('aroundEach', (run, context) => hook(run, context))
    return
  }
  emulateAroundEach()
  const marker: AroundMarker = Object.assign(() => {}, { turntapeAround: hook })
  suite.on('beforeEach', marker)
}
