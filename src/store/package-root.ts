import { existsSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'

/** The nearest folder at or above with a package.json; the folder itself where there is none. */
export function findPackageRoot(folder: string): string {
  return foldersUp(folder).find((at) => existsSync(join(at, 'package.json'))) ?? folder
}

/** The folder and those above, nearest first. */
export function foldersUp(folder: string): readonly string[] {
  const parent = dirname(folder)
  return parent === folder ? [folder] : [folder, ...foldersUp(parent)]
}

export function posixRelative(from: string, to: string): string {
  return relative(from, to).split(sep).join('/')
}
