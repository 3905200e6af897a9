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
  const models = new Map<string, Usage[]>()
  for (const { model, usage } of usages) {
    const ofModel = models.get(model)
    if (ofModel === undefined) models.set(model, [usage])
    else ofModel.push(usage)
  }
  const byModel = [...models].map(([model, ofModel]) => [model, sum(ofModel)] as const)
  return { ...sum(usages.map(({ usage }) => usage)), byModel: Object.fromEntries(byModel) }
}

function sum(usages: readonly Usage[]): TokenCounts {
  let [inputTokens, outputTokens, cachedInputTokens, reasoningTokens] = [0, 0, 0, 0]
  for (const usage of usages) {
    inputTokens += usage.inputTokens
    outputTokens += usage.outputTokens
    cachedInputTokens += usage.cachedInputTokens ?? 0
    reasoningTokens += usage.reasoningTokens ?? 0
  }
  return { inputTokens, outputTokens, totalTokens: inputTokens + outputTokens, cachedInputTokens, reasoningTokens }
}
