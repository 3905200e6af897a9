import type { Caps } from '../core/cassette/caps.ts'
import { cassetteCommand } from '../errors/commands.ts'
import { elideMiddle } from '../errors/elide.ts'
import { counted } from '../errors/messages/compose-message.ts'
import type { StoredCassette } from '../store/cassette-store.ts'
import { type CheckedFile, checkFile, type Finding, rehash } from './check-file.ts'
import type { CommandContext, RunCommand } from './command.ts'
import { givenCaps } from './given-caps.ts'
import { machineFacts } from './machine-facts.ts'
import { selectCassettes } from './select-cassettes.ts'

/** `turntape check`: one line a finding, then what to do, then the count. Exit code 1 where a finding is left. */
export const check: RunCommand = (given, context) => {
  const caps = givenCaps(given)
  const paths = selectCassettes(given.positionals, context)
  const facts = machineFacts(context.env)
  const allow = Object.fromEntries((given.values.get('allow') ?? []).map((name) => [name, true]))
  let left = 0
  const remedies = new Set<string>()
  for (const path of paths) {
    const checked = checkFile({ path, store: context.store, caps, facts, allow })
    const isFixed = given.flags.has('fix') && checked.rehashable !== undefined
    if (isFixed) fix({ path, stored: checked.rehashable, caps, context })
    const findings = isFixed
      ? checked.findings.filter(({ code }) => code !== 'TURNTAPE_CASSETTE_EDITED')
      : checked.findings
    printFindings({ path, findings, context })
    left += findings.length
    for (const remedy of remediesOf(path, { ...checked, findings })) remedies.add(remedy)
  }
  printRemedies([...remedies], context)
  const summary = `${counted(paths.length, 'cassette')} checked, ${left === 0 ? 'nothing found' : counted(left, 'finding')}`
  context.output.line(left === 0 ? context.output.paint.green(summary) : context.output.paint.red(summary))
  return left === 0 ? 0 : 1
}

interface Fix {
  readonly path: string
  readonly stored: StoredCassette
  readonly caps: Caps
  readonly context: CommandContext
}

function fix({ path, stored, caps, context }: Fix): void {
  const { store, output, shown } = context
  store.write({ path, cassette: rehash(stored.cassette), sideFiles: stored.sideFiles, caps, expected: stored.token })
  output.line(`${output.paint.bold(shown(path))}  hashed again and marked as derived (edited)`)
}

interface Findings {
  readonly path: string
  readonly findings: readonly Finding[]
  readonly context: CommandContext
}

function printFindings({ path, findings, context: { output, shown } }: Findings): void {
  const { paint } = output
  for (const { code, position, what } of findings) {
    output.line(`${paint.bold(`${shown(path)}${position}`)}  ${paint.red(code)}  ${elideMiddle(what, 300)}`)
  }
}

function remediesOf(path: string, { findings, rehashable }: CheckedFile): readonly string[] {
  const own = findings.flatMap(({ remedy }) => (remedy === undefined ? [] : [remedy]))
  const isEdited = rehashable !== undefined && findings.some(({ code }) => code === 'TURNTAPE_CASSETTE_EDITED')
  return [
    ...(findings.some(({ code }) => code === 'TURNTAPE_SECRET_FOUND') ? [revoke] : []),
    ...own,
    ...(isEdited ? [`If the edit is meant: ${cassetteCommand('check --fix', path)}`] : []),
  ]
}

const revoke = 'A secret that was ever committed stays in the history: revoke it, redact it, record the test again.'

const shownRemedies = 5

function printRemedies(remedies: readonly string[], { output }: CommandContext): void {
  if (remedies.length === 0) return
  output.line()
  for (const remedy of remedies.slice(0, shownRemedies)) output.line(`  ${remedy}`)
  if (remedies.length > shownRemedies) output.line(`  and ${remedies.length - shownRemedies} more`)
  output.line()
}
