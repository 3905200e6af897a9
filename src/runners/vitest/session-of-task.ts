import type { RunnerTestCase } from 'vitest'
import { ReplayError } from '../../errors/replay-error.ts'
import type { TapeSession } from '../../session/tape-session.ts'
import { workerState } from '../../session/worker-state.ts'
import { attemptOf } from './attempt.ts'

/** The session of a task's attempt that runs now. */
export function sessionOfTask(task: RunnerTestCase): TapeSession {
  return asSession(attemptOf(task).slot.session)
}

/** The session of the test whose async context this is. */
export function sessionHere(): TapeSession {
  return asSession(workerState().slots.getStore()?.session)
}

function asSession(session: TapeSession | undefined): TapeSession {
  if (session !== undefined) return session
  throw new ReplayError('TURNTAPE_NOT_IN_TEST', {
    call: 'the tape',
    reason: 'no covered test is running here',
    instead: 'use it inside a test that has a tape, or in its hooks',
  })
}
