/**
 * Ids that clients make up (promise 4): two requests that differ in nothing but such ids are equal. On by default.
 * Only known places are looked at, never tool arguments or tool results: an id there is data.
 */
import type { Json } from '../cassette/document.ts'
import { parseMemberPath, rewriteAt } from './member-path.ts'
import type { Normaliser } from './normaliser.ts'

const places = [
  // OpenAI chat, and AI SDK messages
  'messages[*].id',
  'messages[*].tool_call_id',
  'messages[*].tool_calls[*].id',
  // Anthropic, and AI SDK content parts
  'messages[*].content[*].id',
  'messages[*].content[*].tool_use_id',
  'messages[*].content[*].toolCallId',
  // Bedrock Converse
  'messages[*].content[*].toolUse.toolUseId',
  'messages[*].content[*].toolResult.toolUseId',
  // OpenAI Responses
  'input[*].id',
  'input[*].call_id',
  // Gemini
  'contents[*].parts[*].functionCall.id',
  'contents[*].parts[*].functionResponse.id',
].map(parseMemberPath)

/**
 * Replaces each made-up id by `<id 1>`, `<id 2>` by first appearance, so that requests are equal up to renaming.
 * Ids that the recording's own responses handed out (`serverIds`, see `collectIds`) stay: mixing two of them up is a
 * real change.
 */
export function clientIds(serverIds: ReadonlySet<string>): Normaliser {
  return (request) => {
    if (request.body === undefined) return request
    const names = new Map<string, string>()
    const rename = (id: string): string => {
      const name = names.get(id) ?? `<id ${names.size + 1}>`
      names.set(id, name)
      return name
    }
    const body = places.reduce(
      (current, place) =>
        rewriteAt(current, place, (id) => (typeof id === 'string' && !serverIds.has(id) ? rename(id) : id)),
      request.body,
    )
    return { ...request, body }
  }
}

const idNames: ReadonlySet<string> = new Set([
  'id',
  'call_id',
  'item_id',
  'message_id',
  'response_id',
  'tool_call_id',
  'tool_use_id',
  'responseId',
  'toolCallId',
  'toolUseId',
])

/** Every non-empty string under a name that holds ids, at any depth of a response body or event; may repeat. */
export function collectIds(body: Json): string[] {
  const ids: string[] = []
  const pending: Json[] = [body]
  for (let value = pending.pop(); value !== undefined; value = pending.pop()) {
    if (typeof value !== 'object' || value === null) continue
    for (const [name, member] of Object.entries(value)) {
      if (typeof member !== 'string') pending.push(member)
      else if (member !== '' && !Array.isArray(value) && idNames.has(name)) ids.push(member)
    }
  }
  return ids
}
