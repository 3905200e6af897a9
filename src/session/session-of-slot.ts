import { ReplayError } from '../errors/replay-error.ts'
import type { Slot } from './slot.ts'
import type { TapeSession } from './tape-session.ts'
import { workerState } from './worker-state.ts'

/** The session of this attempt, after its end the closed one, for a tape to keep. Errors: TURNTAPE_NOT_IN_TEST where there was none. */
export function sessionOfSlot(slot: Slot | undefined): () => TapeSession {
  const kept = slot?.keep()
  return () => found(kept?.())
}

/** The session of the test whose async context this is. Errors: TURNTAPE_NOT_IN_TEST where there is none. */
export function sessionHere(): TapeSession {
  return found(workerState().slots.getStore()?.session)
}

function found(session: TapeSession | undefined): TapeSession {
  if (session !== undefined) return session
  throw new ReplayError('TURNTAPE_NOT_IN_TEST', {
    call: 'the tape',
    reason: 'no covered test is running here',
    instead: 'use it inside a test that has a tape, or in its hooks',
  })
}
