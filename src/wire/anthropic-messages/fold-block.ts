/** One content block, put together from its deltas to the block that a call without streaming returns. */
import type { Json } from '../../core/cassette/document.ts'
import { type JsonObject, listOf, stringOf } from '../read-json.ts'
import type { Slot } from '../slot-list.ts'

/** A tool's input comes as text: pending until its block ends. */
export function openBlock(block: JsonObject): Omit<Slot, 'key'> {
  return stringOf(block.type)?.endsWith('tool_use') ? { value: block, pending: '' } : { value: block }
}

/** A tool without arguments streams none: its input is the `{}` it started with. */
export function closeBlock({ value, pending }: Slot): Omit<Slot, 'key'> {
  return pending === undefined || pending === '' ? { value } : { value, pending }
}

/** Undefined: a delta that we do not know, or of a block that never started. */
export function foldBlock(slot: Slot | undefined, delta: JsonObject): Omit<Slot, 'key'> | undefined {
  if (slot === undefined) return undefined
  const { value } = slot
  switch (delta.type) {
    case 'text_delta':
      return { ...slot, value: append({ block: value, member: 'text', text: delta.text }) }
    case 'thinking_delta':
      return { ...slot, value: append({ block: value, member: 'thinking', text: delta.thinking }) }
    case 'signature_delta':
      return { ...slot, value: { ...value, signature: delta.signature ?? '' } }
    case 'citations_delta':
      return { ...slot, value: { ...value, citations: [...listOf(value.citations), delta.citation ?? null] } }
    case 'input_json_delta':
      return { ...slot, pending: (slot.pending ?? '') + (stringOf(delta.partial_json) ?? '') }
    case 'compaction_delta':
      return { ...slot, value: append({ block: value, member: 'content', text: delta.content }) }
    default:
      return undefined
  }
}

interface TextDelta {
  readonly block: JsonObject
  readonly member: 'text' | 'thinking' | 'content'
  readonly text: Json | undefined
}

function append({ block, member, text }: TextDelta): JsonObject {
  return { ...block, [member]: (stringOf(block[member]) ?? '') + (stringOf(text) ?? '') }
}
