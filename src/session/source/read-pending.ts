import { isReplayError } from '../../errors/replay-error.ts'
import type { StoredCassette } from '../../store/cassette-store.ts'
import type { SessionContext } from '../session-context.ts'

/** The pending recording of this test. Undefined: there is none that can be read, cut by a kill or of another version. */
export function readPending({ host, test, options }: SessionContext): StoredCassette | undefined {
  try {
    return host.store.readPending(test.cassette, options.caps)
  } catch (error) {
    if (isReplayError(error)) return undefined
    throw error
  }
}
