/**
 * The answer of a model call, whole or streamed, by the plain JSON paths of four APIs. No decoder: what it does not know
 * it leaves out, and where it knows nothing the body is described by its size.
 */
import type { Json, ResponseBody, StreamEvent } from '../../core/cassette/document.ts'
import { parseJson } from '../../core/cassette/json-text.ts'
import { AnswerBuilder } from './answer-builder.ts'
import { type AnswerOutline, at, compact, listAt, textAt } from './outline.ts'

/** Undefined where no answer is found in the body. */
export function outlineAnswer(body: ResponseBody): AnswerOutline | undefined {
  const builder = new AnswerBuilder()
  for (const value of valuesOf(body)) readValue(value, builder)
  return builder.answer
}

function valuesOf(body: ResponseBody): readonly Json[] {
  if ('events' in body) return body.events.flatMap(eventValue)
  const value = 'json' in body ? body.json : parseJson(textOf(body))
  // Gemini without `alt=sse` streams one JSON array.
  if (Array.isArray(value)) return value as readonly Json[]
  return value === undefined ? [] : [value]
}

/** An event that no layout rebuilds is stored as text; it may hold JSON all the same. */
function eventValue(event: StreamEvent): readonly Json[] {
  if ('data' in event) return [event.data]
  const payload = 'text' in event ? event.text : event.raw.replace(/^(?:(?:event|id|retry):.*|data: ?|:.*)/gm, '')
  const value = parseJson(payload)
  return value === undefined ? [] : [value]
}

function textOf(body: ResponseBody): string {
  if ('lines' in body) return body.lines.join('\n')
  return 'text' in body ? body.text : ''
}

function readValue(value: Json, builder: AnswerBuilder): void {
  for (const choice of listAt(value, 'choices')) readChatChoice(choice, builder)
  for (const part of listAt(value, 'candidates', 0, 'content', 'parts')) readGeminiPart(part, builder)
  if (at(value, 'type') === 'message')
    listAt(value, 'content').forEach((block, index) => readAnthropicBlock(block, { index, builder }))
  readAnthropicEvent(value, builder)
  readResponsesEvent(value, builder)
  if (at(value, 'type') === undefined) for (const item of listAt(value, 'output')) readResponsesItem(item, builder)
  readUsage(value, builder)
}

function readChatChoice(choice: Json, builder: AnswerBuilder): void {
  if ((at(choice, 'index') ?? 0) !== 0) return
  const message = at(choice, 'delta') ?? at(choice, 'message')
  builder.think(textAt(message, 'reasoning_content') || textAt(message, 'reasoning'))
  builder.say(textAt(message, 'content') || textAt(message, 'refusal'))
  listAt(message, 'tool_calls').forEach((call, position) => {
    const key = String(at(call, 'index') ?? position)
    builder.call(key, { name: textAt(call, 'function', 'name'), input: textAt(call, 'function', 'arguments') })
  })
}

function readGeminiPart(part: Json, builder: AnswerBuilder): void {
  const call = at(part, 'functionCall')
  const name = textAt(call, 'name')
  // A call without a name is a later part of one whose arguments stream.
  if (name !== '') builder.call(String(builder.calls), { name, input: compact(at(call, 'args')) })
  else if (at(part, 'thought') === true) builder.think(textAt(part, 'text'))
  else builder.say(textAt(part, 'text'))
}

interface AnthropicBlock {
  readonly index: number
  readonly builder: AnswerBuilder
}

function readAnthropicBlock(block: Json, { index, builder }: AnthropicBlock): void {
  builder.say(textAt(block, 'text'))
  builder.think(textAt(block, 'thinking'))
  const isCall = at(block, 'type') === 'tool_use' || at(block, 'type') === 'server_tool_use'
  if (!isCall) return
  // A stream begins a block with an empty input and sends it in parts.
  const input = compact(at(block, 'input'))
  builder.call(String(index), { name: textAt(block, 'name'), input: input === '{}' ? '' : input })
}

function readAnthropicEvent(event: Json, builder: AnswerBuilder): void {
  const index = Number(at(event, 'index') ?? 0)
  if (at(event, 'type') === 'content_block_start')
    readAnthropicBlock(at(event, 'content_block') ?? null, { index, builder })
  if (at(event, 'type') !== 'content_block_delta') return
  builder.say(textAt(event, 'delta', 'text'))
  builder.think(textAt(event, 'delta', 'thinking'))
  if (at(event, 'delta', 'type') === 'input_json_delta') {
    builder.call(String(index), { name: '', input: textAt(event, 'delta', 'partial_json') })
  }
}

function readResponsesEvent(event: Json, builder: AnswerBuilder): void {
  switch (at(event, 'type')) {
    case 'response.output_text.delta':
    case 'response.refusal.delta':
      builder.say(textAt(event, 'delta'))
      break
    case 'response.reasoning_summary_text.delta':
      builder.think(textAt(event, 'delta'))
      break
    case 'response.output_item.done':
      // Its text came in deltas before.
      if (at(event, 'item', 'type') === 'function_call') readResponsesItem(at(event, 'item') ?? null, builder)
      break
  }
}

function readResponsesItem(item: Json, builder: AnswerBuilder): void {
  for (const part of listAt(item, 'content')) builder.say(textAt(part, 'text') || textAt(part, 'refusal'))
  for (const part of listAt(item, 'summary')) builder.think(textAt(part, 'text'))
  if (at(item, 'type') !== 'function_call') return
  builder.call(String(builder.calls), { name: textAt(item, 'name'), input: textAt(item, 'arguments') })
}

function readUsage(value: Json, builder: AnswerBuilder): void {
  for (const usage of [at(value, 'usage'), at(value, 'message', 'usage'), at(value, 'response', 'usage')]) {
    builder.use(
      at(usage, 'prompt_tokens') ?? at(usage, 'input_tokens'),
      at(usage, 'completion_tokens') ?? at(usage, 'output_tokens'),
    )
  }
  builder.use(at(value, 'usageMetadata', 'promptTokenCount'), at(value, 'usageMetadata', 'candidatesTokenCount'))
}
