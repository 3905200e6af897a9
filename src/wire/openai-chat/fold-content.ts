/** The content of a message: text, or a list of parts (Mistral's thinking, images). */
import type { Json } from '../../core/cassette/document.ts'
import { type JsonObject, listOf, objectOf, objectsOf, stringOf } from '../read-json.ts'

/** Text joins text; a part joins the last one where both are text or both are thinking. */
export function foldContent(before: Json | undefined, value: Json): Json {
  if (typeof value === 'string' && !Array.isArray(before)) return (stringOf(before) ?? '') + value
  return partsOf(value).reduce(foldPart, partsOf(before))
}

/** The text of Mistral's `{"type": "thinking", "thinking": [{"type": "text", …}]}`, or of a text part. */
export function partText(part: JsonObject): string | undefined {
  if (part.type === 'text') return stringOf(part.text)
  if (part.type !== 'thinking') return undefined
  if (typeof part.thinking === 'string') return part.thinking
  return objectsOf(part.thinking)
    .map((piece) => stringOf(piece.text) ?? '')
    .join('')
}

function partsOf(content: Json | undefined): readonly Json[] {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }]
  return listOf(content)
}

function foldPart(parts: readonly Json[], part: Json): readonly Json[] {
  const last = objectOf(parts.at(-1))
  const next = objectOf(part)
  const text = next === undefined ? undefined : partText(next)
  if (last === undefined || next === undefined || text === undefined || last.type !== next.type) return [...parts, part]
  const joined = (partText(last) ?? '') + text
  return parts.with(
    -1,
    next.type === 'text' ? { ...last, ...next, text: joined } : { ...last, ...next, thinking: joined },
  )
}
