import type { CommandDefinition, OptionDefinition } from './command.ts'
import { commands, exitCodes } from './commands.ts'
import { globalOptions } from './global-options.ts'

/** `turntape --help`. */
export function generalHelp(): string {
  return [
    'Record and replay the calls of LLM agents under test.',
    '',
    'turntape <command> [arguments]',
    '',
    ...columns(commands.map(({ name, summary }) => [name, summary])),
    '',
    ...columns(globalOptions.map(optionRow)),
    '',
    'Exit codes',
    ...columns(exitCodes.map(([code, meaning]) => [String(code), meaning])),
    '',
    'turntape <command> --help says more. Paths are relative to the current folder; the project is the nearest',
    'folder with a package.json. TURNTAPE_DEBUG=1 adds the stack to an error.',
  ].join('\n')
}

/** `turntape <command> --help`. */
export function commandHelp(command: CommandDefinition): string {
  const options = command.options.map(optionRow)
  return [
    `${capitalised(command.summary)}.`,
    '',
    ...command.forms.map((form) => `turntape ${command.name} ${form}`),
    '',
    ...command.details.flatMap((paragraph, index) => [...(index === 0 ? [] : ['']), ...wrapped(paragraph)]),
    ...(options.length === 0 ? [] : ['', ...columns(options)]),
  ].join('\n')
}

/** `--mode <mode>`, as it is written. */
export function optionForm({ name, short, value }: OptionDefinition): string {
  return `${short === undefined ? '' : `-${short}, `}--${name}${value === undefined ? '' : ` <${value}>`}`
}

export function capitalised(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`
}

const width = 100

function optionRow(option: OptionDefinition): readonly [string, string] {
  return [optionForm(option), option.summary]
}

function columns(rows: readonly (readonly [string, string])[]): string[] {
  const left = Math.max(...rows.map(([name]) => name.length)) + 2
  return rows.map(([name, text]) => `  ${name.padEnd(left)}${text}`)
}

function wrapped(paragraph: string): string[] {
  const lines: string[] = []
  for (const word of paragraph.split(' ')) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines
}
