import { type Interaction, isHttpInteraction } from '../../core/cassette/document.ts'
import { ReplayError } from '../../errors/replay-error.ts'
import { requestHash } from '../request-hash.ts'
import type { SessionContext } from '../session-context.ts'
import type { RecordingSource } from './recording-source.ts'

interface Verified {
  readonly source: Pick<RecordingSource, 'growing'>
  /** As it is in the source. */
  readonly interaction: Interaction
}

/** F13: the hash is verified when the request is first compared. Errors: TURNTAPE_CASSETTE_EDITED. */
export function verifyHash({ test }: Pick<SessionContext, 'test'>, { source, interaction }: Verified): void {
  const found = isHttpInteraction(interaction)
    ? source.growing.of(interaction.lane).hash(interaction.request)
    : requestHash(interaction)
  if (found === interaction.hash) return
  const { number, hash: expected } = interaction
  throw new ReplayError('TURNTAPE_CASSETTE_EDITED', { cassette: test.cassette, interaction: number, expected, found })
}
