import type { OptionDefinition } from './command.ts'

/** What every command takes. */
export const globalOptions: readonly OptionDefinition[] = [
  { name: 'help', short: 'h', summary: 'print what a command does and takes' },
  { name: 'version', short: 'v', summary: 'print the version of turntape' },
]
