/**
 * One run of the command: finds the command, parses what it takes, runs it and prints what it throws. Knows no
 * cassette and no runner.
 */
import { join } from 'node:path'
import type { ErrorCode } from '../errors/codes.ts'
import { isReplayError } from '../errors/replay-error.ts'
import { toolVersion } from '../session/tool-version.ts'
import { createStore } from '../store/cassette-store.ts'
import { findPackageRoot, posixRelative } from '../store/package-root.ts'
import { collectCommand } from './collected-tests.ts'
import type { CommandContext, CommandDefinition } from './command.ts'
import { commands } from './commands.ts'
import { globalOptions } from './global-options.ts'
import { commandHelp, generalHelp } from './help-text.ts'
import { didYouMean, nearestWord } from './nearest-word.ts'
import { createOutput, type Output } from './output.ts'
import { parseArguments } from './parse-arguments.ts'
import { usageError } from './usage-error.ts'

/** @returns the exit code */
export async function runCli(given: readonly string[]): Promise<number> {
  const cwd = process.cwd()
  const root = findPackageRoot(cwd)
  const output = createOutput(root, process.env)
  try {
    const [first, ...rest] = given
    if (first === collectCommand) return await (await import('./collect-tests.ts')).collectTests(rest)
    if (first === undefined) {
      output.problem(generalHelp())
      return 2
    }
    if (first === '--version' || first === '-v') return printed(output, toolVersion)
    if (first === '--help' || first === '-h' || first === 'help') {
      const [named] = rest
      return printed(output, named === undefined ? generalHelp() : commandHelp(findCommand(named)))
    }
    return await runCommand({ command: findCommand(first), given: rest, context: contextOf({ cwd, root, output }) })
  } catch (error) {
    return printFailure(error, output)
  }
}

interface CommandRun {
  readonly command: CommandDefinition
  readonly given: readonly string[]
  readonly context: CommandContext
}

async function runCommand({ command, given, context }: CommandRun): Promise<number> {
  if (given.includes('--help') || given.includes('-h')) return printed(context.output, commandHelp(command))
  const parsed = parseArguments(given, command)
  if (parsed.flags.has('version')) return printed(context.output, toolVersion)
  const run = await command.load()
  return run(parsed, context)
}

function findCommand(name: string): CommandDefinition {
  const command = commands.find((candidate) => candidate.name === name)
  if (command !== undefined) return command
  const isOption = name.startsWith('-')
  const known = isOption
    ? globalOptions.map((option) => `--${option.name}`)
    : commands.map((candidate) => candidate.name)
  const meant = nearestWord(name, known)
  const kind = isOption ? 'option' : 'command'
  throw usageError(`turntape has no ${kind} ${name}`, `${didYouMean(meant)}See turntape --help.`)
}

function contextOf({ cwd, root, output }: Pick<CommandContext, 'cwd' | 'root' | 'output'>): CommandContext {
  const shown = (path: string): string => posixRelative(cwd, join(root, path))
  return { cwd, root, output, env: process.env, store: createStore({ root }), shown }
}

function printed(output: Output, text: string): number {
  for (const line of text.split('\n')) output.line(line)
  return 0
}

const usageCodes: ReadonlySet<ErrorCode> = new Set([
  'TURNTAPE_USAGE',
  'TURNTAPE_INVALID_OPTION',
  'TURNTAPE_INVALID_MODE',
])

function printFailure(error: unknown, output: Output): number {
  output.problem(isReplayError(error) ? error.message : `turntape failed: ${String(error)}`)
  if (process.env.TURNTAPE_DEBUG === '1' && error instanceof Error) output.problem(error.stack ?? '')
  return isReplayError(error) && usageCodes.has(error.code) ? 2 : 1
}
