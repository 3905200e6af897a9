import type { ErrorDetails } from '../../errors/codes.ts'
import { cassetteCommand, recordCommand } from '../../errors/commands.ts'
import { isReplayError, ReplayError } from '../../errors/replay-error.ts'
import type { StoredCassette } from '../../store/cassette-store.ts'
import type { SessionContext } from '../session-context.ts'

/** The committed cassette. Errors are those of the store; whoever has the test at hand can also say how to record it again. */
export function readCommitted({ host, test, options }: SessionContext): StoredCassette | undefined {
  try {
    return host.store.read(test.cassette, options.caps)
  } catch (error) {
    if (!isReplayError(error) || error.code !== 'TURNTAPE_CASSETTE_INVALID') throw error
    const details = error.details as ErrorDetails['TURNTAPE_CASSETTE_INVALID']
    const look = { why: 'To see all that is wrong with it', command: cassetteCommand('check', test.cassette) }
    const known = details.remedies ?? [look]
    const again = { why: known.length === 0 ? 'Record it again' : 'Or record it again', command: recordCommand(test) }
    throw new ReplayError('TURNTAPE_CASSETTE_INVALID', { ...details, remedies: [...known, again] }, { cause: error })
  }
}
