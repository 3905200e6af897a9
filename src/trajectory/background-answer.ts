import { type Interaction, isHttpInteraction } from '../core/cassette/document.ts'
import type { DecodedAnswer } from '../wire/block.ts'
import { decodedBody, type SideFileReader } from './decoded-answer.ts'

interface Readings {
  /** By number. */
  readonly interactions: readonly Interaction[]
  readonly sideFiles: SideFileReader
  /** The number of the call that began the response. */
  readonly after: number
}

/**
 * What a response that was begun in the background says by its last reading (`GET …/responses/<id>`, streamed or not):
 * the call that began it was answered before there was anything to say. Undefined: it was not read.
 */
export function backgroundAnswer(
  { wire, id, error }: DecodedAnswer,
  { interactions, sideFiles, after }: Readings,
): DecodedAnswer | undefined {
  if (wire !== 'openai-responses' || id === undefined || error !== undefined) return undefined
  for (const later of interactions.toReversed()) {
    if (later.number <= after) return undefined
    if (!isHttpInteraction(later) || later.request.method !== 'GET') continue
    const path = later.request.url.split(/[?#]/, 1)[0] as string
    if (!path.endsWith(`/responses/${id}`)) continue
    const read: DecodedAnswer | undefined = decodedBody(later, sideFiles)
    if (read?.id === id) return read
  }
  return undefined
}
