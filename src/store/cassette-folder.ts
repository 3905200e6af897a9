/** One folder tree of cassettes with their side files: the committed ones below the package root, or the pending ones. */
import { closeSync, constants, type Dirent, fstatSync, openSync, readdirSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { type Caps, checkCap } from '../core/cassette/caps.ts'
import { contentHash } from '../core/cassette/content-hash.ts'
import type { Cassette, SideFiles } from '../core/cassette/document.ts'
import { withLazy } from '../core/cassette/lazy-member.ts'
import { parseCassette } from '../core/cassette/parse-cassette.ts'
import type { FormatVersions } from '../core/cassette/versions/format-version.ts'
import { ReplayError } from '../errors/replay-error.ts'
import type { FileChanges } from './file-changes.ts'
import { faultReason, isMissing } from './file-fault.ts'
import { SideFileMap, sideFileSizes } from './side-file-map.ts'
import { isSideFileName, placeOf } from './store-path.ts'

/** What a file held when it was read: the SHA-256 of its bytes. Undefined: there was none. */
export type StoreToken = string | undefined

export function tokenOf(bytes: Uint8Array | undefined): StoreToken {
  return bytes === undefined ? undefined : contentHash(bytes)
}

export interface StoredCassette {
  readonly cassette: Cassette
  /** The file as it stands on disk. */
  readonly bytes: Buffer
  /** Hashed when it is first asked for: a replay never asks. */
  readonly token: string
  /** Read on `get`, checked by SHA-256; throws TURNTAPE_CASSETTE_INVALID. */
  readonly sideFiles: SideFiles
}

export interface CassetteRead {
  /** Absolute. */
  readonly root: string
  readonly path: string
  readonly caps: Caps
  readonly versions: FormatVersions
}

/** The size is checked before the file is read (F20). Undefined: there is no such file. */
export function readCassetteFile({ root, path, caps, versions }: CassetteRead): StoredCassette | undefined {
  const file = placeOf(root, path)
  const bytes = readBytes(file, path, (found) => {
    checkCap({ cassette: path, cap: 'maxCassetteBytes', limit: caps.maxCassetteBytes, found, when: 'loading' })
  })
  if (bytes === undefined) return undefined
  const cassette = parseCassette(bytes, { cassette: path, caps, versions })
  const sideFiles = new SideFileMap({ file, cassette: path, sizes: () => sideFileSizes(cassette) })
  return withLazy({ cassette, bytes, sideFiles }, 'token', () => contentHash(bytes))
}

/** @throws TURNTAPE_CASSETTE_INVALID where something is there that cannot be read. */
export function readBytes(file: string, path: string, checkSize: (bytes: number) => void): Buffer | undefined {
  let descriptor: number | undefined
  try {
    // Non-blocking: opening a pipe must not wait for a writer.
    descriptor = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
    const found = fstatSync(descriptor)
    if (!found.isFile()) throw unreadable(path, 'it is no file')
    checkSize(found.size)
    return readWhole(descriptor, found.size)
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error instanceof ReplayError ? error : unreadable(path, `it cannot be read: ${faultReason(error)}`, error)
  } finally {
    if (descriptor !== undefined) closeSync(descriptor)
  }
}

/** An open file of this size, which was looked up; less where it was cut since then. */
function readWhole(descriptor: number, size: number): Buffer {
  const bytes = Buffer.allocUnsafeSlow(size)
  let end = 0
  for (let count = -1; end < size && count !== 0; end += count) {
    count = readSync(descriptor, bytes, end, size - end, null)
  }
  return end === size ? bytes : bytes.subarray(0, end)
}

/** Paths of all cassettes below `<root>/<folder>`, POSIX, relative to `root`, sorted. Links to folders are not followed. */
export function listCassetteFiles(root: string, folder: string): readonly string[] {
  const found: string[] = []
  const visit = (directory: string): void => {
    for (const entry of listEntries(join(root, directory))) {
      const place = directory === '' ? entry.name : `${directory}/${entry.name}`
      if (entry.isDirectory()) visit(place)
      else if (isCassetteName(entry.name)) found.push(place)
    }
  }
  visit(folder)
  return found.sort()
}

function isCassetteName(name: string): boolean {
  return name.endsWith('.json') && !name.startsWith('.') && !isSideFileName(name)
}

export function listEntries(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch (error) {
    if (isMissing(error)) return []
    throw error
  }
}

export function listNames(folder: string): readonly string[] {
  return listEntries(folder).map((entry) => entry.name)
}

export function removeEmptyFolder(folder: string, changes: FileChanges): boolean {
  try {
    changes.removeFolder(folder)
    return true
  } catch {
    // Not empty, or not there: it stays as it is.
    return false
  }
}

function unreadable(cassette: string, reason: string, cause?: unknown): ReplayError {
  return new ReplayError('TURNTAPE_CASSETTE_INVALID', { cassette, reason }, { cause })
}
