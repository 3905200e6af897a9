import { isWhole } from '../../core/turns/part.ts'
import type { SessionContext } from '../session-context.ts'
import { readCommitted } from './read-committed.ts'
import { readPending } from './read-pending.ts'
import { RecordingSource } from './recording-source.ts'
import { refuseOpened, splitOrRefuse } from './refuse-cassette.ts'

/**
 * What this session replays from: the committed cassette; without one, where recording is allowed and this is no retry,
 * the pending recording of an earlier run. Undefined: nothing. Errors: those of the store and the parser, for a
 * committed cassette; a pending recording that cannot be read is as good as none. What strict replay does not take is
 * refused here, before any call is served; `update` calls live instead, from there on.
 */
export function openSource(context: SessionContext): RecordingSource | undefined {
  const { test, options, rules } = context
  if (rules.match !== 'replays') return undefined
  const { order, normalise: normalisers, part, allow } = options
  const common = { order, normalisers, part, allow }
  const stored = readCommitted(context)
  if (stored === undefined) {
    if (rules.noCassette !== 'records') return undefined
    if (!isWhole(part)) splitOrRefuse(context, undefined)
    const pending = test.retry ? undefined : readPending(context)
    return pending === undefined ? undefined : new RecordingSource({ stored: pending, from: 'pending', ...common })
  }
  const { interactions } = stored.cassette
  const split = splitOrRefuse(context, interactions)
  const isRebase = rules.mismatch === 'rewrites' // it stores what it is asked, so that nothing stays unverifiable
  if (isRebase || rules.mismatch === 'fails') {
    refuseOpened({ interactions, split }, { test, options, allow: isRebase ? { ...allow, unhashed: true } : allow })
  }
  const served = isRebase ? { ...allow, unhashed: false } : allow
  return new RecordingSource({ stored, from: 'committed', ...common, allow: served })
}
