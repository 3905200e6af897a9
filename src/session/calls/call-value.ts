import { ReplayError } from '../../errors/replay-error.ts'
import type { TapeSession } from '../tape-session.ts'
import { workerState } from '../worker-state.ts'
import { keepStrayCall } from './keep-stray-call.ts'
import { isNested } from './nested.ts'
import { unrecordedTool } from './unrecorded.ts'
import type { ValueCall } from './value-call.ts'

/**
 * Serves, records or refuses one tool call or `call` of a session, in the lane of the caller. Inside another recorded
 * call it is part of that one. Errors: TURNTAPE_LATE_CALL after the end of the test.
 */
export function callValue(session: TapeSession, call: Omit<ValueCall, 'lane'>): unknown {
  if (isNested() || unrecordedTool() !== undefined) return call.live()
  if (session.closed) {
    const request = `${call.kind} ${call.name}`
    const { test, mode } = session.context
    keepStrayCall({ kind: 'late', call: request, test: test.fullName, refused: true })
    throw new ReplayError('TURNTAPE_LATE_CALL', { request, test: test.fullName, mode: mode.mode, refused: true })
  }
  return session.value({ ...call, lane: workerState().lanes.getStore() })
}
