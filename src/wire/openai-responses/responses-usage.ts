import type { Usage } from '../block.ts'
import { type JsonObject, numberOf, objectOf, withoutUndefined } from '../read-json.ts'

export function readResponsesUsage(usage: JsonObject | undefined): Usage | undefined {
  if (usage === undefined) return undefined
  return withoutUndefined<Usage>({
    inputTokens: numberOf(usage.input_tokens) ?? 0,
    outputTokens: numberOf(usage.output_tokens) ?? 0,
    cachedInputTokens: numberOf(objectOf(usage.input_tokens_details)?.cached_tokens),
    reasoningTokens: numberOf(objectOf(usage.output_tokens_details)?.reasoning_tokens),
    totalTokens: numberOf(usage.total_tokens),
    raw: usage,
  })
}
