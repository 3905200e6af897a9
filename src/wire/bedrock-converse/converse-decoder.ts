/**
 * Bedrock Converse and ConverseStream, and what Nova speaks under InvokeModel: the same events, each wrapped in an object of
 * its name. Amazon names no id and no model in an answer; the model is in the path.
 */
import { type AnswerState, blocksInOrder, editSlot, emptyAnswer, keepError, keepMarker } from '../answer-state.ts'
import type { DecodedAnswer, Usage } from '../block.ts'
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
import { type Slot, slotAt, slotsOf } from '../slot-list.ts'
import type { WireDecoder, WireEvent } from '../wire-decoder.ts'
import { readError } from '../wire-error.ts'
import { foldDelta, openBlock } from './fold-delta.ts'
import { readContent } from './read-content.ts'

const contentMembers = ['toolUse.toolUseId', 'toolResult.toolUseId', 'reasoningContent.reasoningText.signature']

export const converseDecoder: WireDecoder = {
  wire: 'bedrock-converse',
  reduce,
  read,
  volatileMembers: [
    // `p` is padding of a random length, against guessing texts from sizes.
    ...['p', 'metrics', 'trace', 'metadata.metrics', 'amazon-bedrock-invocationMetrics'],
    ...['start.toolUse.toolUseId', 'delta.reasoningContent.signature'],
    ...contentMembers.map((path) => `output.message.content[*].${path}`),
    // A block by itself.
    ...contentMembers,
  ],
}

const eventNames = [
  'messageStart',
  'contentBlockStart',
  'contentBlockDelta',
  'contentBlockStop',
  'messageStop',
  'metadata',
] as const

type EventName = (typeof eventNames)[number]

function reduce(state: AnswerState, event: WireEvent): AnswerState {
  const data = objectOf(event.data)
  if (data === undefined) return keepMarker(state, event.data)
  const { name, body } = unwrapped(event.name, data)
  switch (name) {
    case 'messageStart':
      return addMembers(state, body)
    case 'contentBlockStart':
      return fold(state, body, () => openBlock(objectOf(body.start) ?? {}))
    case 'contentBlockDelta':
      return fold(state, body, (slot) => foldDelta(slot, objectOf(body.delta) ?? {}))
    case 'contentBlockStop':
      return state
    case 'messageStop':
      return { ...addMembers(state, body), finished: true }
    case 'metadata':
      return addMembers(state, body)
    case undefined:
      return reduceOther(state, { ...event, data: body })
  }
}

/** The event's own name, or that of the only member that is an event (Nova). Undefined: no event of a message. */
function unwrapped(
  name: string | undefined,
  data: JsonObject,
): { readonly name: EventName | undefined; readonly body: JsonObject } {
  const own = eventNames.find((known) => known === name)
  if (own !== undefined) return { name: own, body: data }
  const inner = name === undefined ? eventNames.find((known) => objectOf(data[known]) !== undefined) : undefined
  return { name: inner, body: (inner && objectOf(data[inner])) ?? data }
}

function addMembers(state: AnswerState, body: JsonObject): AnswerState {
  return { ...state, whole: { ...state.whole, ...withoutNulls(withoutMembers(body, ['p'])) } }
}

function fold(
  state: AnswerState,
  body: JsonObject,
  edit: (slot: Slot | undefined) => Omit<Slot, 'key'> | undefined,
): AnswerState {
  const key = numberOf(body.contentBlockIndex) ?? 0
  const folded = edit(slotAt(state.slots, key))
  return folded === undefined ? keepMarker(state, body) : editSlot(state, { key, edit: () => folded })
}

/** An answer without streaming, an exception of a stream, an error body, or an event that we do not know. */
function reduceOther(state: AnswerState, { name, data }: WireEvent & { readonly data: JsonObject }): AnswerState {
  const message = objectOf(objectOf(data.output)?.message)
  if (message !== undefined) {
    const members = { ...withoutNulls(withoutMembers(data, ['output'])), role: message.role ?? null }
    return { ...emptyAnswer, whole: members, slots: slotsOf(objectsOf(message.content)), finished: true }
  }
  if (name?.endsWith('Exception')) {
    return keepError(state, { type: name, message: filledOf(data.message ?? data.originalMessage) ?? '', raw: data })
  }
  const error = readError(data)
  return error === undefined ? keepMarker(state, name === undefined ? data : { [name]: data }) : keepError(state, error)
}

function read(state: AnswerState): DecodedAnswer {
  const { whole } = state
  return withoutUndefined<DecodedAnswer>({
    wire: 'bedrock-converse',
    blocks: blocksInOrder(state, readContent),
    finishReason: filledOf(whole.stopReason),
    finishDetail: objectOf(whole.additionalModelResponseFields),
    usage: readUsage(objectOf(whole.usage)),
    error: state.error,
    finished: state.finished,
  })
}

/** As Anthropic does, Bedrock counts input beside what was read from and written to the cache: here it is the sum. */
function readUsage(usage: JsonObject | undefined): Usage | undefined {
  if (usage === undefined) return undefined
  const cached = numberOf(usage.cacheReadInputTokens ?? usage.cacheReadInputTokenCount)
  const written = numberOf(usage.cacheWriteInputTokens ?? usage.cacheWriteInputTokenCount)
  return withoutUndefined<Usage>({
    inputTokens: (numberOf(usage.inputTokens) ?? 0) + (cached ?? 0) + (written ?? 0),
    outputTokens: numberOf(usage.outputTokens) ?? 0,
    cachedInputTokens: cached,
    totalTokens: numberOf(usage.totalTokens),
    raw: usage,
  })
}
