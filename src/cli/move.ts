import { statSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import type { Caps } from '../core/cassette/caps.ts'
import { cassetteFolder, cassettePath, cassettePaths } from '../core/cassette/cassette-path.ts'
import { joinNames, joint } from '../core/cassette/joined-names.ts'
import { counted } from '../errors/messages/compose-message.ts'
import { isReplayError } from '../errors/replay-error.ts'
import { readShellArgument } from '../errors/shell-quote.ts'
import type { StoredCassette } from '../store/cassette-store.ts'
import { findPackageRoot, posixRelative } from '../store/package-root.ts'
import { findCassette } from './cassette-argument.ts'
import type { CommandContext, RunCommand } from './command.ts'
import { givenCaps } from './given-caps.ts'
import { collectMeantFile, type MeantFile, meantTests } from './meant-tests.ts'
import { readTestArgument } from './test-argument.ts'
import { usageError } from './usage-error.ts'

/**
 * `turntape move`: gives a cassette, or all those of a folder, to another test or place. Looks at all of them first: where
 * one cannot be moved none is.
 */
export const move: RunCommand = async (given, context) => {
  const [from, to] = given.positionals
  if (from === undefined || to === undefined) {
    throw usageError('move needs a cassette and where it goes', 'See turntape move --help.')
  }
  const caps = givenCaps(given)
  const folder = cassetteFolderOf(from, context)
  const moves = folder === undefined ? [await moveOfOne({ from, to }, context)] : movesOfFolder({ folder, to }, context)
  refuseOccupied(moves, context)
  const ready = moves.map((one) => ({ ...one, ...read(one, { context, caps }) }))
  for (const one of ready) carryOut(one, { context, caps })
  const { output } = context
  if (ready.length > 1) output.line(`${counted(ready.length, 'cassette')} moved`)
  return 0
}

interface Move {
  /** Cassette paths, relative to the package root. */
  readonly from: string
  readonly to: string
  /** The name of the test that it goes to; undefined: the name in the header stays. */
  readonly test?: string
}

interface Arguments {
  readonly from: string
  readonly to: string
}

async function moveOfOne({ from, to }: Arguments, context: CommandContext): Promise<Move> {
  const { path } = findCassette(from, context)
  const { text } = readShellArgument(to)
  const test = readTestArgument(text, context)
  if (test?.name !== undefined) return moveToTest(path, { argument: to, context })
  if (text.endsWith('.json')) return { from: path, to: pathBelow(text, context) }
  const remedy = 'Give "<test file> > <test name>", or a path that ends in .json.'
  throw usageError(`${text} is no place for a cassette`, remedy)
}

interface MovingToTest {
  readonly argument: string
  readonly context: CommandContext
}

/** Of tests with equal names it goes to the first one that has no cassette. */
async function moveToTest(from: string, { argument, context }: MovingToTest): Promise<Move> {
  const { root, store } = context
  const meant = await collectMeantFile(argument, context)
  const owner = findPackageRoot(dirname(meant.file))
  const testFile = posixRelative(owner, meant.file)
  const inRoot = (path: string): string => posix.join(posixRelative(root, owner), path)
  const test = onlyName(meant)
  if (test === undefined) {
    // What its runner cannot collect goes by its name alone.
    const { name = '' } = meant.test
    return { from, to: inRoot(cassettePath({ testFile, names: name.split(joint), index: 1 })), test: name }
  }
  const places = meant.own.flatMap(({ tests }) => {
    const paths = cassettePaths({ testFile, tests: tests.map(({ names }) => names) })
    return paths.map((path, at) => ({ path: inRoot(path), name: joinNames(tests[at]?.names ?? []) }))
  })
  const present = places.find(({ path }) => path === from)
  if (present !== undefined && present.name !== test) {
    throw usageError(`${from} belongs to "${present.name}", which is still there`, 'Nothing was moved.')
  }
  const own = places.filter(({ name }) => name === test).map(({ path }) => path)
  return { from, to: own.find((path) => store.token(path) === undefined) ?? (own[0] as string), test }
}

/** Undefined: the file could not be collected, and the name is whole. */
function onlyName(meant: MeantFile): string | undefined {
  const [name, ...others] = new Set(meantTests(meant).map(({ names }) => joinNames(names)))
  if (others.length > 0) {
    const remedy = 'Give the whole name, or the path of the cassette.'
    throw usageError(`${others.length + 1} tests begin with this name`, remedy)
  }
  if (name !== undefined || !meant.prefix) return name
  const remedy = 'Give the path of the cassette instead, or see what its runner says.'
  throw usageError(`The tests of ${meant.test.file} could not be collected`, remedy)
}

/** The folder of cassettes that was given, or that of a test file, relative to the package root; undefined: it is no folder. */
function cassetteFolderOf(argument: string, context: CommandContext): string | undefined {
  const { text } = readShellArgument(argument)
  const { cwd, root, store } = context
  const found = [cwd, root].map((base) => join(base, text)).find((folder) => isFolder(folder))
  if (found === undefined && (text.endsWith('.json') || text.includes(joint))) return undefined
  const testFile = readTestArgument(text, context)?.file ?? text
  const folder = found === undefined ? cassetteFolder(testFile) : posixRelative(root, found)
  return store.list().some((path) => path.startsWith(`${folder}/`)) ? folder : undefined
}

function movesOfFolder(
  { folder, to }: { readonly folder: string; readonly to: string },
  context: CommandContext,
): Move[] {
  const { text } = readShellArgument(to)
  const test = readTestArgument(text, context)
  if (test?.name !== undefined || text.endsWith('.json')) {
    throw usageError(`${folder} is a folder of cassettes, ${text} is not`, 'Give a folder or a test file for both.')
  }
  const target = test === undefined ? pathBelow(text, context) : cassetteFolder(test.file)
  if (target !== 'cassettes' && !target.startsWith('cassettes/')) {
    throw usageError(`${text} holds no cassettes`, 'Give a folder below cassettes/, or the test file itself.')
  }
  const paths = context.store.list().filter((path) => path.startsWith(`${folder}/`))
  return paths.map((path) => ({ from: path, to: `${target}${path.slice(folder.length)}` }))
}

/** Messages print paths from the package root; what is not there yet can only be meant so. */
function pathBelow(text: string, { root }: CommandContext): string {
  const path = posixRelative(root, join(root, text))
  if (path !== '' && !path.startsWith('../')) return path
  throw usageError(
    `${text} is outside of the project`,
    'Paths are relative to the package root, where its package.json is.',
  )
}

function refuseOccupied(moves: readonly Move[], { store, shown }: CommandContext): void {
  for (const { from, to } of moves) {
    if (from === to) throw usageError(`${shown(from)} is there already`, 'Nothing is to be moved.')
    if (store.token(to) === undefined) continue
    const remedy = `Nothing was moved. Remove ${shown(to)} first, if it is not wanted.`
    throw usageError(`A cassette is at ${shown(to)} already`, remedy)
  }
}

interface Reading {
  readonly context: Pick<CommandContext, 'store'>
  readonly caps: Caps
}

interface ReadyMove extends Move {
  readonly committed: StoredCassette | undefined
  readonly pending: StoredCassette | undefined
}

function read({ from }: Move, { context: { store }, caps }: Reading): Omit<ReadyMove, keyof Move> {
  const committed = store.read(from, caps)
  // Side files are read in full by this: one that is missing or altered is found before anything is written.
  for (const _ of committed?.sideFiles.values() ?? []);
  return { committed, pending: pendingOf(from, { context: { store }, caps }) }
}

/** One that cannot be read stays where it is: the next run records it anew. */
function pendingOf(path: string, { context: { store }, caps }: Reading): StoredCassette | undefined {
  try {
    return store.readPending(path, caps)
  } catch (error) {
    if (isReplayError(error)) return undefined
    throw error
  }
}

interface CarryingOut extends Reading {
  readonly context: CommandContext
}

/** The old file goes when the new one is whole; a pending recording goes with it. */
function carryOut({ from, to, test, committed, pending }: ReadyMove, { context, caps }: CarryingOut): void {
  const { store, output, shown } = context
  if (committed !== undefined) {
    const cassette = { ...committed.cassette, test: test ?? committed.cassette.test }
    store.write({ path: to, cassette, sideFiles: committed.sideFiles, caps, expected: undefined })
    if (store.remove(from, committed.token) === 'changed') {
      output.line(`kept   ${output.paint.bold(shown(from))}  another run wrote it meanwhile`)
    }
  }
  if (pending !== undefined) {
    const cassette = { ...pending.cassette, test: test ?? pending.cassette.test }
    const refusal = store.pendingRefusal(from)
    const { sideFiles } = pending
    store.writePending({ path: to, cassette, sideFiles, ...(refusal === undefined ? {} : { refusal }) })
    store.removePending(from)
  }
  output.line(`moved  ${output.paint.bold(shown(from))}  to ${shown(to)}`)
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}
