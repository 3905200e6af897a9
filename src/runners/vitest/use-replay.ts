import type { TestContext } from 'vitest'
import { ReplayError } from '../../errors/replay-error.ts'
import { sessionHere, sessionOfSlot } from '../../session/session-of-slot.ts'
import type { Slot } from '../../session/slot.ts'
import { type Tape, tapeOf } from '../../session/tape.ts'
import type { TapeOptions } from '../../session/tape-options.ts'
import { workerState } from '../../session/worker-state.ts'
import { aroundEachAttempt } from './around-each-attempt.ts'
import { attemptOf } from './attempt.ts'

/**
 * A tape without a wrapped `test`. Inside a test it covers that test from the call on; in a `describe` or at file level
 * it covers every test there, hooks included. Where calls change hands before they get here (a test of your own that
 * has lost its async context) give it the test's context: `useReplay(context)`.
 * Errors: TURNTAPE_NOT_IN_TEST in a hook around all tests, and where a test has lost its async context.
 */
export function useReplay(options?: TapeOptions): Tape
export function useReplay(context: Pick<TestContext, 'task'>, options?: TapeOptions): Tape
export function useReplay(first: TapeOptions | Pick<TestContext, 'task'> = {}, second: TapeOptions = {}): Tape {
  if ('task' in first) return cover(attemptOf(first.task).slot, second)
  const { slots, file, running } = workerState()
  const slot = slots.getStore()
  if (slot !== undefined) return cover(slot, first)
  if (file === undefined || file.collecting) return coverGroup(first)
  const lost = running.size > 0
  const reason = lost
    ? 'The async context of the test was lost on the way, or this is a hook around all tests.'
    : 'Hooks around all tests have no test to cover.'
  const instead = lost
    ? 'useReplay(context), with the context the test got'
    : 'useReplay() in the test, in the describe or at the top of the file'
  throw new ReplayError('TURNTAPE_NOT_IN_TEST', { call: 'useReplay()', reason, instead })
}

function cover(slot: Slot, options: TapeOptions): Tape {
  slot.cover('call', options)
  workerState().open.add(slot)
  return tapeOf(sessionOfSlot(slot))
}

function coverGroup(options: TapeOptions): Tape {
  const { file } = workerState()
  aroundEachAttempt(async (run, { task }) => {
    const attempt = attemptOf(task)
    attempt.slot.cover('group', options)
    attempt.open()
    await run()
  })
  if (file !== undefined) file.covered = true
  return tapeOf(() => sessionHere())
}
