import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Caps } from '../core/cassette/caps.ts'
import { counted } from '../errors/messages/compose-message.ts'
import { isReplayError } from '../errors/replay-error.ts'
import { readShellArgument } from '../errors/shell-quote.ts'
import { compareCassettes } from '../session/compare-cassettes.ts'
import { openCassette } from '../session/open-cassette.ts'
import { posixRelative } from '../store/package-root.ts'
import { type Comparison, printComparison } from '../trajectory/comparison.ts'
import { findCassette } from './cassette-argument.ts'
import type { CommandContext, RunCommand } from './command.ts'
import { givenCaps } from './given-caps.ts'
import { pendingPath } from './pending-recording.ts'
import { usageError } from './usage-error.ts'

/** What a job that compares a fresh set acts on; 1 is left for what could not be compared. */
const driftCode = 3

/** `turntape diff`: two cassettes, or two folders pair by pair. Exit code 3 where anything differs, 1 where a file cannot be read. */
export const diff: RunCommand = (given, context) => {
  const [left, right] = given.positionals
  if (left === undefined || right === undefined) {
    throw usageError('diff needs two cassettes or two folders', 'See turntape diff --help.')
  }
  const settings = {
    caps: givenCaps(given),
    answersOnly: given.flags.has('answers-only'),
    asJson: given.flags.has('json'),
  }
  const sides = [sideOf(left, context), sideOf(right, context)] as const
  if (sides[0].isFolder !== sides[1].isFolder) {
    throw usageError(
      `${left} and ${right} are not of one kind`,
      'Give two cassettes, or two folders whose cassettes are paired by path.',
    )
  }
  const run: DiffRun = { ...settings, context, left: sides[0], right: sides[1] }
  return sides[0].isFolder ? diffFolders(run) : diffFiles(run)
}

interface Side {
  /** Absolute. */
  readonly file: string
  /** As the reader writes it. */
  readonly shown: string
  readonly isFolder: boolean
}

interface DiffRun {
  readonly left: Side
  readonly right: Side
  readonly caps: Caps
  readonly answersOnly: boolean
  readonly asJson: boolean
  readonly context: CommandContext
}

/** A path from the current folder, wherever it leads; else whatever `show` would find. */
function sideOf(argument: string, context: CommandContext): Side {
  const { text, prefix } = readShellArgument(argument)
  const { cwd, root } = context
  const file = resolve(cwd, text)
  const found = prefix ? undefined : statSync(file, { throwIfNoEntry: false })
  if (found !== undefined) return { file, shown: posixRelative(cwd, file) || '.', isFolder: found.isDirectory() }
  const { path, namesPending } = findCassette(argument, context)
  const isPending = namesPending || context.store.token(path) === undefined
  const place = isPending ? pendingPath(path) : path
  return { file: join(root, place), shown: context.shown(place), isFolder: false }
}

function diffFiles(run: DiffRun): number {
  const { left, right, asJson, context } = run
  const comparison = compare(run, { left, right })
  if (asJson) context.output.json(comparison)
  else print(comparison, context)
  return comparison.identical ? 0 : driftCode
}

function compare(run: DiffRun, { left, right }: Pick<DiffRun, 'left' | 'right'>): Comparison {
  const open = ({ file, shown }: Side) => ({ ...openCassette(file, { caps: run.caps }), path: shown })
  return compareCassettes(open(left), open(right), { answersOnly: run.answersOnly })
}

function print(comparison: Comparison, { output }: CommandContext): void {
  const { paint } = output
  for (const [index, line] of printComparison(comparison).split('\n').entries()) {
    if (index === 0) output.line(comparison.identical ? paint.green(line) : paint.bold(line))
    else if (/^ {4}[-+] /.test(line)) output.line(line.startsWith('    -') ? paint.red(line) : paint.green(line))
    else output.line(line)
  }
}

type Pair =
  | { readonly path: string; readonly state: 'same' | 'different'; readonly comparison: Comparison }
  | { readonly path: string; readonly state: 'only left' | 'only right' }
  | { readonly path: string; readonly state: 'unreadable'; readonly problem: string }

function diffFolders(run: DiffRun): number {
  const { left, right, asJson, context } = run
  const [lefts, rights] = [cassettesIn(left.file), cassettesIn(right.file)]
  const paths = [...new Set([...lefts, ...rights])].sort()
  if (paths.length === 0)
    throw usageError(`There is no cassette in ${left.shown} or ${right.shown}`, 'Give other folders.')
  const pairs = paths.map((path) => comparePair(run, { path, inLeft: lefts.has(path), inRight: rights.has(path) }))
  if (asJson) context.output.json(pairs)
  else printPairs(pairs, run)
  if (pairs.some(({ state }) => state === 'unreadable')) return 1
  return pairs.every(({ state }) => state === 'same') ? 0 : driftCode
}

function comparePair(
  run: DiffRun,
  pair: { readonly path: string; readonly inLeft: boolean; readonly inRight: boolean },
): Pair {
  const { path, inLeft, inRight } = pair
  if (!inRight) return { path, state: 'only left' }
  if (!inLeft) return { path, state: 'only right' }
  const inside = (side: Side): Side => ({
    file: join(side.file, path),
    shown: `${side.shown}/${path}`,
    isFolder: false,
  })
  try {
    const comparison = compare(run, { left: inside(run.left), right: inside(run.right) })
    return { path, state: comparison.identical ? 'same' : 'different', comparison }
  } catch (error) {
    if (isReplayError(error)) return { path, state: 'unreadable', problem: error.shortMessage }
    throw error
  }
}

function printPairs(pairs: readonly Pair[], { left, right, context }: DiffRun): void {
  const { output } = context
  const { paint } = output
  for (const pair of pairs) {
    switch (pair.state) {
      case 'same':
        break
      case 'different':
        print(pair.comparison, context)
        output.line()
        break
      case 'only left':
      case 'only right':
        output.line(`${paint.bold(pair.path)}  only in ${(pair.state === 'only left' ? left : right).shown}`)
        output.line()
        break
      case 'unreadable':
        output.line(`${paint.bold(pair.path)}  ${paint.red(pair.problem)}`)
        output.line()
        break
    }
  }
  const summary = `${counted(pairs.length, 'cassette')} compared, ${countsOf(pairs)}`
  output.line(pairs.every(({ state }) => state === 'same') ? paint.green(summary) : paint.red(summary))
}

function countsOf(pairs: readonly Pair[]): string {
  const count = (...states: readonly Pair['state'][]): number =>
    pairs.filter(({ state }) => states.includes(state)).length
  const counts = [
    [count('different'), 'not the same'],
    [count('only left', 'only right'), 'on one side only'],
    [count('unreadable'), 'not readable'],
  ] as const
  const told = counts.flatMap(([number, what]) => (number === 0 ? [] : [`${number} ${what}`]))
  return told.length === 0 ? 'all the same' : told.join(', ')
}

/** Cassettes below a folder, POSIX, relative to it; other JSON is none of them. */
function cassettesIn(folder: string): ReadonlySet<string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile() && entry.name.endsWith('.json'))
  const paths = files.map((entry) => posixRelative(folder, join(entry.parentPath, entry.name)))
  return new Set(paths.filter((path) => !path.includes('node_modules/') && looksLikeCassette(join(folder, path))))
}

function looksLikeCassette(file: string): boolean {
  return /"format"\s*:\s*"turntape\//.test(readFileSync(file, 'utf8').slice(0, 200))
}
