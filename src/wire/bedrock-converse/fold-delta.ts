/** One content block, put together from its deltas to the block that Converse without streaming returns. */
import type { Json } from '../../core/cassette/document.ts'
import { type JsonObject, listOf, objectOf, stringOf } from '../read-json.ts'
import type { Slot } from '../slot-list.ts'

type Folded = Omit<Slot, 'key'>

/** A tool's input comes as text: pending until its block is read. Undefined: a start that we do not know. */
export function openBlock(start: JsonObject): Folded | undefined {
  const toolUse = objectOf(start.toolUse)
  if (toolUse !== undefined) return { value: { toolUse }, pending: '' }
  const [kind] = Object.keys(start)
  return kind === 'toolResult' || kind === 'image' ? { value: start } : undefined
}

/** Undefined: a delta that we do not know. Texts and thoughts begin without a start. */
export function foldDelta(slot: Slot | undefined, delta: JsonObject): Folded | undefined {
  const value = slot?.value ?? {}
  const [kind] = Object.keys(delta)
  switch (kind) {
    case 'text':
      return { ...slot, value: addText(value, stringOf(delta.text) ?? '') }
    case 'toolUse':
      return { value, pending: (slot?.pending ?? '') + (stringOf(objectOf(delta.toolUse)?.input) ?? '') }
    case 'reasoningContent':
      return { value: { reasoningContent: addThought(objectOf(value.reasoningContent), delta.reasoningContent) } }
    case 'citation':
      return { value: addCitation(value, delta.citation) }
    case 'toolResult': {
      const result = objectOf(value.toolResult) ?? {}
      return { value: { toolResult: { ...result, content: [...listOf(result.content), ...listOf(delta.toolResult)] } } }
    }
    case 'image': {
      const image = objectOf(value.image) ?? {}
      return { value: { image: { ...image, ...objectOf(delta.image) } } }
    }
    default:
      return undefined
  }
}

/** A text with citations has them beside its parts. */
function addText(value: JsonObject, text: string): JsonObject {
  const cited = objectOf(value.citationsContent)
  if (cited === undefined) return { ...value, text: (stringOf(value.text) ?? '') + text }
  const before = stringOf(objectOf(listOf(cited.content)[0])?.text) ?? ''
  return { citationsContent: { ...cited, content: [{ text: before + text }] } }
}

function addCitation(value: JsonObject, citation: Json | undefined): JsonObject {
  const cited: JsonObject = objectOf(value.citationsContent) ?? { content: [{ text: stringOf(value.text) ?? '' }] }
  return { citationsContent: { ...cited, citations: [...listOf(cited.citations), citation ?? null] } }
}

function addThought(before: JsonObject | undefined, delta: Json | undefined): JsonObject {
  const { text, signature, redactedContent } = objectOf(delta) ?? {}
  if (redactedContent !== undefined) {
    return { redactedContent: joinBase64(stringOf(before?.redactedContent), stringOf(redactedContent)) }
  }
  const thought = objectOf(before?.reasoningText)
  return {
    reasoningText: {
      text: (stringOf(thought?.text) ?? '') + (stringOf(text) ?? ''),
      ...(thought?.signature !== undefined && { signature: thought.signature }),
      ...(signature !== undefined && { signature }),
    },
  }
}

function joinBase64(before = '', added = ''): string {
  return before === ''
    ? added
    : Buffer.concat([before, added].map((text) => Buffer.from(text, 'base64'))).toString('base64')
}
