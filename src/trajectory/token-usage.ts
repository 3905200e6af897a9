/** What a test cost in tokens. */
import type { Usage } from '../wire/block.ts'
import { decodedAnswer, noSideFiles } from './decoded-answer.ts'
import { type ModelUsage, sideUsages } from './side-usages.ts'
import type { TrajectorySource, Turn } from './turn.ts'

/** Tokens. Input includes cached input, output includes reasoning, for every provider. */
export interface TokenCounts {
  readonly inputTokens: number
  readonly outputTokens: number
  /** Input and output. */
  readonly totalTokens: number
  readonly cachedInputTokens: number
  readonly reasoningTokens: number
}

export interface TokenUsage extends TokenCounts {
  /** By the model that answered, in order of appearance; `unknown` where neither answer nor request names one. */
  readonly byModel: Readonly<Record<string, TokenCounts>>
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
  const counted = [...ofTurns, ...sideUsages(interactions)]
  const models = [...new Set(counted.map(({ model }) => model))]
  const ofModel = (name: string): TokenCounts =>
    sum(counted.flatMap(({ model, usage }) => (model === name ? [usage] : [])))
  return {
    ...sum(counted.map(({ usage }) => usage)),
    byModel: Object.fromEntries(models.map((name) => [name, ofModel(name)])),
    uncountedTurns: turns.filter(({ usage }) => usage === undefined).map(({ number }) => number),
  }
}

function sum(usages: readonly Usage[]): TokenCounts {
  const total = (count: (usage: Usage) => number | undefined): number =>
    usages.reduce((sumSoFar, usage) => sumSoFar + (count(usage) ?? 0), 0)
  const inputTokens = total((usage) => usage.inputTokens)
  const outputTokens = total((usage) => usage.outputTokens)
  return {
    inputTokens,
    outputTokens,
    totalTokens: inputTokens + outputTokens,
    cachedInputTokens: total((usage) => usage.cachedInputTokens),
    reasoningTokens: total((usage) => usage.reasoningTokens),
  }
}
