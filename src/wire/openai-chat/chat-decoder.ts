/**
 * OpenAI chat completions, and the many servers that speak it (Groq, OpenRouter, DeepSeek, Mistral, vLLM, Gemini's and
 * xAI's surfaces); legacy completions as well. Knows their deltas and messages, not where they came from.
 */
import type { AnswerState } from '../answer-state.ts'
import { blocksInOrder, editSlot, keepError, keepMarker } from '../answer-state.ts'
import type { Alternative, DecodedAnswer } from '../block.ts'
import {
  filledOf,
  type JsonObject,
  numberOf,
  objectOf,
  objectsOf,
  withoutMembers,
  withoutNulls,
  withoutUndefined,
} from '../read-json.ts'
import { allSlots, firstSlot, noSlots, putSlot } from '../slot-list.ts'
import type { WireDecoder, WireEvent } from '../wire-decoder.ts'
import { readError } from '../wire-error.ts'
import { chatUsageOf } from './chat-usage.ts'
import { foldChoice } from './fold-choice.ts'
import { readMessage } from './read-message.ts'

export const chatDecoder: WireDecoder = {
  wire: 'openai-chat',
  reduce,
  read,
  volatileMembers: [
    ...['id', 'created', 'system_fingerprint', 'service_tier', 'obfuscation', 'p', 'provider', 'generationId'],
    ...['request_id', 'user_id', 'x_groq.id', 'x_groq.seed', 'x_groq.usage', 'sla_metrics', 'usage_breakdown'],
    ...['usage.queue_time', 'usage.prompt_time', 'usage.completion_time', 'usage.total_time', 'usage.cost'],
    ...['choices[*].seed', 'choices[*].delta.tool_calls[*].id', 'choices[*].message.tool_calls[*].id'],
    ...['choices[*].delta.audio.id', 'choices[*].message.audio.id'],
    ...['choices[*].delta.audio.expires_at', 'choices[*].message.audio.expires_at'],
    ...['choices[*].delta.provider_metadata', 'choices[*].message.provider_metadata'],
  ],
}

function reduce(state: AnswerState, { data }: WireEvent): AnswerState {
  if (data === '[DONE]') return { ...state, finished: true }
  const event = objectOf(data)
  if (event === undefined) return keepMarker(state, data)
  const error = readError(event)
  const next = error === undefined ? state : keepError(state, error)
  if (Array.isArray(event.choices)) return objectsOf(event.choices).reduce(reduceChoice, reduceMembers(next, event))
  // A last event with nothing but the usage.
  if (objectOf(event.usage) !== undefined) return reduceMembers(next, event)
  return error === undefined ? keepMarker(next, data) : next
}

function reduceMembers(state: AnswerState, event: JsonObject): AnswerState {
  const members = withoutNulls(withoutMembers(event, ['choices', 'error']))
  // Azure sends its first event, about the prompt, without an id and a model.
  const unsaid = ['id', 'model'].filter((name) => members[name] === '')
  return { ...state, whole: { ...state.whole, ...withoutMembers(members, unsaid) } }
}

function reduceChoice(state: AnswerState, choice: JsonObject): AnswerState {
  const key = numberOf(choice.index) ?? 0
  const next = editSlot(state, { key, edit: (slot) => ({ value: foldChoice(slot?.value, choice) }) })
  const isFirst = firstSlot(next.slots)?.key === key
  return isFirst && filledOf(choice.finish_reason) !== undefined ? { ...next, finished: true } : next
}

function read(state: AnswerState): DecodedAnswer {
  const { whole, slots } = state
  const [first, ...others] = allSlots(slots)
  const own = { ...state, slots: first === undefined ? noSlots : putSlot(noSlots, first) }
  return withoutUndefined<DecodedAnswer>({
    wire: 'openai-chat',
    id: filledOf(whole.id),
    model: filledOf(whole.model),
    blocks: blocksInOrder(own, ({ value }) => readMessage(objectOf(value.message) ?? {}, whole)),
    finishReason: filledOf(first?.value.finish_reason),
    usage: chatUsageOf(whole),
    error: state.error,
    finished: state.finished,
    alternatives: others.length === 0 ? undefined : others.map(({ value }) => readAlternative(value)),
  })
}

function readAlternative(choice: JsonObject): Alternative {
  const blocks = readMessage(objectOf(choice.message) ?? {}, {})
  return withoutUndefined<Alternative>({ blocks, finishReason: filledOf(choice.finish_reason) })
}
