/**
 * Anthropic Messages, wherever it is served (Anthropic, Vertex, gateways). A second `message_start` begins the answer
 * anew: the two are never joined, and what had come of the first is kept as a marker.
 */
import { type AnswerState, beginAnew, blocksInOrder, editSlot, keepError, keepMarker } from '../answer-state.ts'
import type { Block, DecodedAnswer } from '../block.ts'
import {
  filledOf,
  type JsonObject,
  numberOf,
  objectOf,
  objectsOf,
  stringOf,
  withoutMembers,
  withoutNulls,
  withoutUndefined,
} from '../read-json.ts'
import { allSlots, lastSlot, slotAt, slotsOf } from '../slot-list.ts'
import type { WireDecoder, WireEvent } from '../wire-decoder.ts'
import { readError } from '../wire-error.ts'
import { closeBlock, foldBlock, openBlock } from './fold-block.ts'
import { readMessagesUsage } from './messages-usage.ts'
import { readBlock } from './read-block.ts'

const blockMembers = [
  ...['id', 'tool_use_id', 'signature', 'data'],
  ...['content[*].encrypted_content', 'citations[*].encrypted_index'],
]

const messageMembers = [
  ...['id', 'container', 'usage.service_tier', 'usage.inference_geo'],
  ...blockMembers.map((path) => `content[*].${path}`),
]

export const messagesDecoder: WireDecoder = {
  wire: 'anthropic-messages',
  reduce,
  read,
  volatileMembers: [
    ...messageMembers,
    ...messageMembers.map((path) => `message.${path}`),
    ...blockMembers.map((path) => `content_block.${path}`),
    ...['request_id', 'delta.container', 'delta.signature', 'delta.citation.encrypted_index'],
    // A block by itself.
    ...blockMembers.filter((path) => path !== 'id'),
  ],
}

function reduce(state: AnswerState, { name, data }: WireEvent): AnswerState {
  if (data === '[DONE]') return state
  const event = objectOf(data)
  if (event === undefined) return keepMarker(state, data)
  switch (stringOf(event.type) ?? name) {
    case 'message':
      return { ...begin(state, event), finished: true }
    case 'message_start':
      return begin(state, objectOf(event.message) ?? {})
    case 'content_block_start':
      return startBlock(state, event)
    case 'content_block_delta':
      return addDelta(state, event)
    case 'message_delta':
      return addMembers(state, event)
    case 'message_stop':
      return { ...state, finished: true }
    case 'content_block_stop':
      return stopBlock(state, event)
    case 'ping':
      return state
    default:
      return keepUnknown(state, event)
  }
}

function begin(state: AnswerState, message: JsonObject): AnswerState {
  const content = allSlots(state.slots).map(({ value, pending }) => (pending ? { ...value, input: pending } : value))
  const next = beginAnew(state, { ...state.whole, content })
  return { ...next, whole: withoutMembers(message, ['content']), slots: slotsOf(objectsOf(message.content)) }
}

function startBlock(state: AnswerState, event: JsonObject): AnswerState {
  const block = objectOf(event.content_block)
  if (block === undefined) return keepMarker(state, event)
  const key = numberOf(event.index) ?? (lastSlot(state.slots)?.key ?? -1) + 1
  return editSlot(state, { key, edit: () => openBlock(block) })
}

function stopBlock(state: AnswerState, event: JsonObject): AnswerState {
  const key = numberOf(event.index) ?? lastSlot(state.slots)?.key
  const slot = slotAt(state.slots, key)
  return slot === undefined ? state : editSlot(state, { key, edit: () => closeBlock(slot) })
}

function addDelta(state: AnswerState, event: JsonObject): AnswerState {
  const key = numberOf(event.index) ?? lastSlot(state.slots)?.key
  const slot = slotAt(state.slots, key)
  const folded = foldBlock(slot, objectOf(event.delta) ?? {})
  return folded === undefined ? keepMarker(state, event) : editSlot(state, { key, edit: () => folded })
}

/** Usage counts of the end replace those of the start; null says nothing. */
function addMembers(state: AnswerState, event: JsonObject): AnswerState {
  const usage = { ...objectOf(state.whole.usage), ...withoutNulls(objectOf(event.usage) ?? {}) }
  const members = withoutNulls(objectOf(event.delta) ?? {})
  return { ...state, whole: { ...state.whole, ...members, usage } }
}

function keepUnknown(state: AnswerState, event: JsonObject): AnswerState {
  const error = readError(event)
  return error === undefined ? keepMarker(state, event) : keepError(state, error)
}

function read(state: AnswerState): DecodedAnswer {
  const { whole } = state
  const details = objectOf(whole.stop_details)
  return withoutUndefined<DecodedAnswer>({
    wire: 'anthropic-messages',
    id: filledOf(whole.id),
    model: filledOf(whole.model),
    blocks: [...blocksInOrder(state, readBlock), ...readRefusal(details)],
    finishReason: filledOf(whole.stop_reason),
    finishDetail: details ?? filledOf(whole.stop_sequence),
    usage: readMessagesUsage(objectOf(whole.usage)),
    error: state.error,
    finished: state.finished,
  })
}

function readRefusal(details: JsonObject | undefined): readonly Block[] {
  if (details?.type !== 'refusal') return []
  return [{ kind: 'refusal', text: stringOf(details.explanation) ?? '' }]
}
