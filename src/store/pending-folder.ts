/** Recordings that were not committed, kept in the cache for the user alone, each with what speaks against committing it. */
import { existsSync } from 'node:fs'
import { isAbsolute, relative, sep } from 'node:path'
import type { Cassette, SideFiles } from '../core/cassette/document.ts'
import { writeCassette } from '../core/cassette/write-cassette.ts'
import { writeAtomically } from './atomic-file.ts'
import { readBytes, type StoreToken, tokenOf } from './cassette-folder.ts'
import type { FileChanges } from './file-changes.ts'
import { removeFiles } from './remove-cassette.ts'
import { settleSideFolder, writeSideFiles } from './side-folder.ts'
import { placeOf } from './store-path.ts'

export interface PendingWrite {
  readonly path: string
  readonly cassette: Cassette
  readonly sideFiles: SideFiles
  /** Why it must not be committed as it is; one sentence that holds no secret. Absent: nothing speaks against it. */
  readonly refusal?: string
}

export interface PendingPlace {
  readonly root: string
  /** Absolute. */
  readonly pending: string
  readonly changes: FileChanges
}

/** A pending recording is the user's own until it was looked at. */
const mode = 0o600

/** Never throws for the file system. Undefined: it could not be kept. */
export function writePending(place: PendingPlace, write: PendingWrite): string | undefined {
  if (write.cassette.interactions.length === 0) return undefined
  const file = placeOf(place.pending, write.path)
  try {
    replacePending(file, write, place.changes)
  } catch {
    // A recording that cannot be kept must not turn the test's own outcome into another one.
    return undefined
  }
  const below = relative(place.root, file)
  return below.startsWith('..') || isAbsolute(below) ? file : below.split(sep).join('/')
}

function replacePending(file: string, write: PendingWrite, changes: FileChanges): void {
  const { path, cassette, sideFiles, refusal } = write
  const side = { file, cassette, mode, changes }
  const text = writeCassette(cassette)
  const isInPlace = (): boolean => readBytes(file, path, () => undefined)?.toString('utf8') === text
  const own = writeSideFiles({ ...side, sideFiles })
  // The refusal stands before what it refuses does, and goes after it.
  if (refusal !== undefined) {
    writeAtomically({ file: refusalOf(file), content: refusal, mode, as: 'replace', changes })
  }
  writeAtomically({ file, content: text, mode, as: 'replace', changes })
  if (refusal === undefined && existsSync(refusalOf(file)) && isInPlace()) changes.remove(refusalOf(file))
  settleSideFolder({ ...side, sideFiles: own, isInPlace })
}

/** `expected`: it stays where it is none of these. Absent: whatever it is. */
export function removePending(
  { pending, changes }: PendingPlace,
  path: string,
  expected?: ReadonlySet<StoreToken>,
): boolean {
  try {
    const file = placeOf(pending, path)
    const existed = existsSync(file)
    if (expected?.has(pendingToken(pending, path)) === false) return false
    changes.remove(file)
    // After the recording: while that is there, what speaks against it is.
    changes.remove(refusalOf(file))
    removeFiles({ root: pending, path, changes })
    return existed
  } catch {
    // The cassette is committed; what is left in the cache does no harm.
    return false
  }
}

export function pendingToken(pending: string, path: string): StoreToken {
  return tokenOf(readBytes(placeOf(pending, path), path, () => undefined))
}

export function pendingRefusal(pending: string, path: string): string | undefined {
  return readBytes(refusalOf(placeOf(pending, path)), path, () => undefined)?.toString('utf8')
}

function refusalOf(file: string): string {
  return `${file}.refused`
}
