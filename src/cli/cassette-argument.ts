/** Which cassette an argument means: a path, the path of a pending recording, or a test's name. */
import { dirname, join, posix } from 'node:path'
import { cassettePath } from '../core/cassette/cassette-path.ts'
import { joint, possibleNames } from '../core/cassette/joined-names.ts'
import { readShellArgument } from '../errors/shell-quote.ts'
import { findPackageRoot, posixRelative } from '../store/package-root.ts'
import type { CommandContext } from './command.ts'
import { didYouMean, nearestWord } from './nearest-word.ts'
import { cassetteOfPending } from './pending-recording.ts'
import { readTestArgument, type TestArgument } from './test-argument.ts'
import { usageError } from './usage-error.ts'

export interface CassetteArgument {
  /** Relative to the package root. */
  readonly path: string
  /** True: the path of the pending recording itself was given. */
  readonly namesPending: boolean
}

/** @throws TURNTAPE_USAGE where there is no such cassette, committed or pending. */
export function findCassette(argument: string, context: CommandContext): CassetteArgument {
  const { text, prefix } = readShellArgument(argument)
  const known = new Set([...context.store.list(), ...context.store.listPending()])
  const exists = (path: string): boolean => known.has(path) || isCommitted(path, context)
  for (const candidate of [...pathCandidates(text, context), ...nameCandidates(text, context)]) {
    const path = cassetteOfPending(candidate)
    if (exists(path)) return { path, namesPending: path !== candidate }
  }
  if (prefix) return { path: onlyOneWith(text, [...known]), namesPending: false }
  const nearest = nearestWord(
    text,
    [...known].flatMap((path) => [path, context.shown(path)]),
  )
  throw usageError(
    `No cassette is at ${text}`,
    `${didYouMean(nearest)}Give the path of a cassette, or "<test file> > <test name>".`,
  )
}

/** Relative to the current folder, or to the package root as messages print it. */
function pathCandidates(text: string, { cwd, root }: CommandContext): readonly string[] {
  return [join(cwd, text), join(root, text)].flatMap((file) => {
    const path = posixRelative(root, file)
    if (path === '' || path.startsWith('../')) return []
    return path.endsWith('.json') ? [path] : [`${path}.json`]
  })
}

/** A test file of another package of the repository has its cassettes there; one that is gone had them here. */
function nameCandidates(text: string, context: CommandContext): readonly string[] {
  const test = readTestArgument(text, context) ?? goneTest(text)
  if (test?.name === undefined) return []
  const file = join(context.root, test.file)
  const owner = findPackageRoot(dirname(file))
  const testFile = posixRelative(owner, file)
  const folder = posixRelative(context.root, owner)
  return possibleNames(test.name).map((names) => posix.join(folder, cassettePath({ testFile, names, index: 1 })))
}

function goneTest(text: string): TestArgument | undefined {
  const [file = '', ...names] = text.split(joint)
  return names.length === 0 ? undefined : { file, name: names.join(joint) }
}

/** A cassette outside of the usual folder, where the option `path` put it. */
function isCommitted(path: string, { store }: CommandContext): boolean {
  return posix.normalize(path) === path && store.token(path) !== undefined
}

function onlyOneWith(start: string, paths: readonly string[]): string {
  const [found, ...others] = paths.filter((path) => path.startsWith(start))
  if (found === undefined)
    throw usageError(`No cassette begins with ${start}`, 'See turntape accept --list and the folder cassettes.')
  if (others.length > 0) throw usageError(`${others.length + 1} cassettes begin with ${start}`, 'Give the whole path.')
  return found
}
