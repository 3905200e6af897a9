/**
 * Ollama's own `/api/chat` and `/api/generate`: JSON lines, or one value, which has the form of a line that holds all.
 * Tool calls come whole, with arguments that are values.
 */
import { type AnswerState, blocksInOrder, editSlot, keepError, keepMarker } from '../answer-state.ts'
import type { Block, DecodedAnswer, ToolCallBlock, Usage } from '../block.ts'
import {
  filledOf,
  type JsonObject,
  listOf,
  numberOf,
  objectOf,
  objectsOf,
  stringOf,
  withoutMembers,
  withoutUndefined,
} from '../read-json.ts'
import { readArguments } from '../tool-arguments.ts'
import type { WireDecoder, WireEvent } from '../wire-decoder.ts'
import { readError } from '../wire-error.ts'

const counts = ['prompt_eval_count', 'eval_count']
const times = ['total_duration', 'load_duration', 'prompt_eval_duration', 'eval_duration']

export const ollamaDecoder: WireDecoder = {
  wire: 'ollama',
  reduce,
  read,
  volatileMembers: ['created_at', 'context', ...times, 'message.tool_calls[*].id'],
}

function reduce(state: AnswerState, { data }: WireEvent): AnswerState {
  const event = objectOf(data)
  if (event === undefined) return keepMarker(state, data)
  const error = readError(event)
  if (error !== undefined) return keepError(state, error)
  const message = messageOf(event)
  if (message === undefined && event.done !== true) return keepMarker(state, event)
  const next = editSlot(state, { key: 0, edit: (slot) => ({ value: foldMessage(slot?.value ?? {}, message ?? {}) }) })
  const members = withoutMembers(event, ['message', 'response', 'thinking', 'tool_calls'])
  return { ...next, whole: { ...next.whole, ...members }, finished: state.finished || event.done === true }
}

/** `generate` has the members of its message beside the others. */
function messageOf(event: JsonObject): JsonObject | undefined {
  const message = objectOf(event.message)
  if (message !== undefined) return message
  const { response, thinking, tool_calls } = event
  if (typeof response !== 'string' && typeof thinking !== 'string') return undefined
  return withoutUndefined<JsonObject>({ content: response, thinking, tool_calls })
}

function foldMessage(message: JsonObject, delta: JsonObject): JsonObject {
  const join = (name: string): string => (stringOf(message[name]) ?? '') + (stringOf(delta[name]) ?? '')
  return {
    thinking: join('thinking'),
    content: join('content'),
    tool_calls: [...listOf(message.tool_calls), ...listOf(delta.tool_calls)],
  }
}

function read(state: AnswerState): DecodedAnswer {
  const { whole } = state
  return withoutUndefined<DecodedAnswer>({
    wire: 'ollama',
    id: undefined,
    model: filledOf(whole.model),
    blocks: blocksInOrder(state, ({ value }) => readMessage(value)),
    finishReason: filledOf(whole.done_reason),
    usage: readUsage(whole),
    error: state.error,
    finished: state.finished,
  })
}

function readMessage({ thinking, content, tool_calls }: JsonObject): readonly Block[] {
  const thought = filledOf(thinking)
  const text = filledOf(content)
  return [
    ...(thought === undefined ? [] : [{ kind: 'thinking' as const, text: thought }]),
    ...(text === undefined ? [] : [{ kind: 'text' as const, text }]),
    ...objectsOf(tool_calls).map(readToolCall),
  ]
}

function readToolCall(call: JsonObject): Block {
  const named = objectOf(call.function) ?? {}
  const given = named.arguments ?? {}
  return withoutUndefined<ToolCallBlock>({
    kind: 'tool call',
    id: filledOf(call.id),
    name: stringOf(named.name) ?? '',
    arguments: typeof given === 'string' ? readArguments(given) : { json: given },
    signature: undefined,
  })
}

/** A prompt that is still in the cache may have no count. */
function readUsage(whole: JsonObject): Usage | undefined {
  const [input, output] = counts.map((name) => numberOf(whole[name]))
  if (input === undefined && output === undefined) return undefined
  const raw = Object.fromEntries([...counts, ...times].flatMap((name) => (name in whole ? [[name, whole[name]]] : [])))
  return { inputTokens: input ?? 0, outputTokens: output ?? 0, raw: raw as JsonObject }
}
