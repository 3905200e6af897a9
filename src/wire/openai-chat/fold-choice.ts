/** One choice of a chat completion, put together from its deltas to the message that a call without streaming returns. */
import type { Json } from '../../core/cassette/document.ts'
import { filledOf, type JsonObject, listOf, objectOf, objectsOf, stringOf } from '../read-json.ts'
import { foldContent } from './fold-content.ts'
import { foldFunctionCall, foldToolCalls } from './fold-tool-calls.ts'

/** A delta adds to the message, a message is one delta that holds all; Perplexity sends both, and the message repeats. */
export function foldChoice(choice: JsonObject | undefined, event: JsonObject): JsonObject {
  const finishReason = filledOf(event.finish_reason) ?? filledOf(choice?.finish_reason)
  const message = foldChoiceMessage(objectOf(choice?.message) ?? {}, event)
  return { message, ...(finishReason !== undefined && { finish_reason: finishReason }) }
}

function foldChoiceMessage(before: JsonObject, event: JsonObject): JsonObject {
  const delta = objectOf(event.delta)
  if (delta !== undefined) return foldDelta(before, delta)
  const message = objectOf(event.message)
  if (message !== undefined) return foldDelta({}, message)
  const text = stringOf(event.text)
  return text === undefined ? before : foldDelta(before, { content: text })
}

function foldDelta(message: JsonObject, delta: JsonObject): JsonObject {
  const members = Object.entries(delta).flatMap(([name, value]) =>
    value === null ? [] : [[name, foldMember({ name, before: message[name], value })] as const],
  )
  return { ...message, ...Object.fromEntries(members) }
}

interface MemberDelta {
  readonly name: string
  readonly before: Json | undefined
  readonly value: Json
}

function foldMember({ name, before, value }: MemberDelta): Json {
  switch (name) {
    case 'content':
      return foldContent(before, value)
    case 'reasoning':
    case 'reasoning_content':
    case 'refusal':
      return typeof value === 'string' ? (stringOf(before) ?? '') + value : value
    case 'reasoning_details':
      return objectsOf(value).reduce(foldDetail, objectsOf(before))
    case 'tool_calls':
      return foldToolCalls(objectsOf(before), objectsOf(value))
    case 'function_call':
      return foldFunctionCall(objectOf(before), objectOf(value) ?? {})
    case 'audio':
      return foldStrings({ before: objectOf(before), value: objectOf(value) ?? {}, names: ['data', 'transcript'] })
    case 'annotations':
    case 'images':
      return [...listOf(before), ...listOf(value)]
    default:
      return value
  }
}

/** OpenRouter: details of one kind and index are fragments of one. */
function foldDetail(details: readonly JsonObject[], detail: JsonObject): readonly JsonObject[] {
  const last = details.at(-1)
  const continues = last !== undefined && last.type === detail.type && last.index === detail.index
  if (!continues || detail.type === 'reasoning.encrypted') return [...details, detail]
  return details.with(-1, foldStrings({ before: last, value: detail, names: ['text', 'summary'] }))
}

/** The members of `value` over those before, the named strings joined; null says nothing. */
function foldStrings({
  before,
  value,
  names,
}: {
  readonly before: JsonObject | undefined
  readonly value: JsonObject
  readonly names: readonly string[]
}): JsonObject {
  const members = Object.entries(value).flatMap(([name, member]): [string, Json][] => {
    if (member === null) return []
    const earlier = stringOf(before?.[name])
    const joins = names.includes(name) && typeof member === 'string' && earlier !== undefined
    return [[name, joins ? earlier + member : member]]
  })
  return { ...before, ...Object.fromEntries(members) }
}
