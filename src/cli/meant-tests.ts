/** Which tests `"<test file> > <test name>"` means, as the project's own runner collects them. */
import { posix } from 'node:path'
import { joinNames } from '../core/cassette/joined-names.ts'
import { readShellArgument } from '../errors/shell-quote.ts'
import { collectedTests } from './collected-tests.ts'
import type { CollectedFile, CollectedTest } from './collection.ts'
import type { CommandContext } from './command.ts'
import { usesJest } from './find-jest.ts'
import { runnerFolder } from './find-vitest.ts'
import { nearestWords } from './nearest-word.ts'
import { readTestArgument, type TestArgument } from './test-argument.ts'
import { usageError } from './usage-error.ts'

/** An argument and its test file. */
export interface MeantFile {
  readonly test: TestArgument
  /** The name was cut: anything may follow it. */
  readonly prefix: boolean
  /** Absolute, POSIX. */
  readonly file: string
  /** The file as collected, once for each project that runs it. */
  readonly own: readonly CollectedFile[]
  /** Other files that a filter by this path selects as well. */
  readonly others: readonly CollectedFile[]
}

/** @throws TURNTAPE_USAGE where there is no such file, or the runner does not list it */
export async function collectMeantFile(argument: string, context: CommandContext): Promise<MeantFile> {
  const { text, prefix } = readShellArgument(argument)
  const { root, env } = context
  const test = readTestArgument(text, context)
  if (test === undefined) {
    const remedy = 'Paths are relative to the current folder or to the package root; the name comes after " > ".'
    throw usageError(`There is no test file ${text.split(' > ', 1)[0]}`, remedy)
  }
  const folder = runnerFolder(root)
  const file = posix.join(root.replaceAll('\\', '/'), test.file)
  const { files } = await collectedTests({ folder, env, filters: [file] })
  const own = files.filter((collected) => collected.file === file)
  if (own.length > 0) return { test, prefix, file, own, others: files.filter((other) => other.file !== file) }
  const [runner, list] = usesJest(folder) ? ['Jest', 'npx jest --listTests'] : ['Vitest', 'npx vitest list --filesOnly']
  throw usageError(`${runner} does not list ${test.file}`, `Is it among the files of its configuration? See ${list}.`)
}

/**
 * The tests of that file that the name means. Empty where the file could not be collected: the runner says why.
 * @throws TURNTAPE_USAGE where the file has no such test
 */
export function meantTests({ test: { file, name = '' }, prefix, own }: MeantFile): readonly CollectedTest[] {
  const tests = own.flatMap((collected) => collected.tests)
  const isMeant = (joined: string): boolean => (prefix ? joined.startsWith(name) : joined === name)
  const meant = tests.filter(({ names }) => isMeant(joinNames(names)))
  if (meant.length > 0 || own.some(({ failed }) => failed)) return meant
  const nearest = nearestWords(
    name,
    tests.map(({ names }) => joinNames(names)),
    3,
  )
  const list = nearest.map((one) => `"${file} > ${one}"`).join(', ')
  throw usageError(
    `${file} has no test "${name}"`,
    nearest.length === 0 ? `It has ${tests.length} tests; the describe names come first.` : `Nearest: ${list}.`,
  )
}
