import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { posix } from 'node:path'
import { readShellArgument } from '../errors/shell-quote.ts'
import { collectedTests } from './collected-tests.ts'
import type { CollectedFile, CollectedTest } from './collection.ts'
import type { CommandContext, RunCommand } from './command.ts'
import { jestProgram, usesJest } from './find-jest.ts'
import { runnerFolder, vitestProgram } from './find-vitest.ts'
import { nearestWords } from './nearest-word.ts'
import { joinNames, readTestArgument, type TestArgument } from './test-argument.ts'
import { usageError } from './usage-error.ts'

/** `turntape record`: runs Vitest or Jest for exactly these tests, with the mode in its environment. Its exit code is ours. */
export const record: RunCommand = async ({ positionals, flags, values }, context) => {
  const mode = values.get('mode')?.[0] ?? 'record'
  const [argument] = positionals
  if ((argument === undefined) !== flags.has('all')) {
    throw usageError('record needs to know what to record', 'Give "<test file> > <test name>", a test file, or --all.')
  }
  const folder = runnerFolder(context.root)
  const jest = usesJest(folder)
  const run = {
    start: jest ? [jestProgram(folder)] : [vitestProgram(context.root), 'run'],
    folder,
    mode,
    env: context.env,
  }
  if (argument === undefined) return runTests({ ...run, arguments: [] })
  const selection = await selectTests(argument, { ...context, folder, jest })
  return runTests({ ...run, arguments: selection })
}

interface Place extends CommandContext {
  readonly folder: string
  readonly jest: boolean
}

/** The arguments that make the runner run these tests and no others: more would be paid for. */
async function selectTests(argument: string, place: Place): Promise<readonly string[]> {
  const { text, prefix } = readShellArgument(argument)
  const test = readTestArgument(text, place)
  if (test === undefined) {
    const remedy = 'Paths are relative to the current folder or to the package root; the name comes after " > ".'
    throw usageError(`There is no test file ${text.split(' > ', 1)[0]}`, remedy)
  }
  const file = posix.join(place.root.replaceAll('\\', '/'), test.file)
  const { files } = await collectedTests({ folder: place.folder, env: place.env, filters: [file] })
  const own = files.filter((collected) => collected.file === file)
  if (own.length === 0) {
    const runner = place.jest ? 'Jest' : 'Vitest'
    const list = place.jest ? 'npx jest --listTests' : 'npx vitest list --filesOnly'
    throw usageError(`${runner} does not list ${test.file}`, `Is it among the files of its configuration? See ${list}.`)
  }
  const others = files.filter((collected) => collected.file !== file).map((other) => `--exclude=${globOf(other)}`)
  const name = test.name === undefined ? [] : [`--testNamePattern=${namePattern({ test, prefix, own })}`]
  return place.jest ? ['--runTestsByPath', file, ...name] : [file, ...name, ...new Set(others)]
}

interface NamedTest {
  readonly test: TestArgument
  readonly prefix: boolean
  readonly own: readonly CollectedFile[]
}

/** Both match against the names joined with blanks. A file that cannot be collected is left for the runner to say. */
function namePattern({ test: { file, name = '' }, prefix, own }: NamedTest): string {
  const tests = own.flatMap((collected) => collected.tests)
  const isMeant = (joined: string): boolean => (prefix ? joined.startsWith(name) : joined === name)
  const meant = tests.filter(({ names }) => isMeant(joinNames(names)))
  if (meant.length > 0) {
    refuseSkipped(meant, name)
    return `^(?:${[...new Set(meant.map(({ names }) => escapePattern(names.join(' '))))].join('|')})$`
  }
  if (own.some(({ failed }) => failed)) return `^${escapePattern(name.replaceAll(' > ', ' '))}$`
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

function refuseSkipped(tests: readonly CollectedTest[], name: string): void {
  if (tests.some(({ skipped }) => !skipped)) return
  throw usageError(
    `The test "${name}" is skipped, so there is nothing to record`,
    'By skip, todo, or the only of another test.',
  )
}

function escapePattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')
}

/** Vitest selects files by parts of their paths; what it selects beside the one meant is excluded by its whole path. */
function globOf({ file, folder }: CollectedFile): string {
  return posix.relative(folder.replaceAll('\\', '/'), file).replace(/[()[\]{}!*?+@|\\]/g, '\\$&')
}

interface TestRun {
  /** The program, and what always follows it. */
  readonly start: readonly string[]
  readonly folder: string
  readonly mode: string
  readonly env: NodeJS.ProcessEnv
  readonly arguments: readonly string[]
}

async function runTests({ start, folder, mode, env, arguments: given }: TestRun): Promise<number> {
  // Ctrl-C reaches both: the runner ends in its own way, and this process waits for it.
  const wait = (): void => {}
  process.on('SIGINT', wait)
  const child = spawn(process.execPath, [...process.execArgv, ...start, ...given], {
    cwd: folder,
    env: { ...env, TURNTAPE_MODE: mode },
    stdio: 'inherit',
  })
  const code = await new Promise<number>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (exitCode, signal) =>
      resolve(exitCode ?? 128 + (signal === null ? 0 : constants.signals[signal])),
    )
  })
  process.off('SIGINT', wait)
  return code
}
