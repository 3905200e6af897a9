import type { Usage } from '../block.ts'
import { type JsonObject, numberOf, objectOf, withoutUndefined } from '../read-json.ts'

/** Of a whole answer. Groq tells it at the end of a stream in a member of its own. */
export function chatUsageOf(answer: JsonObject): Usage | undefined {
  return readChatUsage(objectOf(answer.usage) ?? objectOf(objectOf(answer.x_groq)?.usage))
}

/** DeepSeek counts cache hits in `prompt_cache_hit_tokens`, others beside the totals. */
function readChatUsage(usage: JsonObject | undefined): Usage | undefined {
  if (usage === undefined) return undefined
  const input = objectOf(usage.prompt_tokens_details)
  const output = objectOf(usage.completion_tokens_details)
  return withoutUndefined<Usage>({
    inputTokens: numberOf(usage.prompt_tokens) ?? 0,
    outputTokens: numberOf(usage.completion_tokens) ?? 0,
    cachedInputTokens:
      numberOf(input?.cached_tokens) ?? numberOf(usage.prompt_cache_hit_tokens) ?? numberOf(usage.cached_tokens),
    reasoningTokens: numberOf(output?.reasoning_tokens) ?? numberOf(usage.reasoning_tokens),
    totalTokens: numberOf(usage.total_tokens),
    raw: usage,
  })
}
