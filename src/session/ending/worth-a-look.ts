import { capUsage } from '../../core/cassette/caps.ts'
import type { CapName } from '../../errors/codes.ts'
import type { SessionContext } from '../session-context.ts'
import type { SessionReport } from '../session-report.ts'
import type { SessionEnd } from './end-session.ts'
import { measureCaps } from './measure-caps.ts'

const dayMs = 24 * 60 * 60 * 1000

/** What the report says of a recording that is as it should be: a cap that is near, an age over `maxAge`. */
export function worthALook(context: SessionContext, end: SessionEnd): Pick<SessionReport, 'nearCap' | 'age'> {
  if (end.outcome === 'failed' || end.outcome === 'idle') return {}
  const nearCap = findNearCap(context, end)
  const { maxAgeDays } = context.options
  const days = maxAgeDays === Number.POSITIVE_INFINITY ? 0 : ageInDays(context)
  return {
    ...(nearCap === undefined ? {} : { nearCap }),
    ...(days > maxAgeDays ? { age: { days: Math.floor(days), maxDays: maxAgeDays } } : {}),
  }
}

// Measured in full where it was written; of one that was only replayed, what costs nothing to know.
function findNearCap(context: SessionContext, { outcome }: SessionEnd): CapName | undefined {
  if (outcome === 'written' || outcome === 'updated' || outcome === 'rebased') return measureCaps(context).nearCap
  if (outcome !== 'replayed') return undefined
  const source = context.source()
  if (source === undefined) return undefined
  const used = { maxBodyBytes: 0, maxChunks: 0, maxBlocks: 0, maxInteractions: source.interactions.length }
  return capUsage({ ...used, maxCassetteBytes: source.stored.bytes.length }, context.options.caps).nearCap
}

function ageInDays(context: SessionContext): number {
  const recordedAt = context.rules.match === 'replays' ? context.source()?.stored.cassette.recordedAt : undefined
  return recordedAt === undefined ? 0 : (context.host.date().getTime() - Date.parse(recordedAt)) / dayMs
}
