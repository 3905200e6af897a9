/** What killed runs left in a folder tree of cassettes. A run that is writing there at this moment keeps what is its own. */
import { readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { listEntries, listNames, removeEmptyFolder } from './cassette-folder.ts'
import type { FileChanges } from './file-changes.ts'
import { realNow } from './real-now.ts'
import { isSideFileName } from './store-path.ts'
import { isLeftBehind } from './temporary-name.ts'

/** `all`: with side files that no cassette names, which takes a look into cassettes. */
export type LeftoverKinds = 'temporary' | 'all'

/** Side files stand before the cassette that names them does; no run needs an hour for that. */
const youngMs = 60 * 60 * 1000

/** @param folder absolute, as what is given back. */
export function findLeftovers(folder: string, kinds: LeftoverKinds): readonly string[] {
  const nowMs = realNow()
  const found: string[] = []
  const visit = (directory: string): void => {
    for (const entry of listEntries(directory)) {
      const { name } = entry
      if (!entry.isDirectory() && !name.startsWith('.turntape-')) continue
      const place = join(directory, name)
      if (entry.isDirectory()) {
        if (kinds === 'all' && name.endsWith('.files')) found.push(...unnamed(place, nowMs))
        visit(place)
      } else if (isLeftBehind(name, ageMs(place, nowMs))) found.push(place)
    }
  }
  visit(folder)
  return found
}

/** Side files that the cassette beside their folder does not name. Their names are hashes: its text is enough to tell. */
function unnamed(folder: string, nowMs: number): readonly string[] {
  const text = textOf(`${folder.slice(0, -'.files'.length)}.json`)
  return listNames(folder)
    .filter((name) => isSideFileName(name) && !text.includes(name))
    .map((name) => join(folder, name))
    .filter((file) => ageMs(file, nowMs) > youngMs)
}

function textOf(cassette: string): string {
  try {
    return readFileSync(cassette, 'utf8')
  } catch {
    return '' // none, or none that can be read
  }
}

function ageMs(file: string, nowMs: number): number {
  const found = statSync(file, { throwIfNoEntry: false })
  return found === undefined ? 0 : nowMs - found.mtimeMs
}

export function removeLeftovers(files: readonly string[], changes: FileChanges): void {
  for (const file of files) {
    try {
      changes.remove(file)
    } catch {
      // A folder that cannot be written to: a later run tries again.
      continue
    }
    removeEmptyFolder(dirname(file), changes)
  }
}
