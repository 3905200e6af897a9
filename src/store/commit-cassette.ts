/**
 * A committed cassette replaced whole, side files included, or not at all. A run beside this one is met without locks: the
 * file must be what was read, up to the moment before the rename; otherwise the recording is kept as pending.
 */
import { type Caps, checkCap } from '../core/cassette/caps.ts'
import { parseCassette } from '../core/cassette/parse-cassette.ts'
import { unfoldCassette } from '../core/cassette/unfold-cassette.ts'
import { writeCassette } from '../core/cassette/write-cassette.ts'
import type { ErrorDetails } from '../errors/codes.ts'
import { isReplayError, ReplayError } from '../errors/replay-error.ts'
import { writeAtomically } from './atomic-file.ts'
import { readBytes, type StoreToken, tokenOf } from './cassette-folder.ts'
import type { FileChanges } from './file-changes.ts'
import { faultReason } from './file-fault.ts'
import type { PendingWrite } from './pending-folder.ts'
import { settleSideFolder, writeSideFiles } from './side-folder.ts'
import { placeOf } from './store-path.ts'

export interface CommitWrite extends PendingWrite {
  readonly caps: Caps
  /** The token of what was read; undefined where nothing was there. */
  readonly expected: StoreToken
}

export interface Commit extends CommitWrite {
  readonly root: string
  readonly changes: FileChanges
  /** Keeps the recording as pending; gives back where. */
  readonly keep: (write: PendingWrite) => string | undefined
}

/** Everyone may read what is committed. */
const mode = 0o644

export function commitCassette(commit: Commit): 'written' | 'unchanged' {
  const { root, path, cassette, caps } = commit
  const text = writeCassette(cassette)
  const found = Buffer.byteLength(text)
  checkCap({ cassette: path, cap: 'maxCassetteBytes', limit: caps.maxCassetteBytes, found, when: 'recording' })
  try {
    return replaceCassette(commit, placeOf(root, path), text)
  } catch (error) {
    if (error instanceof ReplayError && error.code !== 'TURNTAPE_CASSETTE_INVALID') throw error
    const reason = error instanceof ReplayError ? 'something that cannot be read is in its place' : faultReason(error)
    throw notStored(commit, reason, error)
  }
}

function replaceCassette(commit: Commit, file: string, text: string): 'written' | 'unchanged' {
  const { path, cassette, sideFiles, expected, changes } = commit
  const token = (): StoreToken => tokenOf(readBytes(file, path, () => undefined))
  const side = { file, cassette, mode, changes }
  const present = readBytes(file, path, () => undefined)
  // A checkout may have turned line ends into CRLF: no reason to change the file.
  if (present?.toString('utf8').replaceAll('\r\n', '\n') === text) {
    writeSideFiles({ ...side, sideFiles })
    return 'unchanged'
  }
  if (tokenOf(present) !== expected) throw conflict(commit)
  proveReadable(commit, text)
  const own = writeSideFiles({ ...side, sideFiles })
  const as = present === undefined ? 'create' : 'replace'
  const mayReplace = (): boolean => token() === expected
  if (writeAtomically({ file, content: text, mode, as, mayReplace, changes }) === 'refused') throw conflict(commit)
  try {
    const placed = tokenOf(Buffer.from(text))
    settleSideFolder({ ...side, sideFiles: own, isInPlace: () => token() === placed })
  } catch {
    // The cassette is in place with what it needs; side files too many do no harm.
  }
  return 'written'
}

/** What is written must open for ever: a document that code outside of ours had a hand in need not be one that does. */
function proveReadable(commit: Commit, text: string): void {
  try {
    unfoldCassette(parseCassette(text, { cassette: commit.path, caps: commit.caps }))
  } catch (error) {
    if (!isReplayError(error) || error.code !== 'TURNTAPE_CASSETTE_INVALID') throw error
    const { pointer, reason } = error.details as ErrorDetails['TURNTAPE_CASSETTE_INVALID']
    const where = pointer === undefined ? '' : `${pointer}: `
    throw notStored(commit, `it could not be read again: ${where}${reason}`, error)
  }
}

function conflict(commit: Commit): ReplayError {
  return new ReplayError('TURNTAPE_STORE_CONFLICT', { cassette: commit.path, pendingPath: commit.keep(commit) })
}

function notStored(commit: Commit, reason: string, cause: unknown): ReplayError {
  const details = { cassette: commit.path, pendingPath: commit.keep(commit), reason }
  return new ReplayError('TURNTAPE_STORE_FAILED', details, { cause })
}
