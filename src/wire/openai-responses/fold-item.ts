/** One output item, put together from the events about it to the item that a call without streaming returns. */
import type { Json } from '../../core/cassette/document.ts'
import { editAt, type JsonObject, listOf, numberOf, objectOf, stringOf } from '../read-json.ts'

interface ItemEvent {
  /** Undefined: the stream was joined after the item had begun. */
  readonly item: JsonObject | undefined
  readonly type: string
  readonly event: JsonObject
}

/** Where a kind of text is in an item: in a member of it, or in a member of one of its parts. */
interface TextPlace {
  readonly itemType: string
  readonly member: string
  readonly part?: { readonly list: 'content' | 'summary'; readonly type: string }
}

const textPlaces: Readonly<Record<string, TextPlace>> = {
  output_text: { itemType: 'message', member: 'text', part: { list: 'content', type: 'output_text' } },
  refusal: { itemType: 'message', member: 'refusal', part: { list: 'content', type: 'refusal' } },
  reasoning_text: { itemType: 'reasoning', member: 'text', part: { list: 'content', type: 'reasoning_text' } },
  reasoning_summary_text: { itemType: 'reasoning', member: 'text', part: { list: 'summary', type: 'summary_text' } },
  function_call_arguments: { itemType: 'function_call', member: 'arguments' },
  mcp_call_arguments: { itemType: 'mcp_call', member: 'arguments' },
  custom_tool_call_input: { itemType: 'custom_tool_call', member: 'input' },
  code_interpreter_call_code: { itemType: 'code_interpreter_call', member: 'code' },
}

/** The item with what the event adds; undefined: no event about an item that we know. */
export function foldItem({ item, type, event }: ItemEvent): JsonObject | undefined {
  switch (type) {
    case 'response.content_part.added':
    case 'response.content_part.done':
      return foldPart({ item: item ?? assistantMessage, list: 'content', event })
    case 'response.reasoning_summary_part.added':
    case 'response.reasoning_summary_part.done':
      return foldPart({ item: item ?? { type: 'reasoning' }, list: 'summary', event })
    case 'response.output_text.annotation.added':
      return foldAnnotation(item ?? assistantMessage, event)
    default:
      return foldText({ item, type, event })
  }
}

const assistantMessage: JsonObject = { type: 'message', role: 'assistant' }

function foldPart({
  item,
  list,
  event,
}: {
  readonly item: JsonObject
  readonly list: 'content' | 'summary'
  readonly event: JsonObject
}): JsonObject | undefined {
  const { part } = event
  if (part === undefined) return undefined
  return { ...item, [list]: editAt(listOf(item[list]), { index: partIndex(list, event), edit: () => part }) }
}

function foldAnnotation(item: JsonObject, event: JsonObject): JsonObject | undefined {
  const { annotation } = event
  if (annotation === undefined) return undefined
  const edit = (part: Json | undefined): Json => {
    const before = objectOf(part) ?? { type: 'output_text', text: '' }
    return { ...before, annotations: [...listOf(before.annotations), annotation] }
  }
  return { ...item, content: editAt(listOf(item.content), { index: partIndex('content', event), edit }) }
}

/** `response.<kind>.delta` adds, `response.<kind>.done` says the whole. */
function foldText({ item, type, event }: ItemEvent): JsonObject | undefined {
  const [, kind = '', step] = /^response\.(\w+)\.(delta|done)$/.exec(type) ?? []
  const place = Object.hasOwn(textPlaces, kind) ? textPlaces[kind] : undefined
  if (place === undefined) return undefined
  const { member, part, itemType } = place
  const own = item ?? (itemType === 'message' ? assistantMessage : { type: itemType })
  const foldMember = (holder: JsonObject): JsonObject => {
    const before = stringOf(holder[member]) ?? ''
    const text = step === 'delta' ? before + (stringOf(event.delta) ?? '') : (stringOf(event[member]) ?? before)
    return { ...holder, [member]: text }
  }
  if (part === undefined) return foldMember(own)
  const edit = (before: Json | undefined): Json => foldMember(objectOf(before) ?? { type: part.type })
  return { ...own, [part.list]: editAt(listOf(own[part.list]), { index: partIndex(part.list, event), edit }) }
}

function partIndex(list: 'content' | 'summary', event: JsonObject): number {
  return numberOf(list === 'content' ? event.content_index : event.summary_index) ?? 0
}
