import { ReplayError } from '../../errors/replay-error.ts'
import type { TapeSession } from '../tape-session.ts'
import { workerState } from '../worker-state.ts'
import { attribute } from './call-router.ts'
import { keepStrayCall } from './keep-stray-call.ts'

export interface MadeCall {
  /** For messages, one line. */
  readonly call: string
  /** What becomes of it in `beforeAll` or at module scope of a covered file. */
  readonly outside: 'runs' | 'is refused'
}

/**
 * The session of the test that makes a value call now; undefined: no covered one does, so that it runs for real. Errors:
 * TURNTAPE_UNATTRIBUTED, TURNTAPE_OUTSIDE_TEST, those of the test's options and mode.
 */
export function sessionOfCall({ call, outside }: MadeCall): TapeSession | undefined {
  const owner = attribute()
  switch (owner.kind) {
    case 'test':
    case 'late':
      return owner.session
    case 'broken':
      throw owner.error
    case 'ambiguous': {
      const error = new ReplayError('TURNTAPE_UNATTRIBUTED', { request: call, running: owner.running })
      // Nobody can say whose call it is, so that each of them would be judged on what it may have missed.
      for (const session of owner.sessions) session.fail(error)
      throw error
    }
    case 'outside':
      if (outside === 'runs' || workerState().file?.mode === 'live') return undefined
      keepStrayCall({ kind: 'outside', call, refused: true })
      throw new ReplayError('TURNTAPE_OUTSIDE_TEST', { request: call, file: owner.file })
    case 'none':
      return undefined
  }
}
