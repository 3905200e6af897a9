import type { TokenCounts } from '../../trajectory/sum-usages.ts'
import type { NotPaid, SessionReport } from '../session-report.ts'

/** What cassettes answered in a run, every attempt counted: none was paid for. */
export interface NotPaidTotal extends NotPaid, TokenCounts {}

export function sumNotPaid(reports: readonly SessionReport[]): NotPaidTotal {
  const all = reports.flatMap(({ notPaid }) => notPaid ?? [])
  const byModel = new Map<string, TokenCounts>()
  for (const [model, counts] of all.flatMap((notPaid) => Object.entries(notPaid.byModel)))
    byModel.set(model, plus(byModel.get(model) ?? none, counts))
  return {
    modelCalls: all.reduce((sum, { modelCalls }) => sum + modelCalls, 0),
    ...[...byModel.values()].reduce(plus, none),
    byModel: Object.fromEntries(byModel),
    uncountedTurns: all.reduce((sum, { uncountedTurns }) => sum + uncountedTurns, 0),
  }
}

const none: TokenCounts = {
  inputTokens: 0,
  outputTokens: 0,
  totalTokens: 0,
  cachedInputTokens: 0,
  reasoningTokens: 0,
}

function plus(one: TokenCounts, other: TokenCounts): TokenCounts {
  return {
    inputTokens: one.inputTokens + other.inputTokens,
    outputTokens: one.outputTokens + other.outputTokens,
    totalTokens: one.totalTokens + other.totalTokens,
    cachedInputTokens: one.cachedInputTokens + other.cachedInputTokens,
    reasoningTokens: one.reasoningTokens + other.reasoningTokens,
  }
}
