import { checkCap } from '../core/cassette/caps.ts'
import { isHttpInteraction } from '../core/cassette/document.ts'
import { countBlocks } from '../core/turns/count-blocks.ts'
import { isReplayError } from '../errors/replay-error.ts'
import type { StoredCassette } from '../store/cassette-store.ts'
import { RecordingSource } from './recording-source.ts'
import type { SessionContext } from './session-context.ts'

/**
 * What this session replays from: the committed cassette; without one, where recording is allowed and this is no retry,
 * the pending recording of an earlier run. Undefined: nothing. Errors: those of the store and the parser, for a
 * committed cassette; a pending recording that cannot be read is as good as none.
 */
export function openSource(context: SessionContext): RecordingSource | undefined {
  const { test, host, options, rules } = context
  if (rules.match !== 'replays') return undefined
  const common = { order: options.order, normalisers: options.normalise }
  const committed = withinBlocks(context, host.store.read(test.cassette, options.caps))
  const stored = committed ?? (rules.noCassette === 'records' && !test.retry ? readPending(context) : undefined)
  if (stored === undefined) return undefined
  return new RecordingSource({ stored, from: committed === undefined ? 'pending' : 'committed', ...common })
}

function readPending(context: SessionContext): StoredCassette | undefined {
  const { host, test, options } = context
  try {
    return withinBlocks(context, host.store.readPending(test.cassette, options.caps))
  } catch (error) {
    if (isReplayError(error)) return undefined // cut by a kill, or of another version: recorded anew
    throw error
  }
}

/** The one cap that the parser cannot check: it counts in what the interactions mean. */
function withinBlocks(
  { test, options }: SessionContext,
  stored: StoredCassette | undefined,
): StoredCassette | undefined {
  const limit = options.caps.maxBlocks
  for (const interaction of stored?.cassette.interactions ?? []) {
    if (!isHttpInteraction(interaction)) continue
    const found = countBlocks(interaction)
    checkCap({ cassette: test.cassette, cap: 'maxBlocks', limit, found, when: 'loading' })
  }
  return stored
}
