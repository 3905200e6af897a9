/**
 * Cassettes on disk: committed ones below `<root>/cassettes`, pending ones below the cache. Writes whole files or none,
 * never over something it has not read, and keeps as pending what it cannot commit (promise 6). Decides nothing about
 * when to record; knows no mode and no test.
 */
import { rmSync } from 'node:fs'
import { isAbsolute, join, relative, resolve, sep } from 'node:path'
import { type Caps, checkCap } from '../core/cassette/caps.ts'
import { contentHash } from '../core/cassette/content-hash.ts'
import type { Cassette, SideFiles } from '../core/cassette/document.ts'
import { parseCassette } from '../core/cassette/parse-cassette.ts'
import { unfoldCassette } from '../core/cassette/unfold-cassette.ts'
import type { FormatVersions } from '../core/cassette/versions/format-version.ts'
import { releasedVersions } from '../core/cassette/versions/released-versions.ts'
import { writeCassette } from '../core/cassette/write-cassette.ts'
import type { ErrorDetails } from '../errors/codes.ts'
import { isReplayError, ReplayError } from '../errors/replay-error.ts'
import { writeAtomically } from './atomic-file.ts'
import {
  listCassetteFiles,
  readBytes,
  readCassetteFile,
  removeCassetteFile,
  removeStaleSideFiles,
  type StoredCassette,
  type StoreToken,
  writeSideFiles,
} from './cassette-folder.ts'
import { type CassetteHead, readHead } from './cassette-head.ts'
import { faultReason } from './file-fault.ts'
import { placeOf } from './store-path.ts'

export type { StoredCassette, StoreToken } from './cassette-folder.ts'
export type { CassetteHead } from './cassette-head.ts'

/** Paths are POSIX, relative to the root, and end in `.json`; any other is TURNTAPE_INVALID_OPTION. All calls are synchronous. */
export interface CassetteStore {
  /**
   * Undefined: there is no such cassette.
   * @throws TURNTAPE_CAP_EXCEEDED, TURNTAPE_CASSETTE_INVALID, TURNTAPE_CASSETTE_TOO_NEW
   */
  read(path: string, caps: Caps): StoredCassette | undefined
  /** Its first lines, for a look at many; undefined where there is none or they cannot be read. Never throws. */
  head(path: string): CassetteHead | undefined
  /** What `write` must find there: of a file that cannot be parsed, too. */
  token(path: string): StoreToken
  /**
   * Commits a cassette with its side files, or leaves the old file as it was. `unchanged`: the file says this already.
   * @throws TURNTAPE_CAP_EXCEEDED, TURNTAPE_STORE_CONFLICT (the file is not what `expected` says), TURNTAPE_STORE_FAILED;
   * after the last two the cassette is pending, where that can be written.
   */
  write(write: CommitWrite): 'written' | 'unchanged'
  /** Deletes a cassette, its side files and empty folders above. False: there was none. */
  remove(path: string): boolean
  /** All committed cassettes, sorted. */
  list(): readonly string[]

  /** As `read`, of the pending recording. */
  readPending(path: string, caps: Caps): StoredCassette | undefined
  /**
   * Keeps a recording that was not committed. Never throws for the file system: a lost pending recording fails no test.
   * @returns its path relative to the root (absolute where it is elsewhere); undefined where nothing was kept.
   */
  writePending(write: PendingWrite): string | undefined
  removePending(path: string): boolean
  /** Why the pending recording must not be committed as it is; undefined where nothing speaks against it. */
  pendingRefusal(path: string): string | undefined
  /** Paths (those of the cassettes they would become), sorted. */
  listPending(): readonly string[]
}

export interface PendingWrite {
  readonly path: string
  readonly cassette: Cassette
  readonly sideFiles: SideFiles
  /** Why it must not be committed as it is; one sentence that holds no secret. Absent: nothing speaks against it. */
  readonly refusal?: string
}

export interface CommitWrite extends PendingWrite {
  readonly caps: Caps
  /** The token of what was read; undefined where nothing was there. */
  readonly expected: StoreToken
}

export interface StoreOptions {
  readonly root: string
  /** Absolute; default `<root>/node_modules/.cache/turntape`. */
  readonly pendingRoot?: string
  /** Of the format, to be read; default: all that were released. */
  readonly versions?: FormatVersions
}

export function createStore(options: StoreOptions): CassetteStore {
  const root = resolve(options.root)
  const { pendingRoot: pending = join(root, 'node_modules', '.cache', 'turntape'), versions = releasedVersions } =
    options
  const keep = (write: PendingWrite): string | undefined => writePending({ ...write, root, pending })
  return {
    read: (path, caps) => readCassetteFile({ root, path, caps, versions }),
    head: (path) => readHead(placeOf(root, path)),
    token: (path) => tokenOf(readBytes(placeOf(root, path), path, () => undefined)),
    write: (write) => commit({ ...write, root, keep }),
    remove: (path) => removeCassetteFile(root, path),
    list: () => listCassetteFiles(root, 'cassettes'),
    readPending: (path, caps) => readCassetteFile({ root: pending, path, caps, versions }),
    writePending: keep,
    removePending: (path) => removePending(pending, path),
    pendingRefusal: (path) => readBytes(refusalOf(placeOf(pending, path)), path, () => undefined)?.toString('utf8'),
    listPending: () => listCassetteFiles(pending, ''),
  }
}

