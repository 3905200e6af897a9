import type { Interaction } from '../../core/cassette/document.ts'
import { groupTurns } from '../../core/turns/group-turns.ts'
import { tokenUsage } from '../../trajectory/token-usage.ts'
import { buildTrajectory } from '../../trajectory/turn.ts'
import type { SessionContext } from '../session-context.ts'
import type { SessionReport } from '../session-report.ts'

/** How many turns a run had, and what of them the cassette answered. Decodes the answers it served, for their tokens. */
export function countServed(context: SessionContext): Pick<SessionReport, 'turns' | 'notPaid'> {
  const { log } = context
  const turns = groupTurns(log.interactions()).length
  const served = log.interactions((whole, { origin }) => (origin === 'live' ? undefined : whole)).filter(isModelCall)
  if (served.length === 0) return { turns }
  const sideFiles = context.source()?.sideFiles
  const trajectory = buildTrajectory({ interactions: served, ...(sideFiles === undefined ? {} : { sideFiles }) })
  const { byModel, uncountedTurns } = tokenUsage(trajectory, sideFiles)
  return { turns, notPaid: { modelCalls: served.length, byModel, uncountedTurns: uncountedTurns.length } }
}

function isModelCall({ kind }: Interaction): boolean {
  return kind === 'model'
}
