import type { Caps } from '../core/cassette/caps.ts'
import { groupTurns } from '../core/turns/group-turns.ts'
import { cassetteCommand } from '../errors/commands.ts'
import { counted } from '../errors/messages/compose-message.ts'
import { isReplayError, ReplayError } from '../errors/replay-error.ts'
import { scanForSecrets } from '../redaction/scan.ts'
import type { ScanFacts } from '../redaction/scan-facts.ts'
import type { StoredCassette } from '../store/cassette-store.ts'
import { findCassette } from './cassette-argument.ts'
import type { CommandContext, ParsedArguments, RunCommand } from './command.ts'
import { givenCaps } from './given-caps.ts'
import { machineFacts } from './machine-facts.ts'
import { pendingPath, readPending } from './pending-recording.ts'
import { usageError } from './usage-error.ts'

/** `turntape accept`: pending recordings over the committed files. One that cannot be committed stays pending; exit code 1. */
export const accept: RunCommand = (given, context) => {
  const { flags, positionals } = given
  if (positionals.length > 0 && (flags.has('all') || flags.has('list'))) {
    throw usageError('accept takes either cassettes or one of --all and --list', 'See turntape accept --help.')
  }
  const caps = givenCaps(given)
  if (flags.has('list')) return list(context, caps)
  const paths = chosenPaths(given, context)
  if (paths.length === 0) {
    context.output.line('No pending recordings.')
    return 0
  }
  const facts = machineFacts(context.env)
  const accepted = paths.filter((path) => acceptOne({ path, caps, facts, context }))
  return accepted.length === paths.length ? 0 : 1
}

function chosenPaths({ positionals, flags }: ParsedArguments, context: CommandContext): readonly string[] {
  if (flags.has('all')) return context.store.listPending()
  if (positionals.length > 0) return [...new Set(positionals.map((argument) => findCassette(argument, context).path))]
  const [first] = context.store.listPending()
  const example = first === undefined ? 'There is none at present.' : `One of them: ${cassetteCommand('accept', first)}`
  throw usageError('accept needs to know which pending recording', `Name it, or use --all or --list. ${example}`)
}

function list({ store, output, shown }: CommandContext, caps: Caps): number {
  const paths = store.listPending()
  for (const path of paths) {
    const isNew = store.token(path) === undefined
    output.line(
      `${output.paint.bold(shown(path))}  ${describe(() => readPending({ store, path, caps }))}${isNew ? ', new' : ''}`,
    )
  }
  output.line(paths.length === 0 ? 'No pending recordings.' : counted(paths.length, 'pending recording'))
  return 0
}

function describe(read: () => StoredCassette | undefined): string {
  try {
    const interactions = read()?.cassette.interactions ?? []
    return `${counted(interactions.length, 'interaction')}, ${counted(groupTurns(interactions).length, 'turn')}`
  } catch (error) {
    if (isReplayError(error)) return error.code
    throw error
  }
}

interface Acceptance {
  readonly path: string
  readonly caps: Caps
  readonly facts: ScanFacts
  readonly context: CommandContext
}

function acceptOne(acceptance: Acceptance): boolean {
  const { path, caps, context } = acceptance
  const { store, output, shown } = context
  try {
    const pending = readPending({ store, path, caps })
    if (pending === undefined) {
      output.problem(`${shown(path)}: there is no pending recording, nothing is changed`)
      return false
    }
    const refusal = store.pendingRefusal(path)
    if (refusal !== undefined) {
      output.problem(`${shown(path)}: not accepted, ${refusal}. It stays pending: mend that, then run its test again`)
      return false
    }
    const before = store.token(path)
    refuseSecrets(pending, acceptance)
    store.write({ path, cassette: pending.cassette, sideFiles: pending.sideFiles, caps, expected: before })
    store.removePending(path)
    const how = before === undefined ? 'new' : 'replaces the committed cassette'
    output.line(`${output.paint.bold(shown(path))}  accepted, ${describe(() => pending)}, ${how}`)
    return true
  } catch (error) {
    if (!isReplayError(error)) throw error
    output.problem(error.message)
    return false
  }
}

/** Side files are read in full by this: one that is missing or altered is found before anything is written. */
function refuseSecrets({ cassette, sideFiles }: StoredCassette, { path, facts }: Acceptance): void {
  const findings = scanForSecrets({ cassette, sideFiles, facts })
  if (findings.length === 0) return
  throw new ReplayError('TURNTAPE_SECRET_FOUND', {
    test: cassette.test,
    cassette: path,
    pendingPath: pendingPath(path),
    findings,
  })
}
