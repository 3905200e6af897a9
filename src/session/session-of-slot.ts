import { ReplayError } from '../errors/replay-error.ts'
import type { Slot } from './slot.ts'
import type { TapeSession } from './tape-session.ts'
import { workerState } from './worker-state.ts'

/** The session of this attempt; after its end the closed one. Errors: TURNTAPE_NOT_IN_TEST where there was none. */
export function sessionOfSlot(slot: Slot | undefined): TapeSession {
  const session = slot?.session
  if (session !== undefined) return session
  throw new ReplayError('TURNTAPE_NOT_IN_TEST', {
    call: 'the tape',
    reason: 'no covered test is running here',
    instead: 'use it inside a test that has a tape, or in its hooks',
  })
}

/** The session of the test whose async context this is. */
export function sessionHere(): TapeSession {
  return sessionOfSlot(workerState().slots.getStore())
}
