import type { Caps } from '../core/cassette/caps.ts'
import { CASSETTE_FORMAT } from '../core/cassette/document.ts'
import { counted } from '../errors/messages/compose-message.ts'
import { isReplayError } from '../errors/replay-error.ts'
import type { StoredCassette } from '../store/cassette-store.ts'
import type { CommandContext, RunCommand } from './command.ts'
import { givenCaps } from './given-caps.ts'
import { selectCassettes } from './select-cassettes.ts'

/** `turntape migrate`: older versions of the format rewritten as the newest (F18). Exit code 1 where one could not be. */
export const migrate: RunCommand = (given, context) => {
  const caps = givenCaps(given)
  const isDryRun = given.flags.has('dry-run')
  const counts = { migrated: 0, current: 0, failed: 0 }
  for (const path of selectCassettes(given.positionals, context)) {
    counts[migrateOne({ path, caps, isDryRun, context })] += 1
  }
  const { paint, line } = context.output
  const { migrated, current, failed } = counts
  if (migrated + failed === 0) {
    line(paint.green(`nothing to migrate: ${counted(current, 'cassette')} in ${CASSETTE_FORMAT}`))
    return 0
  }
  const done = `${counted(migrated, 'cassette')} ${isDryRun ? 'to migrate' : 'migrated'} to ${CASSETTE_FORMAT}, ${current} in it already`
  line(failed === 0 ? paint.green(done) : paint.red(`${done}, ${failed} not read`))
  return failed === 0 ? 0 : 1
}

interface Migration {
  readonly path: string
  readonly caps: Caps
  readonly isDryRun: boolean
  readonly context: CommandContext
}

function migrateOne({ path, caps, isDryRun, context }: Migration): 'migrated' | 'current' | 'failed' {
  const { store, output, shown } = context
  try {
    const stored = store.read(path, caps)
    if (stored === undefined) return 'current'
    const before = formatOnDisk(stored)
    if (before === stored.cassette.format) return 'current'
    const { cassette, sideFiles, token } = stored
    if (!isDryRun) store.write({ path, cassette, sideFiles, caps, expected: token })
    output.line(`${output.paint.bold(shown(path))}  ${before} to ${cassette.format}`)
    return 'migrated'
  } catch (error) {
    if (!isReplayError(error)) throw error
    output.problem(`${error.message}\n`)
    return 'failed'
  }
}

/** What was read is of the newest version already. */
function formatOnDisk({ bytes }: StoredCassette): string {
  return (JSON.parse(bytes.toString()) as { readonly format: string }).format
}
