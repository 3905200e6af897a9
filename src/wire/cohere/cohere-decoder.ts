/**
 * Cohere's chat: version 2 (server-sent events), and version 1 (JSON lines), whose events are read as those of version 2.
 * Knows its messages and their deltas, not where they came from.
 */
import type { Json } from '../../core/cassette/document.ts'
import { type AnswerState, beginAnew, blocksInOrder, editSlot, keepError, keepMarker } from '../answer-state.ts'
import type { DecodedAnswer, Usage } from '../block.ts'
import {
  filledOf,
  type JsonObject,
  numberOf,
  objectOf,
  stringOf,
  withoutMembers,
  withoutUndefined,
} from '../read-json.ts'
import { firstSlot } from '../slot-list.ts'
import type { WireDecoder, WireEvent } from '../wire-decoder.ts'
import { readError } from '../wire-error.ts'
import { foldMessage, openPart } from './fold-message.ts'
import { fromVersion1 } from './from-version-1.ts'
import { readMessage } from './read-message.ts'

export const cohereDecoder: WireDecoder = {
  wire: 'cohere',
  reduce,
  read,
  volatileMembers: [
    ...['id', 'generation_id', 'response_id', 'response.generation_id', 'response.response_id', 'logprobs'],
    ...['message.tool_calls[*].id', 'delta.message.tool_calls.id', 'usage.cached_tokens', 'delta.usage.cached_tokens'],
    ...['message.citations[*].sources[*].id', 'delta.message.citations.sources[*].id'],
  ],
}

function reduce(state: AnswerState, { name, data }: WireEvent): AnswerState {
  if (data === '[DONE]') return state
  const sent = objectOf(data)
  if (sent === undefined) return keepMarker(state, data)
  const event = fromVersion1(sent)
  switch (stringOf(event.type) ?? name) {
    case 'message-start':
      return { ...beginAnew(state, wholeOf(state)), whole: withoutMembers(event, ['type', 'delta']) }
    case 'content-start':
    case 'tool-call-start':
      return editMessage(state, (message) => openPart(message, event))
    case 'content-delta':
    case 'tool-plan-delta':
    case 'tool-call-delta':
    case 'citation-start':
      return editMessage(state, (message) => foldMessage(message, event))
    case 'content-end':
    case 'tool-call-end':
    case 'citation-end':
      return state
    case 'message-end':
      return end(state, objectOf(event.delta) ?? {})
    default:
      return reduceWhole(state, { event, sent })
  }
}

/** The message is the answer's one slot. */
function editMessage(state: AnswerState, edit: (message: JsonObject) => JsonObject): AnswerState {
  return editSlot(state, { key: 0, edit: (slot) => ({ value: edit(slot?.value ?? {}) }) })
}

function wholeOf({ whole, slots }: AnswerState): JsonObject {
  return { ...whole, message: firstSlot(slots)?.value ?? {} }
}

/** The end of version 1 holds the whole answer once more: a message takes the place of what its deltas made. */
function end(state: AnswerState, members: JsonObject): AnswerState {
  const { message, error } = members
  const own = objectOf(message)
  const told = own === undefined ? state : editMessage(state, () => own)
  const whole = { ...told.whole, ...withoutMembers(members, ['message', 'error']) }
  const next = { ...told, whole, finished: true }
  return typeof error === 'string' && error !== '' ? keepError(next, { message: error, raw: members }) : next
}

interface WholeAnswer {
  readonly event: JsonObject
  readonly sent: JsonObject
}

function reduceWhole(state: AnswerState, { event, sent }: WholeAnswer): AnswerState {
  if (objectOf(event.message) !== undefined) return end(state, event)
  const error = readError(withoutMembers(sent, ['id']))
  return error === undefined ? keepMarker(state, sent) : keepError(state, { ...error, raw: sent })
}

function read(state: AnswerState): DecodedAnswer {
  const { whole } = state
  return withoutUndefined<DecodedAnswer>({
    wire: 'cohere',
    id: filledOf(whole.id),
    model: undefined,
    blocks: blocksInOrder(state, ({ value }) => readMessage(value)),
    finishReason: filledOf(whole.finish_reason),
    usage: readUsage(whole.usage),
    error: state.error,
    finished: state.finished,
  })
}

/** What was billed leaves out what Cohere adds to a prompt; where only that is told, it must do. */
function readUsage(value: Json | undefined): Usage | undefined {
  const usage = objectOf(value)
  const counts = objectOf(usage?.tokens) ?? objectOf(usage?.billed_units)
  if (usage === undefined || counts === undefined) return undefined
  return withoutUndefined<Usage>({
    inputTokens: numberOf(counts.input_tokens) ?? 0,
    outputTokens: numberOf(counts.output_tokens) ?? 0,
    cachedInputTokens: numberOf(usage.cached_tokens),
    raw: usage,
  })
}
