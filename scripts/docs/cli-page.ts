/** `docs/cli.md`: every command, from the table that the command's own help is made of. */
import type { CommandDefinition } from '../../src/cli/command.ts'
import { commands, exitCodes } from '../../src/cli/commands.ts'
import { globalOptions } from '../../src/cli/global-options.ts'
import { capitalised, optionForm } from '../../src/cli/help-text.ts'

const introduction = `# Command line

<!-- made from the code by \`npm run docs\`: do not edit -->

\`npx turntape <command>\`. Paths are relative to the current folder, or to the package root as messages print them; the package
root is the nearest folder with a package.json. Arguments that messages print hold \`{u+HEX}\` for characters that a shell would
act on; the commands read them back.`

export function cliPage(): string {
  return `${[introduction, exitCodeTable(), ...commands.map(commandSection), globalSection()].join('\n\n')}\n`
}

function exitCodeTable(): string {
  const rows = exitCodes.map(([code, meaning]) => `| ${code} | ${meaning} |`)
  return ['| exit code | meaning |', '| --- | --- |', ...rows].join('\n')
}

function commandSection(command: CommandDefinition): string {
  const forms = command.forms.map((form) => `turntape ${command.name} ${form}`).join('\n')
  const options = command.options.map(optionLine)
  return [
    `## ${command.name}`,
    `${capitalised(command.summary)}.`,
    `\`\`\`text\n${forms}\n\`\`\``,
    ...command.details,
    ...(options.length === 0 ? [] : [options.join('\n')]),
  ].join('\n\n')
}

function globalSection(): string {
  const debug = '- `TURNTAPE_DEBUG=1` in the environment: the stack of an error'
  return `## Everywhere\n\n${[...globalOptions.map(optionLine), debug].join('\n')}`
}

function optionLine(option: CommandDefinition['options'][number]): string {
  return `- \`${optionForm(option)}\`: ${option.summary}`
}
