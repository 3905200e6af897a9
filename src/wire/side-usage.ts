/** The tokens of a model call that is no turn: embeddings, pictures, speech, rerank, as any of the providers writes them. */
import type { Json } from '../core/cassette/document.ts'
import type { Usage } from './block.ts'
import { type JsonObject, numberOf, objectOf, withoutUndefined } from './read-json.ts'

/**
 * Undefined: the answer, or event, tells of none. Known forms: `usage` (OpenAI, Mistral, Voyage, Anthropic), `usageMetadata`
 * (Gemini), `meta` (Cohere), counts of the answer's own (Ollama). A duration is no count of tokens.
 */
export function readSideUsage(value: Json): Usage | undefined {
  const answer = objectOf(value) ?? {}
  const meta = objectOf(answer.meta)
  const holders = [answer.usage, answer.usageMetadata, meta?.tokens ?? meta?.billed_units, answer]
  return holders.map((holder) => usageOf(objectOf(holder) ?? {})).find((usage) => usage !== undefined)
}

function usageOf(raw: JsonObject): Usage | undefined {
  const count = (names: readonly string[]): number | undefined =>
    names.map((name) => numberOf(raw[name])).find((found) => found !== undefined)
  const input = count(inputNames)
  const output = count(outputNames)
  const total = count(['total_tokens', 'totalTokenCount'])
  if ((input ?? output ?? total) === undefined) return undefined
  return withoutUndefined<Usage>({
    inputTokens: input ?? (total ?? 0) - (output ?? 0),
    outputTokens: output ?? 0,
    totalTokens: total,
    cachedInputTokens: undefined,
    reasoningTokens: undefined,
    raw,
  })
}

const inputNames = ['prompt_tokens', 'input_tokens', 'promptTokenCount', 'prompt_eval_count']
const outputNames = ['completion_tokens', 'output_tokens', 'candidatesTokenCount']
