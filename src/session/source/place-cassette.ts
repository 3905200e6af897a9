/**
 * The variable `TURNTAPE_FOLDER`: the folder below the package root in which a run has its cassettes, in the place of
 * `cassettes`. With it a fresh set is recorded beside the committed one.
 */
import { ReplayError } from '../../errors/replay-error.ts'

export const committedFolder = 'cassettes'

/** POSIX, relative to the package root. Errors: TURNTAPE_INVALID_OPTION where the variable names no folder below it. */
export function cassetteFolderOfRun(given = process.env.TURNTAPE_FOLDER): string {
  if (!given) return committedFolder
  const folder = given.replaceAll('\\', '/').replace(/^\.\/|\/+$/g, '')
  const isBelow = !/^(?:[a-z]:|\/)/i.test(folder) && folder.split('/').every((name) => !['', '.', '..'].includes(name))
  if (isBelow) return folder
  const expected = 'a folder below the package root, relative to it'
  throw new ReplayError('TURNTAPE_INVALID_OPTION', { option: 'TURNTAPE_FOLDER', given, expected })
}

/** Where the cassette of this path (POSIX, relative to the package root) is in this run; so too one that `path` placed. */
export function placeCassette(path: string, folder = cassetteFolderOfRun()): string {
  if (folder === committedFolder) return path
  return `${folder}/${path.startsWith(`${committedFolder}/`) ? path.slice(committedFolder.length + 1) : path}`
}
