/**
 * The folder of side files beside a cassette. Written before the cassette and cleared after it, so that whichever cassette
 * a kill leaves finds its own; and checked again, since a run beside this one may commit the same cassette.
 */
import { readFileSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { contentHash } from '../core/cassette/content-hash.ts'
import type { Cassette, SideFiles } from '../core/cassette/document.ts'
import { writeAtomically } from './atomic-file.ts'
import { listNames, removeEmptyFolder } from './cassette-folder.ts'
import type { FileChanges } from './file-changes.ts'
import { sideFileSizes } from './side-file-map.ts'
import { isSideFileName, sideFolderOf } from './store-path.ts'

export interface SideFolderWrite {
  /** Absolute path of the cassette. */
  readonly file: string
  readonly cassette: Cassette
  /** Holds at least the side files that the cassette refers to and the folder lacks. */
  readonly sideFiles: SideFiles
  readonly mode: number
  readonly changes: FileChanges
}

/** One that is there, whole, is not written again. Gives back the bytes of all: they may be gone a moment later. */
export function writeSideFiles({ file, cassette, sideFiles, mode, changes }: SideFolderWrite): SideFiles {
  const kept = new Map<string, Uint8Array>()
  for (const name of sideFileSizes(cassette).keys()) {
    const target = join(sideFolderOf(file), name)
    const present = readWhole(target)
    const content = present ?? sideFiles.get(name)
    if (content === undefined) continue
    kept.set(name, content)
    if (present === undefined) writeAtomically({ file: target, content, mode, as: 'replace', changes })
  }
  return kept
}

export interface SideFolderSettling extends SideFolderWrite {
  /** The cassette is still the one in place. */
  readonly isInPlace: () => boolean
}

/**
 * Once the cassette is in place: side files of the one before go. A run beside this one does the same for its cassette, at
 * the same time. So each looks for its own once more, and who finds another cassette in place gives back what it removed:
 * the one that stays finds all of its side files.
 */
export function settleSideFolder({ isInPlace, ...write }: SideFolderSettling): void {
  const { file, cassette, mode, changes } = write
  if (isInPlace()) writeSideFiles(write)
  clearSideFolder({ file, kept: new Set(sideFileSizes(cassette).keys()), mode, changes, isInPlace })
}

export interface SideFolderClearing extends Pick<SideFolderSettling, 'file' | 'mode' | 'changes' | 'isInPlace'> {
  readonly kept: ReadonlySet<string>
}

/** All side files but those that are kept; given back where what they went for is not in place any more. */
export function clearSideFolder({ file, kept, mode, changes, isInPlace }: SideFolderClearing): void {
  const folder = sideFolderOf(file)
  const stale = listNames(folder).filter((name) => isSideFileName(name) && !kept.has(name))
  const removed = stale.map((name) => ({ file: join(folder, name), content: readWhole(join(folder, name)) }))
  for (const { file } of removed) changes.remove(file)
  if (removed.length > 0 && !isInPlace()) {
    for (const { file, content } of removed) {
      if (content !== undefined) writeAtomically({ file, content, mode, as: 'replace', changes })
    }
  }
  if (kept.size === 0) removeEmptyFolder(folder, changes)
}

/** Undefined: there is none, or not what its name says. */
function readWhole(file: string): Uint8Array | undefined {
  if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true) return undefined
  const content = new Uint8Array(readFileSync(file))
  return contentHash(content) === basename(file).split('.', 1)[0] ? content : undefined
}
