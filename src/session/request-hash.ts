import { type Interaction, isHttpInteraction } from '../core/cassette/document.ts'
import { hashRequest, hashValueRequest } from '../core/hashing/request-hash.ts'

/** F13: of the request as it is stored. */
export function requestHash(interaction: Interaction): string {
  if (isHttpInteraction(interaction)) return hashRequest(interaction.request)
  return hashValueRequest({ kind: interaction.kind, ...interaction.request })
}
