import type { HttpInteraction, Json } from '../cassette/document.ts'
import { eventSamples, isTextColumn } from '../cassette/event-samples.ts'
import type { Column } from '../cassette/packed-document.ts'

/**
 * How many blocks an answer settles into, counted without decoding it: content parts and tool calls of a JSON answer,
 * block or item starts of a stream. An upper bound for the cap `maxBlocks`; 0 for anything that is no model answer.
 */
export function countBlocks({ kind, response }: Pick<HttpInteraction, 'kind' | 'response'>): number {
  const body = kind === 'model' ? response?.body : undefined
  if (body === undefined) return 0
  if ('json' in body) return countInAnswer(body.json)
  if (!('events' in body)) return 0
  const seen = new Set<string>()
  let counted = 0
  for (const { event, times } of eventSamples(body, tellsBlocksApart)) {
    if ('data' in event) counted += times * countInEvent(event.data, seen)
  }
  return counted + seen.size
}

/** Of these names the value is read, of those no more than of what type it is. */
const readByValue: ReadonlySet<string> = new Set(['type', 'done', 'index'])
const readByType: ReadonlySet<string> = new Set([
  'message',
  'content',
  'choices',
  'delta',
  'tool_calls',
  'candidates',
  'parts',
])

function tellsBlocksApart(name: string, column: Column): boolean {
  return readByValue.has(name) || (readByType.has(name) && !isTextColumn(column))
}

type JsonObject = { readonly [key: string]: Json }

// Anthropic `content`, Responses `output`, chat `choices[].message`, Gemini `candidates[].content.parts`, Cohere and
// Ollama `message`.
function countInAnswer(answer: Json): number {
  if (!isObject(answer)) return 0
  let counted = lengthOf(answer.content) + lengthOf(answer.output) + countInMessage(answer.message)
  for (const choice of list(answer.choices)) counted += countInMessage(member(choice, 'message'))
  for (const candidate of list(answer.candidates)) counted += lengthOf(member(member(candidate, 'content'), 'parts'))
  return counted
}

function countInMessage(message: Json | undefined): number {
  if (!isObject(message)) return 0
  const { content, tool_calls } = message
  const texts = typeof content === 'string' && content !== '' ? 1 : lengthOf(content)
  return texts + lengthOf(tool_calls)
}

function countInEvent(event: Json, seen: Set<string>): number {
  if (!isObject(event)) return 0
  if (typeof event.type === 'string' && starts.has(event.type)) return 1
  if (typeof event.done === 'boolean') {
    if (typeof member(event.message, 'content') === 'string') seen.add('text')
    return lengthOf(member(event.message, 'tool_calls'))
  }
  for (const [at, choice] of list(event.choices).entries()) {
    const delta = member(choice, 'delta')
    if (typeof member(delta, 'content') === 'string') seen.add(`${at} text`)
    for (const call of list(member(delta, 'tool_calls'))) seen.add(`${at} call ${String(member(call, 'index'))}`)
  }
  let counted = 0
  for (const candidate of list(event.candidates)) {
    counted += list(member(member(candidate, 'content'), 'parts')).filter(isCall).length
  }
  return counted
}

// Anthropic, Responses, Cohere.
const starts: ReadonlySet<string> = new Set([
  'content_block_start',
  'response.output_item.added',
  'content-start',
  'tool-call-start',
])

function isCall(part: Json): boolean {
  return isObject(part) && !('text' in part)
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function member(value: Json | undefined, name: string): Json | undefined {
  return isObject(value) ? value[name] : undefined
}

function lengthOf(value: Json | undefined): number {
  return Array.isArray(value) ? value.length : 0
}

function list(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : []
}
