import { type Interaction, isHttpInteraction } from '../../core/cassette/document.ts'
import type { RunEntry, Unplaced } from '../run-log.ts'
import type { SessionContext } from '../session-context.ts'
import { checkBlocks } from '../source/check-blocks.ts'
import type { RecordingSource } from '../source/recording-source.ts'
import { redactAgain } from '../source/redact-again.ts'
import { verifyHash } from '../source/verify-hash.ts'
import type { Served } from './served-calls.ts'
import { tellServed } from './tell-served.ts'

/** Which recorded interaction answers a call, and how it was found. */
export interface Serving {
  readonly source: RecordingSource
  readonly number: number
  readonly by: Served['by']
  /** The request that was made takes the place of the recorded one in the file. */
  readonly isRewritten?: boolean
}

/** The call that it answers: its place in the run's log, and its request as it would be stored. */
export interface Asking<I extends Interaction> {
  readonly entry: RunEntry
  readonly made: Pick<I, 'request' | 'hash'>
}

/**
 * The recorded interaction as it is to be served, once it is verified, kept in the run's log and told to listeners.
 * Errors: TURNTAPE_CASSETTE_EDITED, TURNTAPE_CAP_EXCEEDED.
 */
export function takeRecorded<I extends Interaction>(
  context: SessionContext,
  { source, number, by, isRewritten = false }: Serving,
  { entry, made }: Asking<I>,
): I {
  const stored = source.interaction(number) as I
  if (source.redacted) context.redactor.reserve(JSON.stringify(answerOf(stored)))
  const recorded = redactAgain(context, source, stored)
  verifyHash(context, { source, interaction: recorded })
  if (isHttpInteraction(recorded)) checkBlocks(context, recorded)
  entry.origin = isRewritten ? 'rewritten' : 'served'
  entry.recorded = recorded
  // With the request that was made, where it is not the recorded one.
  const isOther = isRewritten || (by === 'position' && recorded.unverifiable === undefined)
  // A GET that is served again is in the cassette already.
  const logged = by === 'again' ? undefined : isOther ? asMade(recorded, made) : recorded
  entry.interaction = () => logged
  tellServed(context, { source, number, by, got: made.hash })
  return recorded
}

function answerOf(interaction: Interaction): unknown {
  return isHttpInteraction(interaction) ? (interaction.response ?? interaction.failure) : interaction.result
}

// What was made is whole, whatever was recorded.
function asMade(interaction: Interaction, made: Pick<Interaction, 'request' | 'hash'>): Unplaced {
  const { unverifiable: _unverifiable, ...kept } = interaction
  return { ...kept, ...made } as Unplaced
}
