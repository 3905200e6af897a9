import { type CapUsage, capUsage } from '../../core/cassette/caps.ts'
import { bodyBytes, chunkCount } from '../../core/cassette/decode-body.ts'
import { type Interaction, isHttpInteraction, type ResponseBody } from '../../core/cassette/document.ts'
import { writeCassette } from '../../core/cassette/write-cassette.ts'
import { countBlocks } from '../../core/turns/count-blocks.ts'
import type { SessionContext } from '../session-context.ts'
import { composeCassette } from './compose-cassette.ts'

/** How full the caps are: of the recording where the session only replays it, else of what the session has so far. */
export function measureCaps(context: SessionContext): CapUsage {
  const source = context.source()
  const own = source === undefined || context.log.count('live') + context.log.count('rewritten') > 0
  const interactions = own ? context.log.interactions() : source.interactions
  const cassetteBytes = (): number =>
    own ? Buffer.byteLength(writeCassette(composeCassette(context, interactions))) : source.stored.bytes.length
  const used = {
    maxCassetteBytes: interactions.length === 0 ? 0 : cassetteBytes(),
    maxBodyBytes: largest(interactions.map((interaction) => ofBody(interaction, bodyBytes))),
    maxInteractions: interactions.length,
    maxChunks: largest(interactions.map((interaction) => ofBody(interaction, chunkCount))),
    maxBlocks: largest(interactions.filter(isHttpInteraction).map(countBlocks)),
  }
  return capUsage(used, context.options.caps)
}

function ofBody(interaction: Interaction, measure: (body: ResponseBody) => number): number {
  const body = isHttpInteraction(interaction) ? interaction.response?.body : undefined
  return body === undefined ? 0 : measure(body)
}

function largest(counts: readonly number[]): number {
  return counts.reduce((most, count) => Math.max(most, count), 0)
}
