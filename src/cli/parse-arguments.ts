import { parseArgs } from 'node:util'
import type { CommandDefinition, OptionDefinition, ParsedArguments } from './command.ts'
import { globalOptions } from './global-options.ts'
import { didYouMean, nearestWord } from './nearest-word.ts'
import { usageError } from './usage-error.ts'

/** @throws TURNTAPE_USAGE for whatever the command does not take, with what was probably meant. */
export function parseArguments(given: readonly string[], command: CommandDefinition): ParsedArguments {
  const options = [...command.options, ...globalOptions]
  const { tokens, positionals } = parseArgs({
    args: [...given],
    options: Object.fromEntries(options.map((option) => [option.name, parserOption(option)])),
    allowPositionals: true,
    // Not strict: Node's own messages do not say what was meant.
    strict: false,
    tokens: true,
  })
  const flags = new Set<string>()
  const values = new Map<string, string[]>()
  for (const token of tokens) {
    if (token.kind !== 'option') continue
    const option = options.find(({ name }) => name === token.name)
    if (option === undefined) throw unknownOption(token.rawName, command, options)
    if (option.value === undefined) {
      if (token.value !== undefined) throw usageError(`${token.rawName} takes no value`, helpOf(command))
      flags.add(option.name)
    } else values.set(option.name, [...previous(values, option, command), optionValue(token, option, command)])
  }
  checkPositionals(positionals, command)
  return { positionals, flags, values }
}

interface OptionToken {
  readonly rawName: string
  readonly value?: string | undefined
  readonly inlineValue?: boolean | undefined
}

function parserOption({ value, short }: OptionDefinition): { type: 'string' | 'boolean'; short?: string } {
  return { type: value === undefined ? 'boolean' : 'string', ...(short !== undefined && { short }) }
}

function optionValue(
  { rawName, value, inlineValue }: OptionToken,
  option: OptionDefinition,
  command: CommandDefinition,
): string {
  if (value === undefined || value === '' || (value.startsWith('-') && inlineValue !== true)) {
    throw usageError(`${rawName} needs a value: ${rawName} <${option.value}>`, helpOf(command))
  }
  const { choices } = option
  if (choices === undefined || choices.includes(value)) return value
  const meant = nearestWord(value, choices)
  throw usageError(`${rawName} cannot be "${value}"`, `${didYouMean(meant)}Valid: ${choices.join(', ')}.`)
}

function previous(
  values: ReadonlyMap<string, string[]>,
  option: OptionDefinition,
  command: CommandDefinition,
): readonly string[] {
  const before = values.get(option.name)
  if (before !== undefined && option.repeatable !== true)
    throw usageError(`--${option.name} is given twice`, helpOf(command))
  return before ?? []
}

function unknownOption(rawName: string, command: CommandDefinition, options: readonly OptionDefinition[]): Error {
  const meant = nearestWord(
    rawName,
    options.map(({ name }) => `--${name}`),
  )
  return usageError(`turntape ${command.name} has no option ${rawName}`, `${didYouMean(meant)}${helpOf(command)}`)
}

function checkPositionals(positionals: readonly string[], command: CommandDefinition): void {
  const most = { none: 0, 'at most one': 1, 'at most two': 2, any: Number.POSITIVE_INFINITY }[command.positionals]
  if (positionals.length <= most) return
  const problem = `turntape ${command.name} does not know what to do with "${positionals[most]}"`
  throw usageError(
    problem,
    most === 1 ? `It takes one name: put it in double quotes. ${helpOf(command)}` : helpOf(command),
  )
}

function helpOf(command: CommandDefinition): string {
  return `See turntape ${command.name} --help.`
}
