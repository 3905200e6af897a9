import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { constants, tmpdir } from 'node:os'
import { join, posix, resolve } from 'node:path'
import { escapePattern } from '../core/matching/escape-pattern.ts'
import { ReplayError } from '../errors/replay-error.ts'
import { type Receipt, readReceipts, receiptVariable } from '../session/ending/receipt.ts'
import { committedFolder } from '../session/source/place-cassette.ts'
import { posixRelative } from '../store/package-root.ts'
import type { CollectedFile, CollectedTest } from './collection.ts'
import type { CommandContext, ParsedArguments, RunCommand } from './command.ts'
import { jestProgram, usesJest } from './find-jest.ts'
import { runnerFolder, vitestProgram } from './find-vitest.ts'
import { collectMeantFile, type MeantFile, meantTests } from './meant-tests.ts'
import { usageError } from './usage-error.ts'

/**
 * `turntape record`: runs Vitest or Jest for exactly these tests, with the mode in its environment. Its exit code is ours,
 * but where it is 0 and nothing was recorded.
 */
export const record: RunCommand = async (given, context) => {
  const [argument] = given.positionals
  if ((argument === undefined) !== given.flags.has('all')) {
    throw usageError('record needs to know what to record', 'Give "<test file> > <test name>", a test file, or --all.')
  }
  const env = { ...context.env, ...variables(given, context) }
  const folder = runnerFolder(context.root)
  const runner = usesJest(folder) ? 'jest' : 'vitest'
  const start = runner === 'jest' ? [jestProgram(folder)] : [vitestProgram(context.root), 'run']
  const selection = argument === undefined ? [] : await selectTests(argument, { context, runner })
  const receipts = mkdtempSync(join(tmpdir(), 'turntape-record-'))
  try {
    const code = await runTests([...start, ...selection], { folder, env: { ...env, [receiptVariable]: receipts } })
    if (code === 0) refuseNothing(readReceipts(receipts), runner)
    return code
  } finally {
    rmSync(receipts, { recursive: true, force: true })
  }
}

type Runner = 'vitest' | 'jest'

function variables({ values, flags }: ParsedArguments, context: CommandContext): Readonly<Record<string, string>> {
  const [mode] = values.get('mode') ?? []
  const [into] = values.get('into') ?? []
  if (into === undefined) return { TURNTAPE_MODE: mode ?? 'record' }
  if (!flags.has('all') || mode !== undefined) {
    throw usageError(
      '--into goes with --all and no mode',
      'It records a whole set anew: turntape record --all --into fresh',
    )
  }
  return { TURNTAPE_MODE: 'record', TURNTAPE_FOLDER: freshFolder(into, context) }
}

/** Empty, or not there: an older set in it would be taken for what was recorded now. */
function freshFolder(given: string, { cwd, root }: CommandContext): string {
  const folder = posixRelative(root, resolve(cwd, given))
  if (folder === '' || folder.startsWith('..') || resolve(root, folder) === resolve(root, committedFolder)) {
    throw usageError(
      `A set cannot be recorded into ${given}`,
      'Give a new folder below the package root: --into fresh.',
    )
  }
  if (!isEmpty(join(root, folder))) throw usageError(`${given} is not empty`, 'Remove it, or give another folder.')
  return folder
}

function isEmpty(folder: string): boolean {
  try {
    return readdirSync(folder).length === 0
  } catch {
    return true // not there; what else may be in its place is said when the first cassette is written
  }
}

/** The arguments that make the runner run these tests and no others: more would be paid for. */
async function selectTests(
  argument: string,
  { context, runner }: { readonly context: CommandContext; readonly runner: Runner },
): Promise<readonly string[]> {
  const meant = await collectMeantFile(argument, context)
  const others = meant.others.map((other) => `--exclude=${globOf(other)}`)
  const name = meant.test.name === undefined ? [] : [`--testNamePattern=${namePattern(meant, meant.test.name)}`]
  return runner === 'jest' ? ['--runTestsByPath', meant.file, ...name] : [meant.file, ...name, ...new Set(others)]
}

/** Both match against the names joined with blanks. A file that cannot be collected is left for the runner to say. */
function namePattern(meant: MeantFile, name: string): string {
  const tests = meantTests(meant)
  if (tests.length === 0) return `^${escapePattern(name.replaceAll(' > ', ' '))}$`
  refuseSkipped(tests, name)
  return `^(?:${[...new Set(tests.map(({ names }) => escapePattern(names.join(' '))))].join('|')})$`
}

function refuseSkipped(tests: readonly CollectedTest[], name: string): void {
  if (tests.some(({ skipped }) => !skipped)) return
  throw usageError(
    `The test "${name}" is skipped, so there is nothing to record`,
    'By skip, todo, or the only of another test.',
  )
}

/** Vitest selects files by parts of their paths; what it selects beside the one meant is excluded by its whole path. */
function globOf({ file, folder }: CollectedFile): string {
  return posix.relative(folder.replaceAll('\\', '/'), file).replace(/[()[\]{}!*?+@|\\]/g, '\\$&')
}

interface RunnerPlace {
  readonly folder: string
  readonly env: NodeJS.ProcessEnv
}

async function runTests(args: readonly string[], { folder, env }: RunnerPlace): Promise<number> {
  // Ctrl-C reaches both: the runner ends in its own way, and this process waits for it.
  const wait = (): void => {}
  process.on('SIGINT', wait)
  const child = spawn(process.execPath, [...process.execArgv, ...args], { cwd: folder, env, stdio: 'inherit' })
  const code = await new Promise<number>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (exitCode, signal) =>
      resolve(exitCode ?? 128 + (signal === null ? 0 : constants.signals[signal])),
    )
  })
  process.off('SIGINT', wait)
  return code
}

/** Nobody who asks for a recording wants a green run without one. @throws TURNTAPE_NOTHING_RECORDED */
function refuseNothing(receipts: readonly Receipt[], runner: Runner): void {
  if (receipts.some(({ outcome }) => outcome !== 'idle')) return
  const covered = receipts.filter((receipt) => receipt.covered)
  const tests = (covered.length > 0 ? covered : receipts).map(({ test }) => test)
  throw new ReplayError('TURNTAPE_NOTHING_RECORDED', {
    covered: covered.length > 0,
    tests: [...new Set(tests)],
    runner,
  })
}
