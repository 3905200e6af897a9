/**
 * What the store does to files: each member is one change that has happened or not, in the order of a write. Every change
 * goes through this port, so that a process can be stopped, or a disk be full, between any two. Reading is no part of it.
 */
import {
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'

/** All paths are absolute. Each throws the file system's error. */
export interface FileChanges {
  /** With those above it; one that is there is fine. */
  makeFolder(folder: string): void
  /** A new file, open for writing. */
  create(file: string, mode: number): number
  write(descriptor: number, content: string | Uint8Array): void
  flush(descriptor: number): void
  close(descriptor: number): void
  /** Fails where `to` is there. */
  link(from: string, to: string): void
  /** Replaces `to`. */
  rename(from: string, to: string): void
  /** Makes what was placed in the folder outlast a power cut. */
  flushFolder(folder: string): void
  /** One that is not there is fine. */
  remove(file: string): void
  /** Only an empty one. */
  removeFolder(folder: string): void
}

export const systemChanges: FileChanges = {
  makeFolder: (folder) => {
    mkdirSync(folder, { recursive: true })
  },
  create: (file, mode) => openSync(file, 'wx', mode),
  write: (descriptor, content) => writeFileSync(descriptor, content),
  flush: (descriptor) => fsyncSync(descriptor),
  close: (descriptor) => closeSync(descriptor),
  link: (from, to) => linkSync(from, to),
  rename: (from, to) => renameSync(from, to),
  flushFolder: (folder) => {
    const descriptor = openSync(folder, 'r')
    try {
      fsyncSync(descriptor)
    } finally {
      closeSync(descriptor)
    }
  },
  remove: (file) => rmSync(file, { force: true }),
  removeFolder: (folder) => rmdirSync(folder),
}
