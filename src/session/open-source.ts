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
  const committed = host.store.read(test.cassette, options.caps)
  const stored = committed ?? (rules.noCassette === 'records' && !test.retry ? readPending(context) : undefined)
  if (stored === undefined) return undefined
  context.redactor.reserve(stored.text)
  return new RecordingSource({ stored, from: committed === undefined ? 'pending' : 'committed', ...common })
}

function readPending({ host, test, options }: SessionContext): StoredCassette | undefined {
  try {
    return host.store.readPending(test.cassette, options.caps)
  } catch (error) {
    if (isReplayError(error)) return undefined // cut by a kill, or of another version: recorded anew
    throw error
  }
}
