/** Files written whole or not at all (promise 6): a temporary file beside the target, flushed, then moved over it. */
import { randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, linkSync, mkdirSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { errorCode } from './file-fault.ts'

export interface AtomicWrite {
  /** Absolute. Missing folders are made. */
  readonly file: string
  readonly content: string | Uint8Array
  /** Permission bits, less the process's umask. */
  readonly mode: number
  /** `create`: fails where the file has appeared meanwhile. */
  readonly as: 'create' | 'replace'
}

/** @returns `exists` where `create` found the file there; nothing is changed then. Throws the file system's error. */
export function writeAtomically({ file, content, mode, as }: AtomicWrite): 'written' | 'exists' {
  mkdirSync(dirname(file), { recursive: true })
  const temporary = join(dirname(file), `.turntape-${randomBytes(6).toString('hex')}.tmp`)
  try {
    writeFlushed(temporary, content, mode)
    if (as === 'create' && placeNew(temporary, file) === 'exists') return 'exists'
    if (as === 'replace') renameSync(temporary, file)
    return 'written'
  } finally {
    rmSync(temporary, { force: true })
  }
}

function writeFlushed(file: string, content: string | Uint8Array, mode: number): void {
  const descriptor = openSync(file, 'wx', mode)
  try {
    writeFileSync(descriptor, content)
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/** A link, unlike a rename, refuses a target that exists. */
function placeNew(temporary: string, file: string): 'placed' | 'exists' {
  try {
    linkSync(temporary, file)
    return 'placed'
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return 'exists'
    // Some file systems have no hard links.
    renameSync(temporary, file)
    return 'placed'
  }
}
