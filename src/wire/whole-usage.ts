/**
 * What an answer that is one JSON value took in tokens, without decoding what it says: the report asks that of every answer that
 * was served. The counts are read by the functions that the decoders have for it.
 */
import type { Json } from '../core/cassette/document.ts'
import { readMessagesUsage } from './anthropic-messages/messages-usage.ts'
import type { Usage } from './block.ts'
import { chooseWire } from './choose-wire.ts'
import { chatUsageOf } from './openai-chat/chat-usage.ts'
import { readResponsesUsage } from './openai-responses/responses-usage.ts'
import { filledOf, type JsonObject, objectOf } from './read-json.ts'

/** Of one answer. */
export interface ModelUsage {
  /** That answered. */
  readonly model: string
  readonly usage: Usage
}

/** Undefined: the answer has to be decoded, for it says no model, no usage, or is not yet finished, or its wire is another one. */
export function wholeUsage(url: string, answer: Json): ModelUsage | undefined {
  const value = objectOf(answer)
  const model = filledOf(value?.model)
  const usage = value === undefined || model === undefined ? undefined : usageOf(url, value)
  return model === undefined || usage === undefined ? undefined : { model, usage }
}

function usageOf(url: string, answer: JsonObject): Usage | undefined {
  switch (chooseWire({ url }, answer)) {
    case 'openai-chat':
      return Array.isArray(answer.choices) ? chatUsageOf(answer) : undefined
    case 'anthropic-messages':
      return answer.type === 'message' ? readMessagesUsage(objectOf(answer.usage)) : undefined
    case 'openai-responses':
      return isFinishedResponse(answer) ? readResponsesUsage(objectOf(answer.usage)) : undefined
    default:
      return undefined
  }
}

/** One in the background says its usage where it is read at last. */
function isFinishedResponse({ type, output, status }: JsonObject): boolean {
  return typeof type !== 'string' && Array.isArray(output) && status !== 'queued' && status !== 'in_progress'
}
