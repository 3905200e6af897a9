/**
 * OpenAI Responses, and servers that speak it (xAI, Bedrock, Copilot). Item ids are never used as keys: a proxy may give
 * a new one with each event. The response that the last event holds is the answer; until then its items are put together.
 */
import { type AnswerState, beginAnew, blocksInOrder, editSlot, keepError, keepMarker } from '../answer-state.ts'
import type { DecodedAnswer } from '../block.ts'
import {
  filledOf,
  type JsonObject,
  numberOf,
  objectOf,
  objectsOf,
  stringOf,
  withoutMembers,
  withoutUndefined,
} from '../read-json.ts'
import { allSlots, lastSlot, type Slot, slotAt, slotsOf } from '../slot-list.ts'
import type { WireDecoder, WireEvent } from '../wire-decoder.ts'
import { readError } from '../wire-error.ts'
import { foldItem } from './fold-item.ts'
import { readItem } from './read-item.ts'
import { readResponsesUsage } from './responses-usage.ts'

const itemMembers = ['id', 'call_id', 'encrypted_content', 'container_id']

const responseMembers = [
  ...['id', 'created_at', 'completed_at', 'previous_response_id', 'service_tier', 'prompt_cache_key', 'billing'],
  ...itemMembers.map((path) => `output[*].${path}`),
]

export const responsesDecoder: WireDecoder = {
  wire: 'openai-responses',
  reduce,
  read,
  volatileMembers: [
    ...responseMembers,
    ...responseMembers.map((path) => `response.${path}`),
    ...itemMembers.map((path) => `item.${path}`),
    // An item or an event by itself.
    ...['call_id', 'encrypted_content', 'container_id', 'item_id', 'sequence_number', 'obfuscation', 'copilot_usage'],
  ],
}

/** Events that only say how far a tool of the provider is; what comes of it is in its item. */
const progress = /^response\.\w+\.(?:in_progress|searching|completed|generating|interpreting|partial_image)$/

function reduce(state: AnswerState, { name, data }: WireEvent): AnswerState {
  if (data === '[DONE]') return state
  const event = objectOf(data)
  if (event === undefined) return keepMarker(state, data)
  const type = stringOf(event.type) ?? (isWhole(event) ? undefined : name)
  switch (type) {
    case undefined:
      return reduceWhole(state, event)
    case 'response.created':
      return begin(state, objectOf(event.response) ?? {})
    case 'response.queued':
    case 'response.in_progress':
      return { ...state, whole: withoutMembers(objectOf(event.response) ?? {}, ['output']) }
    case 'response.completed':
    case 'response.incomplete':
    case 'response.failed':
    case 'response.cancelled':
      return settle(state, objectOf(event.response) ?? {})
    case 'response.output_item.added':
    case 'response.output_item.done':
      return reduceItem(state, event)
    case 'error':
      return keepError(state, readError(event) ?? { message: '', raw: event })
    case 'keepalive':
    case 'ping':
      return state
    default:
      return progress.test(type) ? state : reduceDelta({ state, type, event })
  }
}

function begin(state: AnswerState, response: JsonObject): AnswerState {
  const next = beginAnew(state, { ...state.whole, output: allSlots(state.slots).map(({ value }) => value) })
  return { ...next, whole: withoutMembers(response, ['output']) }
}

function isWhole(event: JsonObject): boolean {
  return Array.isArray(event.output)
}

function reduceWhole(state: AnswerState, event: JsonObject): AnswerState {
  const error = readError(event)
  if (isWhole(event)) return settle(state, event)
  return error === undefined ? keepMarker(state, event) : keepError(state, error)
}

/** A response without output (some proxies end so) leaves the items that came one by one. */
function settle(state: AnswerState, response: JsonObject): AnswerState {
  const error = readError(response)
  const output = objectsOf(response.output)
  const running = response.status === 'queued' || response.status === 'in_progress'
  const next: AnswerState = {
    ...state,
    whole: withoutMembers(response, ['output']),
    slots: output.length === 0 ? state.slots : slotsOf(output),
    finished: !running,
  }
  return error === undefined ? next : keepError(next, error)
}

function reduceItem(state: AnswerState, event: JsonObject): AnswerState {
  const item = objectOf(event.item)
  if (item === undefined) return keepMarker(state, event)
  return editSlot(state, { key: numberOf(event.output_index), edit: () => ({ value: item }) })
}

interface Delta {
  readonly state: AnswerState
  readonly type: string
  readonly event: JsonObject
}

function reduceDelta({ state, type, event }: Delta): AnswerState {
  const key = numberOf(event.output_index)
  const own = key ?? lastSlot(state.slots)?.key
  const item = slotAt(state.slots, own)?.value
  const folded = foldItem({ item, type, event })
  return folded === undefined ? keepMarker(state, event) : editSlot(state, { key, edit: () => ({ value: folded }) })
}

function read(state: AnswerState): DecodedAnswer {
  const { whole } = state
  const details = objectOf(whole.incomplete_details)
  const status = whole.status === 'queued' || whole.status === 'in_progress' ? undefined : filledOf(whole.status)
  return withoutUndefined<DecodedAnswer>({
    wire: 'openai-responses',
    id: filledOf(whole.id),
    model: filledOf(whole.model),
    blocks: blocksInOrder(state, ({ value }: Slot) => readItem(value)),
    finishReason: filledOf(details?.reason) ?? status,
    finishDetail: details,
    usage: readResponsesUsage(objectOf(whole.usage)),
    error: state.error,
    finished: state.finished,
  })
}
