import { statSync } from 'node:fs'
import { dirname, sep } from 'node:path'
import { readBytes, removeEmptyFolder, type StoreToken, tokenOf } from './cassette-folder.ts'
import type { FileChanges } from './file-changes.ts'
import { clearSideFolder } from './side-folder.ts'
import { placeOf } from './store-path.ts'

export interface CassettePlace {
  /** Absolute. */
  readonly root: string
  readonly path: string
  readonly changes: FileChanges
}

export interface Removal extends CassettePlace {
  /** The token of what was read. */
  readonly expected: StoreToken
}

/** `changed`: what is there is not what was read, and stays. `absent`: there is none. */
export type RemovalOutcome = 'removed' | 'absent' | 'changed'

/** A committed cassette that nobody has changed since it was read. */
export function removeCassette({ expected, ...place }: Removal): RemovalOutcome {
  const found = tokenOf(readBytes(placeOf(place.root, place.path), place.path, () => undefined))
  if (found !== undefined && found !== expected) return 'changed'
  removeFiles(place)
  return found === undefined ? 'absent' : 'removed'
}

/** The cassette, then its side files, and the folders above that are empty then, up to `root`. */
export function removeFiles({ root, path, changes }: CassettePlace): void {
  const file = placeOf(root, path)
  const isGone = (): boolean => statSync(file, { throwIfNoEntry: false }) === undefined
  if (!isGone()) changes.remove(file)
  clearSideFolder({ file, kept: new Set(), mode: 0o644, changes, isInPlace: isGone })
  let folder = dirname(file)
  while (folder.startsWith(root + sep) && removeEmptyFolder(folder, changes)) folder = dirname(folder)
}
