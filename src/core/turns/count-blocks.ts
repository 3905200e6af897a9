import type { HttpInteraction, Json } from '../cassette/document.ts'

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
  for (const event of body.events) {
    if ('data' in event) counted += countInEvent(event.data, seen)
  }
  return counted + seen.size
}

type JsonObject = { readonly [key: string]: Json }

// Anthropic `content`, Responses `output`, chat `choices[].message`, Gemini `candidates[].content.parts`.
function countInAnswer(answer: Json): number {
  if (!isObject(answer)) return 0
  const choices = list(answer.choices).map((choice) => countInMessage(member(choice, 'message')))
  const candidates = list(answer.candidates).map(
    (candidate) => list(member(member(candidate, 'content'), 'parts')).length,
  )
  return sum([list(answer.content).length, list(answer.output).length, ...choices, ...candidates])
}

function countInMessage(message: Json | undefined): number {
  const content = member(message, 'content')
  const text = typeof content === 'string' ? (content === '' ? 0 : 1) : list(content).length
  return text + list(member(message, 'tool_calls')).length
}

function countInEvent(event: Json, seen: Set<string>): number {
  if (!isObject(event)) return 0
  if (event.type === 'content_block_start' || event.type === 'response.output_item.added') return 1
  for (const [at, choice] of list(event.choices).entries()) {
    const delta = member(choice, 'delta')
    if (typeof member(delta, 'content') === 'string') seen.add(`${at} text`)
    for (const call of list(member(delta, 'tool_calls'))) seen.add(`${at} call ${String(member(call, 'index'))}`)
  }
  const candidates = list(event.candidates)
  return sum(candidates.map((candidate) => list(member(member(candidate, 'content'), 'parts')).filter(isCall).length))
}

function isCall(part: Json): boolean {
  return isObject(part) && !('text' in part)
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function member(value: Json | undefined, name: string): Json | undefined {
  return isObject(value) ? value[name] : undefined
}

function list(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : []
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0)
}
