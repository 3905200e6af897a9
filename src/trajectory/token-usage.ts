/** What a test cost in tokens. */

import type { ModelUsage } from '../wire/whole-usage.ts'
import { decodedAnswer, noSideFiles } from './decoded-answer.ts'
import { sideUsages } from './side-usages.ts'
import { type SummedUsages, sumUsages } from './sum-usages.ts'
import type { TrajectorySource, Turn } from './turn.ts'

export interface TokenUsage extends SummedUsages {
  /** Turns whose answer says no usage: nothing of them is in the counts. */
  readonly uncountedTurns: readonly number[]
}

/**
 * The sum over turns, folds and those attempts included that say what they used before they failed; and over the other
 * model calls (embeddings, speech) among the interactions, where those are given.
 */
export function tokenUsage(turns: readonly Turn[], source: Partial<TrajectorySource> = {}): TokenUsage {
  const { interactions = [], sideFiles = noSideFiles } = source
  const ofTurns = turns.flatMap((turn): readonly ModelUsage[] => {
    const tries = turn.attempts.map((attempt) => decodedAnswer(attempt, sideFiles)?.usage)
    const model = turn.model ?? 'unknown'
    return [...tries, turn.usage].flatMap((usage) => (usage === undefined ? [] : [{ model, usage }]))
  })
  return {
    ...sumUsages([...ofTurns, ...sideUsages(interactions)]),
    uncountedTurns: turns.filter(({ usage }) => usage === undefined).map(({ number }) => number),
  }
}
