/** `<test file> > <describe> > <test>`: how messages and commands name a test. */
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { posixRelative } from '../store/package-root.ts'
import type { CommandContext } from './command.ts'

const joint = ' > '

export interface TestArgument {
  /** POSIX, relative to the package root. */
  readonly file: string
  /** The names, joined with ` > `; undefined: the whole file. */
  readonly name: string | undefined
}

/** Undefined where it begins with no file that exists, relative to the current folder or to the package root. */
export function readTestArgument(
  text: string,
  { cwd, root }: Pick<CommandContext, 'cwd' | 'root'>,
): TestArgument | undefined {
  const pieces = text.split(joint)
  for (const [index] of pieces.entries()) {
    const given = pieces.slice(0, index + 1).join(joint)
    const found = [cwd, root].map((folder) => join(folder, given)).find(isFile)
    if (found === undefined) continue
    const file = posixRelative(root, found)
    return { file, name: index + 1 === pieces.length ? undefined : pieces.slice(index + 1).join(joint) }
  }
  return undefined
}

/** Every list of names that is this text when joined: a name may hold ` > ` itself. The longest list comes first. */
export function possibleNames(joined: string): readonly (readonly string[])[] {
  const pieces = joined.split(joint)
  if (pieces.length > maxPieces) return [pieces]
  return splits(pieces)
}

export function joinNames(names: readonly string[]): string {
  return names.join(joint)
}

/** The number of lists doubles with each piece. */
const maxPieces = 8

function splits([first = '', ...rest]: readonly string[]): readonly (readonly string[])[] {
  if (rest.length === 0) return [[first]]
  const apart = splits(rest).map((names) => [first, ...names])
  const joined = splits([`${first}${joint}${rest[0]}`, ...rest.slice(1)])
  return [...apart, ...joined]
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true
}
