import { isAbsolute, join, posix } from 'node:path'
import { ReplayError } from '../errors/replay-error.ts'

/**
 * The absolute place of a cassette path (POSIX, relative).
 * @throws TURNTAPE_INVALID_OPTION for a path that is no `.json` file below the root.
 */
export function placeOf(root: string, path: string): string {
  const leaves = isAbsolute(path) || posix.isAbsolute(path) || path.includes('\\') || goesUp(path)
  if (leaves || !path.endsWith('.json') || path.includes('\u0000')) {
    const expected = 'a .json file below the package root, relative to it, with forward slashes'
    throw new ReplayError('TURNTAPE_INVALID_OPTION', { option: 'path', given: JSON.stringify(path), expected })
  }
  return join(root, path)
}

function goesUp(path: string): boolean {
  if (!path.includes('..')) return false
  const normal = posix.normalize(path)
  return normal === '..' || normal.startsWith('../')
}

/** The folder of side files beside a cassette file: `<cassette name>.files`. */
export function sideFolderOf(cassetteFile: string): string {
  return `${cassetteFile.slice(0, -'.json'.length)}.files`
}

/** `<SHA-256>.<extension>`: no separators, so that it cannot leave its folder. */
export function isSideFileName(name: string): boolean {
  return /^[0-9a-f]{64}\.[a-z0-9]{1,16}$/.test(name)
}
