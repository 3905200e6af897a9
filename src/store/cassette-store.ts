/**
 * Cassettes on disk: committed ones below `<root>/cassettes`, pending ones below the cache. Writes whole files or none,
 * never over something it has not read, and keeps as pending what it cannot commit (promise 6). Decides nothing about
 * when to record; knows no mode and no test.
 */
import { join, resolve } from 'node:path'
import type { Caps } from '../core/cassette/caps.ts'
import type { FormatVersions } from '../core/cassette/versions/format-version.ts'
import { releasedVersions } from '../core/cassette/versions/released-versions.ts'
import {
  listCassetteFiles,
  readBytes,
  readCassetteFile,
  type StoredCassette,
  type StoreToken,
  tokenOf,
} from './cassette-folder.ts'
import { type CassetteHead, readHead } from './cassette-head.ts'
import { type CommitWrite, commitCassette } from './commit-cassette.ts'
import { type FileChanges, systemChanges } from './file-changes.ts'
import { findLeftovers, type LeftoverKinds, removeLeftovers } from './leftovers.ts'
import { type PendingWrite, pendingRefusal, pendingToken, removePending, writePending } from './pending-folder.ts'
import { type RemovalOutcome, removeCassette } from './remove-cassette.ts'
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
  /**
   * Deletes a cassette, its side files and empty folders above. `changed`: it is not what `expected` says, and stays.
   * @throws TURNTAPE_CASSETTE_INVALID where something is there that cannot be read; the file system's error
   */
  remove(path: string, expected: StoreToken): RemovalOutcome
  /** All committed cassettes, sorted. */
  list(): readonly string[]

  /** As `read`, of the pending recording. */
  readPending(path: string, caps: Caps): StoredCassette | undefined
  /**
   * Keeps a recording that was not committed. Never throws for the file system: a lost pending recording fails no test.
   * @returns its path relative to the root (absolute where it is elsewhere); undefined where nothing was kept.
   */
  writePending(write: PendingWrite): string | undefined
  /** What is pending there now. */
  pendingToken(path: string): StoreToken
  /** Where `expected` is given, only what is one of these: another run may have written its own meanwhile. */
  removePending(path: string, expected?: ReadonlySet<StoreToken>): boolean
  /** Why the pending recording must not be committed as it is; undefined where nothing speaks against it. */
  pendingRefusal(path: string): string | undefined
  /** Paths (those of the cassettes they would become), sorted. */
  listPending(): readonly string[]

  /** Files that killed runs left among committed and pending ones, absolute; what a live run is writing is none of them. */
  leftovers(kinds: LeftoverKinds): readonly string[]
  /** Never throws for the file system: what stays is a leftover still. */
  removeLeftovers(kinds: LeftoverKinds): void
}

export interface StoreOptions {
  readonly root: string
  /** Absolute; default `<root>/node_modules/.cache/turntape`. */
  readonly pendingRoot?: string
  /** Of the format, to be read; default: all that were released. */
  readonly versions?: FormatVersions
  /** What it does to files; default: what the system does. */
  readonly changes?: FileChanges
}

export function createStore(options: StoreOptions): CassetteStore {
  const root = resolve(options.root)
  const { versions = releasedVersions, changes = systemChanges } = options
  const { pendingRoot: pending = join(root, 'node_modules', '.cache', 'turntape') } = options
  const pendingPlace = { root, pending, changes }
  const keep = (write: PendingWrite): string | undefined => writePending(pendingPlace, write)
  const leftovers = (kinds: LeftoverKinds): readonly string[] => [
    ...findLeftovers(join(root, 'cassettes'), kinds),
    ...findLeftovers(pending, kinds),
  ]
  return {
    read: (path, caps) => readCassetteFile({ root, path, caps, versions }),
    head: (path) => readHead(placeOf(root, path)),
    token: (path) => tokenOf(readBytes(placeOf(root, path), path, () => undefined)),
    write: (write) => commitCassette({ ...write, root, changes, keep }),
    remove: (path, expected) => removeCassette({ root, path, expected, changes }),
    list: () => listCassetteFiles(root, 'cassettes'),
    readPending: (path, caps) => readCassetteFile({ root: pending, path, caps, versions }),
    writePending: keep,
    pendingToken: (path) => pendingToken(pending, path),
    removePending: (path, expected) => removePending(pendingPlace, path, expected),
    pendingRefusal: (path) => pendingRefusal(pending, path),
    listPending: () => listCassetteFiles(pending, ''),
    leftovers,
    removeLeftovers: (kinds) => removeLeftovers(leftovers(kinds), changes),
  }
}
