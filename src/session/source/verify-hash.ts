import type { Interaction } from '../../core/cassette/document.ts'
import { ReplayError } from '../../errors/replay-error.ts'
import { requestHash } from '../check-cassette.ts'
import type { SessionContext } from '../session-context.ts'

/** F13: the hash is verified when the request is first compared. Errors: TURNTAPE_CASSETTE_EDITED. */
export function verifyHash({ test }: Pick<SessionContext, 'test'>, interaction: Interaction): void {
  const found = requestHash(interaction)
  if (found === interaction.hash) return
  const { number, hash: expected } = interaction
  throw new ReplayError('TURNTAPE_CASSETTE_EDITED', { cassette: test.cassette, interaction: number, expected, found })
}