interface Commit extends CommitWrite {
  readonly root: string
  readonly keep: (write: PendingWrite) => string | undefined
}

function commit(write: Commit): 'written' | 'unchanged' {
  const { root, path, cassette, caps, expected, keep } = write
  const file = placeOf(root, path)
  const text = writeCassette(cassette)
  const found = Buffer.byteLength(text)
  checkCap({ cassette: path, cap: 'maxCassetteBytes', limit: caps.maxCassetteBytes, found, when: 'recording' })
  try {
    const present = readBytes(file, path, () => undefined)
    // A checkout may have turned line ends into CRLF: no reason to change the file.
    if (present?.toString('utf8').replaceAll('\r\n', '\n') === text) {
      writeSideFiles({ file, cassette, sideFiles: write.sideFiles, mode: committedMode })
      return 'unchanged'
    }
    if (tokenOf(present) !== expected) throw conflict(path, keep(write))
    proveReadable(text, write)
    writeSideFiles({ file, cassette, sideFiles: write.sideFiles, mode: committedMode })
    const as = present === undefined ? 'create' : 'replace'
    if (writeAtomically({ file, content: text, mode: committedMode, as }) === 'exists')
      throw conflict(path, keep(write))
    removeStaleSideFiles(file, cassette)
    return 'written'
  } catch (error) {
    if (error instanceof ReplayError && error.code !== 'TURNTAPE_CASSETTE_INVALID') throw error
    const reason = error instanceof ReplayError ? 'something that cannot be read is in its place' : faultReason(error)
    throw new ReplayError(
      'TURNTAPE_STORE_FAILED',
      { cassette: path, pendingPath: keep(write), reason },
      { cause: error },
    )
  }
}

/** What is written must open for ever: a document that code outside of ours had a hand in need not be one that does. */
function proveReadable(text: string, { path, caps, keep, ...write }: Commit): void {
  try {
    unfoldCassette(parseCassette(text, { cassette: path, caps }))
  } catch (error) {
    if (!isReplayError(error) || error.code !== 'TURNTAPE_CASSETTE_INVALID') throw error
    const { pointer, reason } = error.details as ErrorDetails['TURNTAPE_CASSETTE_INVALID']
    const where = pointer === undefined ? '' : `${pointer}: `
    throw new ReplayError(
      'TURNTAPE_STORE_FAILED',
      {
        cassette: path,
        pendingPath: keep({ path, ...write }),
        reason: `it could not be read again: ${where}${reason}`,
      },
      { cause: error },
    )
  }
}

/** Everyone may read what is committed; a pending recording is the user's own until it was looked at. */
const committedMode = 0o644
const pendingMode = 0o600

interface KeepPending extends PendingWrite {
  readonly root: string
  readonly pending: string
}

function writePending({ root, pending, path, cassette, sideFiles, refusal }: KeepPending): string | undefined {
  if (cassette.interactions.length === 0) return undefined
  const file = placeOf(pending, path)
  try {
    writeSideFiles({ file, cassette, sideFiles, mode: pendingMode })
    // The refusal stands before what it refuses does.
    if (refusal !== undefined)
      writeAtomically({ file: refusalOf(file), content: refusal, mode: pendingMode, as: 'replace' })
    writeAtomically({ file, content: writeCassette(cassette), mode: pendingMode, as: 'replace' })
    if (refusal === undefined) rmSync(refusalOf(file), { force: true })
    removeStaleSideFiles(file, cassette)
  } catch {
    // A recording that cannot be kept must not turn the test's own outcome into another one.
    return undefined
  }
  const below = relative(root, file)
  return below.startsWith('..') || isAbsolute(below) ? file : below.split(sep).join('/')
}

function removePending(pending: string, path: string): boolean {
  try {
    rmSync(refusalOf(placeOf(pending, path)), { force: true })
    return removeCassetteFile(pending, path)
  } catch {
    // The cassette is committed; what is left in the cache does no harm.
    return false
  }
}

function refusalOf(file: string): string {
  return `${file}.refused`
}

function conflict(cassette: string, pendingPath: string | undefined): ReplayError {
  return new ReplayError('TURNTAPE_STORE_CONFLICT', { cassette, pendingPath })
}

function tokenOf(bytes: Uint8Array | undefined): StoreToken {
  return bytes === undefined ? undefined : contentHash(bytes)
}
