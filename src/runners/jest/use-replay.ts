import { ReplayError } from '../../errors/replay-error.ts'
import { sessionHere, sessionOfSlot } from '../../session/session-of-slot.ts'
import { type Tape, tapeOf } from '../../session/tape.ts'
import type { TapeOptions } from '../../session/tape-options.ts'
import { workerState } from '../../session/worker-state.ts'
import type { JestFile } from './jest-file.ts'

/**
 * Makes `useReplay` of one file: a tape without a wrapped `test`. Inside a test or a hook around it it covers that test
 * from the call on; in a `describe` or at file level it covers every test there, hooks included.
 * Errors: TURNTAPE_NOT_IN_TEST in a hook around all tests, and where a test has lost its async context.
 */
export function useReplayIn(file: JestFile): (options?: TapeOptions) => Tape {
  return (options = {}) => {
    const { slots, open, running } = workerState()
    const slot = slots.getStore()
    if (slot !== undefined) {
      slot.cover('call', options)
      open.add(slot)
      return tapeOf(sessionOfSlot(slot))
    }
    if (file.current.collecting) {
      file.cover(file.circus.currentDescribeBlock, options)
      return tapeOf(() => sessionHere())
    }
    throw new ReplayError('TURNTAPE_NOT_IN_TEST', {
      call: 'useReplay()',
      reason:
        running.size > 0
          ? 'The async context of the test was lost on the way, or this is a hook around all tests.'
          : 'Hooks around all tests have no test to cover.',
      instead: 'useReplay() in the test, in the describe or at the top of the file',
    })
  }
}
