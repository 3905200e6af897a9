import type { TestAPI } from 'vitest'
import { sessionOfSlot } from '../../session/session-of-slot.ts'
import { type Tape, tapeOf } from '../../session/tape.ts'
import type { TapeOptions } from '../../session/tape-options.ts'
import { attemptOf } from './attempt.ts'
import { coveredLayers, markCovered } from './mark-covered.ts'

/**
 * The same test function, covered: every test of it gets a tape, as the fixture `tape`, and its calls are recorded or
 * replayed. Keeps `.each`, `.for`, `.only`, `.skip`, `.concurrent`, `.extend` and the fixtures it had.
 */
export function replay<Context extends object>(
  base: TestAPI<Context>,
  options: TapeOptions = {},
): TestAPI<Context & { tape: Tape }> {
  const extended = (base as unknown as TestAPI<object>).extend<{ tape: Tape }>({
    tape: [
      async ({ task }, use) => {
        const attempt = attemptOf(task)
        if (coveredLayers(task) === undefined) attempt.slot.cover('test', options)
        attempt.open()
        await use(tapeOf(sessionOfSlot(attempt.slot)))
      },
      { auto: true },
    ],
  })
  return markCovered(extended, options) as unknown as TestAPI<Context & { tape: Tape }>
}
