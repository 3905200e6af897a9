/**
 * Stream parts: what each event of an answer brings while it comes in, for who steps through a stream or plays one. Told
 * by the event alone, without what came before, so that it can begin anywhere; what the answer is in the end is the
 * decoders' trade. An event may bring several parts, or none.
 */
import type { Json } from '../core/cassette/document.ts'
import { parseJson } from '../core/cassette/json-text.ts'
import { EventStream } from './event-stream.ts'
import { type JsonObject, objectOf, objectsOf, stringOf } from './read-json.ts'
import type { StreamItem } from './stream-item.ts'

/** TH-07; `marker`: any other event. */
export type PartKind = 'text' | 'reasoning' | 'tool-args' | 'refusal' | 'marker'

/** One event in flight, or a part of one. */
export interface StreamPart {
  readonly kind: PartKind
  /** What it adds: text, or a fragment of a tool call's arguments. Empty for a marker. */
  readonly text: string
  /** The event's own name, as the provider calls it: `response.completed`, `content_block_stop`, `[DONE]`. */
  readonly type?: string
}

/** Reads the parts of one stream, cut anywhere. */
export class StreamPartReader {
  readonly #stream = new EventStream()

  push(bytes: Uint8Array): readonly StreamPart[] {
    return this.#stream.push(bytes).flatMap(partsOfItem)
  }
}

function partsOfItem({ name, text }: StreamItem): readonly StreamPart[] {
  return partsOfEvent(parseJson(text) ?? text, name)
}

/** The parts of one event: of a provider's stream, or of an SDK's that names its parts by `type` (`text-delta`). */
export function partsOfEvent(data: Json, name?: string): readonly StreamPart[] {
  const event = objectOf(data)
  if (event === undefined) return [markerOf(name ?? (typeof data === 'string' && data !== '' ? data : undefined))]
  const type = stringOf(event.type) ?? name
  const parts = Array.isArray(event.choices)
    ? objectsOf(event.choices).flatMap(partsOfChoice)
    : Array.isArray(event.candidates)
      ? objectsOf(event.candidates).flatMap(partsOfCandidate)
      : (partsOfCohere(event) ?? partsOfOllama(event) ?? partsOfTyped(event, type ?? ''))
  return parts.length === 0 ? [markerOf(type)] : parts.map((part) => (type === undefined ? part : { ...part, type }))
}

function markerOf(type: string | undefined): StreamPart {
  return { kind: 'marker', text: '', ...(type !== undefined && { type: type.slice(0, 64) }) }
}

/** Empty texts are no parts: servers open a message with one. */
function partOf(kind: PartKind, text: Json | undefined): readonly StreamPart[] {
  return typeof text === 'string' && text !== '' ? [{ kind, text }] : []
}

/** OpenAI chat completions; legacy completions have a `text`. */
function partsOfChoice(choice: JsonObject): readonly StreamPart[] {
  const delta = objectOf(choice.delta) ?? objectOf(choice.message) ?? {}
  const calls = objectsOf(delta.tool_calls).map((call) => objectOf(call.function) ?? objectOf(call.custom) ?? {})
  return [
    ...partOf('reasoning', delta.reasoning ?? delta.reasoning_content),
    ...partOf('text', delta.content ?? choice.text),
    ...partOf('refusal', delta.refusal),
    ...[...calls, objectOf(delta.function_call) ?? {}].flatMap((call) =>
      partOf('tool-args', call.arguments ?? call.input),
    ),
  ]
}

function partsOfCandidate(candidate: JsonObject): readonly StreamPart[] {
  return objectsOf(objectOf(candidate.content)?.parts).flatMap((part) => {
    const call = objectOf(part.functionCall)
    if (call !== undefined) return partOf('tool-args', JSON.stringify(call.args ?? {}))
    return partOf(part.thought === true ? 'reasoning' : 'text', part.text)
  })
}

/** Both versions; version 1 names its events apart. Undefined: none of Cohere's. */
function partsOfCohere({ delta, event_type, text, tool_call_delta }: JsonObject): readonly StreamPart[] | undefined {
  if (typeof event_type === 'string') {
    return [...partOf('text', text), ...partOf('tool-args', objectOf(tool_call_delta)?.parameters)]
  }
  const message = objectOf(objectOf(delta)?.message)
  if (message === undefined) return undefined
  const content = objectOf(message.content)
  return [
    ...partOf('reasoning', content?.thinking ?? message.tool_plan),
    ...partOf('text', content?.text),
    ...partOf('tool-args', objectOf(objectOf(message.tool_calls)?.function)?.arguments),
  ]
}

/** A line of a chat holds a message, one of `generate` its members. Undefined: none of Ollama's. */
function partsOfOllama(event: JsonObject): readonly StreamPart[] | undefined {
  if (typeof event.done !== 'boolean') return undefined
  const message = objectOf(event.message) ?? event
  const calls = objectsOf(message.tool_calls).map((call) => objectOf(call.function)?.arguments ?? {})
  return [
    ...partOf('reasoning', message.thinking),
    ...partOf('text', message.content ?? message.response),
    ...calls.flatMap((given) => partOf('tool-args', JSON.stringify(given))),
  ]
}

function partsOfTyped(event: JsonObject, type: string): readonly StreamPart[] {
  if (type === 'content_block_delta') return partsOfBlockDelta(objectOf(event.delta) ?? {})
  const converse = type === 'contentBlockDelta' ? event : objectOf(event.contentBlockDelta)
  if (converse !== undefined) return partsOfConverseDelta(objectOf(converse.delta) ?? {})
  const kind = typedKinds.get(type)
  return kind === undefined ? [] : partOf(kind, event.delta ?? event.text ?? event.textDelta ?? event.argsTextDelta)
}

/** Anthropic Messages. */
function partsOfBlockDelta(delta: JsonObject): readonly StreamPart[] {
  switch (delta.type) {
    case 'text_delta':
      return partOf('text', delta.text)
    case 'thinking_delta':
      return partOf('reasoning', delta.thinking)
    case 'input_json_delta':
      return partOf('tool-args', delta.partial_json)
    default:
      return []
  }
}

/** Bedrock Converse. */
function partsOfConverseDelta(delta: JsonObject): readonly StreamPart[] {
  return [
    ...partOf('reasoning', objectOf(delta.reasoningContent)?.text),
    ...partOf('text', delta.text),
    ...partOf('tool-args', objectOf(delta.toolUse)?.input),
  ]
}

const typedKinds: ReadonlyMap<string, PartKind> = new Map<string, PartKind>([
  // OpenAI Responses
  ['response.output_text.delta', 'text'],
  ['response.refusal.delta', 'refusal'],
  ['response.reasoning_text.delta', 'reasoning'],
  ['response.reasoning_summary_text.delta', 'reasoning'],
  ['response.function_call_arguments.delta', 'tool-args'],
  ['response.custom_tool_call_input.delta', 'tool-args'],
  ['response.mcp_call_arguments.delta', 'tool-args'],
  ['response.code_interpreter_call_code.delta', 'tool-args'],
  // AI SDK, model and UI streams
  ['text-delta', 'text'],
  ['reasoning-delta', 'reasoning'],
  ['reasoning', 'reasoning'],
  ['tool-input-delta', 'tool-args'],
  ['tool-call-delta', 'tool-args'],
])
