/** `docs/errors.md`: every code with an example of its message and the members of its details. */
import type { ErrorCode, ErrorDetails } from '../../src/errors/codes.ts'
import { ReplayError } from '../../src/errors/replay-error.ts'
import { errorExamples } from './error-examples.ts'
import { type ErrorEntry, readErrorRegistry } from './error-registry.ts'

const introduction = `# Errors

<!-- made from the code by \`npm run docs\`: do not edit -->

Whatever turntape finds wrong is a \`ReplayError\`. Its \`code\` is permanent and never reused; \`details\` are plain data, redacted
and shortened before they get there; \`message\` is made from them alone, and \`shortMessage\` is its first line. Copies of the
package know each other's errors: ask \`isReplayError(error)\`, not \`instanceof\`.

Each message below is an example.`

export function errorPage(): string {
  const entries = readErrorRegistry(new URL('../../src/errors/codes.ts', import.meta.url))
  const groups = [...new Set(entries.map(({ group }) => group))]
  const sections = groups.map((group) => {
    return [`## ${capitalised(group)}`, ...entries.filter((entry) => entry.group === group).map(errorSection)].join(
      '\n\n',
    )
  })
  return `${[introduction, firstLines(entries), ...sections].join('\n\n')}\n`
}

/** A log is searched for these. */
function firstLines(entries: readonly ErrorEntry[]): string {
  const rows = entries.map(
    ({ code }) => `| ${(exampleMessage(code).split('\n', 1)[0] as string).replaceAll('|', '\\|')} |`,
  )
  return `## First lines

The first line of a message says what happened and ends with the code in brackets, on the terminal, in JSON, in JUnit and in the
report alike. To find all of one kind in a log, search for the code: \`grep -F '[TURNTAPE_DIVERGED]'\`. What a first line says around
the names and numbers in it changes with a major version only.

| first line |
| --- |
${rows.join('\n')}`
}

function errorSection({ code, members }: ErrorEntry): string {
  const lines = members.map(({ name, type }) => `- \`${name}\`: \`${type}\``)
  return `### ${code}\n\n\`\`\`text\n${exampleMessage(code)}\n\`\`\`\n\n${lines.join('\n')}`
}

function exampleMessage<C extends ErrorCode>(code: C): string {
  const details: ErrorDetails[C] = errorExamples[code]
  return new ReplayError(code, details).message
}

function capitalised(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`
}
