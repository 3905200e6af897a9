import type { Usage } from '../wire/block.ts'
import type { ModelUsage } from '../wire/whole-usage.ts'

/** Tokens. Input includes cached input, output includes reasoning, for every provider. */
export interface TokenCounts {
  readonly inputTokens: number
  readonly outputTokens: number
  /** Input and output. */
  readonly totalTokens: number
  readonly cachedInputTokens: number
  readonly reasoningTokens: number
}

export interface SummedUsages extends TokenCounts {
  /** By the model that answered, in order of appearance; `unknown` where neither answer nor request names one. */
  readonly byModel: Readonly<Record<string, TokenCounts>>
}

export function sumUsages(usages: readonly ModelUsage[]): SummedUsages {
  const models = [...new Set(usages.map(({ model }) => model))]
  const ofModel = (name: string): TokenCounts =>
    sum(usages.flatMap(({ model, usage }) => (model === name ? [usage] : [])))
  return {
    ...sum(usages.map(({ usage }) => usage)),
    byModel: Object.fromEntries(models.map((name) => [name, ofModel(name)])),
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
