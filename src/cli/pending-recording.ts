import type { Caps } from '../core/cassette/caps.ts'
import type { ErrorDetails } from '../errors/codes.ts'
import { isReplayError, ReplayError } from '../errors/replay-error.ts'
import type { CassetteStore, StoredCassette } from '../store/cassette-store.ts'

/** Where the store keeps what is pending, relative to the package root. */
const pendingFolder = 'node_modules/.cache/turntape/'

/** The path of the pending recording of a cassette, as messages print it. */
export function pendingPath(cassette: string): string {
  return `${pendingFolder}${cassette}`
}

/** The cassette whose pending recording this path is; any other path as it is. */
export function cassetteOfPending(path: string): string {
  return path.startsWith(pendingFolder) ? path.slice(pendingFolder.length) : path
}

export interface PendingRead {
  readonly store: CassetteStore
  readonly path: string
  readonly caps: Caps
}

/** As the store's, but an error names the file in the cache, not the committed cassette. */
export function readPending({ store, path, caps }: PendingRead): StoredCassette | undefined {
  try {
    return store.readPending(path, caps)
  } catch (error) {
    if (!isReplayError(error) || error.code !== 'TURNTAPE_CASSETTE_INVALID') throw error
    const details = error.details as ErrorDetails['TURNTAPE_CASSETTE_INVALID']
    const remedies = [{ why: 'To mend it', command: 'Run its test again: what cannot be read is recorded anew.' }]
    throw new ReplayError(
      'TURNTAPE_CASSETTE_INVALID',
      { ...details, cassette: pendingPath(path), remedies },
      { cause: error },
    )
  }
}
