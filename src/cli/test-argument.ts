/** `<test file> > <describe> > <test>`: how messages and commands name a test. */
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { joint } from '../core/cassette/joined-names.ts'
import { posixRelative } from '../store/package-root.ts'
import type { CommandContext } from './command.ts'

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

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true
}
