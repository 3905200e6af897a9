/** Files written whole or not at all (promise 6): a temporary file beside the target, flushed, then moved over it. */
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type FileChanges, systemChanges } from './file-changes.ts'
import { errorCode } from './file-fault.ts'
import { temporaryName } from './temporary-name.ts'

export interface AtomicWrite {
  /** Absolute. Missing folders are made. */
  readonly file: string
  readonly content: string | Uint8Array
  /** Permission bits, less the process's umask. */
  readonly mode: number
  /** `create`: refused where the file has appeared meanwhile. */
  readonly as: 'create' | 'replace'
  /** Asked at the last moment before a file is replaced; false refuses. Default: always. */
  readonly mayReplace?: () => boolean
  /** Default: those of the system. */
  readonly changes?: FileChanges
}

/** @returns `refused`: nothing was changed. Throws the file system's error; nothing was changed then either. */
export function writeAtomically(write: AtomicWrite): 'written' | 'refused' {
  const { file, changes = systemChanges } = write
  const folder = dirname(file)
  const temporary = join(folder, temporaryName())
  try {
    writeFlushed(temporary, write, changes)
    if (place(temporary, write, changes) === 'refused') return 'refused'
  } finally {
    removeQuietly(temporary, changes)
  }
  flushQuietly(folder, changes)
  return 'written'
}

function writeFlushed(temporary: string, { content, mode }: AtomicWrite, changes: FileChanges): void {
  const descriptor = createInFolder(temporary, mode, changes)
  try {
    changes.write(descriptor, content)
    changes.flush(descriptor)
  } finally {
    changes.close(descriptor)
  }
}

/** A process beside this one may remove a folder, empty as it still is, that has just been made. */
const folderTries = 10

function createInFolder(temporary: string, mode: number, changes: FileChanges): number {
  for (let tries = 1; ; tries++) {
    try {
      changes.makeFolder(dirname(temporary))
      return changes.create(temporary, mode)
    } catch (error) {
      if (errorCode(error) !== 'ENOENT' || tries === folderTries) throw error
    }
  }
}

function place(temporary: string, { file, as, mayReplace }: AtomicWrite, changes: FileChanges): 'placed' | 'refused' {
  if (as === 'create') return placeNew(temporary, file, changes)
  if (mayReplace?.() === false) return 'refused'
  changes.rename(temporary, file)
  return 'placed'
}

/** A link, unlike a rename, refuses a target that exists. */
function placeNew(temporary: string, file: string, changes: FileChanges): 'placed' | 'refused' {
  try {
    changes.link(temporary, file)
    return 'placed'
  } catch (error) {
    if (errorCode(error) === 'EEXIST' || existsSync(file)) return 'refused'
    // Some file systems have no hard links.
    changes.rename(temporary, file)
    return 'placed'
  }
}

function removeQuietly(temporary: string, changes: FileChanges): void {
  if (!existsSync(temporary)) return
  try {
    changes.remove(temporary)
  } catch {
    // What became of the write is not changed by it; leftovers are removed by a later run.
  }
}

function flushQuietly(folder: string, changes: FileChanges): void {
  try {
    changes.flushFolder(folder)
  } catch {
    // The file is in place, and systems differ in whether a folder can be flushed at all (Windows: no).
  }
}
