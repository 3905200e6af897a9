/** The blocks of a message of Cohere's: the plan it made for its tools, its content, then the tools it calls. */
import type { Json } from '../../core/cassette/document.ts'
import type { Block } from '../block.ts'
import { readToolCall } from '../openai-chat/read-message.ts'
import { filledOf, type JsonObject, listOf, objectOf, objectsOf, stringOf } from '../read-json.ts'
import { withCitations } from '../with-citations.ts'

export function readMessage(message: JsonObject): readonly Block[] {
  const plan = filledOf(message.tool_plan)
  return [
    ...(plan === undefined ? [] : [{ kind: 'thinking' as const, text: plan }]),
    ...withCitations(readContent(message.content), listOf(message.citations)),
    ...objectsOf(message.tool_calls).map(readToolCall),
  ]
}

function readContent(content: Json | undefined): readonly Block[] {
  if (typeof content === 'string') return content === '' ? [] : [{ kind: 'text', text: content }]
  return listOf(content).flatMap(readPart)
}

function readPart(value: Json): readonly Block[] {
  const part = objectOf(value)
  const thinking = stringOf(part?.thinking)
  const text = stringOf(part?.text)
  if (thinking !== undefined) return thinking === '' ? [] : [{ kind: 'thinking', text: thinking }]
  if (text !== undefined) return text === '' ? [] : [{ kind: 'text', text }]
  return [{ kind: 'marker', event: value }]
}
