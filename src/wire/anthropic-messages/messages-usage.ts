import type { Usage } from '../block.ts'
import { type JsonObject, numberOf, objectOf, withoutUndefined } from '../read-json.ts'

/** Anthropic counts input beside what was read from and written to the cache: here it is the sum. */
export function readMessagesUsage(usage: JsonObject | undefined): Usage | undefined {
  if (usage === undefined) return undefined
  const cached = numberOf(usage.cache_read_input_tokens)
  const written = numberOf(usage.cache_creation_input_tokens)
  return withoutUndefined<Usage>({
    inputTokens: (numberOf(usage.input_tokens) ?? 0) + (cached ?? 0) + (written ?? 0),
    outputTokens: numberOf(usage.output_tokens) ?? 0,
    cachedInputTokens: cached,
    reasoningTokens: numberOf(objectOf(usage.output_tokens_details)?.thinking_tokens),
    raw: usage,
  })
}
