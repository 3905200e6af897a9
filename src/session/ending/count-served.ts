import type { Interaction } from '../../core/cassette/document.ts'
import { groupTurns } from '../../core/turns/group-turns.ts'
import { sumUsages } from '../../trajectory/sum-usages.ts'
import { thinAnswer } from '../../trajectory/thin-answer.ts'
import { tokenUsage } from '../../trajectory/token-usage.ts'
import { buildTrajectory } from '../../trajectory/turn.ts'
import { wholeUsages } from '../../trajectory/whole-usages.ts'
import type { SessionContext } from '../session-context.ts'
import type { SessionReport } from '../session-report.ts'

/** How many turns a run had, and what of them the cassette answered. Decodes of the answers it served what says their tokens, where
 * that takes decoding. */
export function countServed(context: SessionContext): Pick<SessionReport, 'turns' | 'notPaid'> {
  const { log } = context
  const all = log.interactions()
  const groups = groupTurns(all)
  const turns = groups.length
  const isServed = log.count('live') === 0
  // Not the model calls alone: a response in the background is read by others.
  const served = isServed ? all : log.interactions((whole, { origin }) => (origin === 'live' ? undefined : whole))
  const modelCalls = served.filter(isModelCall).length
  if (modelCalls === 0) return { turns }
  const usages = wholeUsages(served, isServed ? groups : groupTurns(served))
  if (usages !== undefined) {
    return { turns, notPaid: { modelCalls, byModel: sumUsages(usages).byModel, uncountedTurns: 0 } }
  }
  const sideFiles = context.source()?.sideFiles
  const source = { interactions: served.map(thinAnswer), ...(sideFiles === undefined ? {} : { sideFiles }) }
  const { byModel, uncountedTurns } = tokenUsage(buildTrajectory(source), source)
  return { turns, notPaid: { modelCalls, byModel, uncountedTurns: uncountedTurns.length } }
}

function isModelCall({ kind }: Interaction): boolean {
  return kind === 'model'
}
