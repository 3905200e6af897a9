import type { TestContext } from 'vitest'
import { ReplayError } from '../../errors/replay-error.ts'
import { type Tape, tapeOf } from '../../session/tape.ts'
import type { TapeOptions } from '../../session/tape-options.ts'
import { workerState } from '../../session/worker-state.ts'
import { aroundEachAttempt } from './around-each-attempt.ts'
import { type Attempt, attemptOf } from './attempt.ts'
import { sessionHere, sessionOfTask } from './session-of-task.ts'

/**
 * A tape without a wrapped `test`. Inside a test it covers that test from the call on; in a `describe` or at file level
 * it covers every test there, hooks included. Where calls change hands before they get here (a test of your own that
 * has lost its async context) give it the test's context: `useReplay(context)`.
 * Errors: TURNTAPE_NOT_IN_TEST in a hook around all tests.
 */
export function useReplay(options?: TapeOptions): Tape
export function useReplay(context: Pick<TestContext, 'task'>, options?: TapeOptions): Tape
export function useReplay(first: TapeOptions | Pick<TestContext, 'task'> = {}, second: TapeOptions = {}): Tape {
  if ('task' in first) {
    const { task } = first
    cover(attemptOf(task), second)
    return tapeOf(() => sessionOfTask(task))
  }
  const slot = workerState().slots.getStore()
  if (slot === undefined) return coverGroup(first)
  slot.cover('call', first)
  workerState().open.add(slot)
  return tapeOf(() => sessionHere())
}

function cover(attempt: Attempt, options: TapeOptions): void {
  attempt.slot.cover('call', options)
  attempt.open()
}

function coverGroup(options: TapeOptions): Tape {
  const { file } = workerState()
  try {
    aroundEachAttempt(async (run, { task }) => {
      const attempt = attemptOf(task)
      attempt.slot.cover('group', options)
      attempt.open()
      await run()
    })
  } catch (cause) {
    const reason = 'hooks around all tests have no test to cover'
    const instead = 'call it in the test, in the describe or at the top of the file'
    throw new ReplayError('TURNTAPE_NOT_IN_TEST', { call: 'useReplay()', reason, instead }, { cause })
  }
  if (file !== undefined) file.covered = true
  return tapeOf(() => sessionHere())
}
