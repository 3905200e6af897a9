/** Which provider's wire an exchange speaks: told by its answer, its path or its request, whichever says it. */
import type { Json } from '../core/cassette/document.ts'
import type { Wire } from './block.ts'
import { type JsonObject, objectOf, stringOf } from './read-json.ts'
import { readError } from './wire-error.ts'

/** What is known of an exchange beside its answer. */
export interface Exchange {
  readonly url: string
  readonly request?: Json
}

/**
 * The wire of an answer by one of its events. The answer's own form counts most, since gateways put any wire under any
 * path; an error looks alike everywhere, so there path and request decide. Undefined: none that we know.
 */
export function chooseWire({ url, request }: Exchange, event: Json): Wire | undefined {
  const answer = objectOf(event) ?? {}
  const error = readError(answer)
  const ofPath = wireOfPath(url)
  const told = ofPath !== undefined && sharedPaths.has(ofPath) && error === undefined ? undefined : ofPath
  return wireOfAnswer(answer) ?? told ?? (error && wireOfFailed(objectOf(request) ?? {}, answer))
}

/** Their paths are used by applications as well (`/api/chat`): an answer must look like theirs. */
const sharedPaths: ReadonlySet<Wire> = new Set(['cohere', 'ollama'])

export function wireOfPath(url: string): Wire | undefined {
  const path = withoutEndSlashes(/^[^?#]*/.exec(url)?.[0] ?? '')
  return pathWires.find(([pattern]) => pattern.test(path))?.[1]
}

/** In linear time, unlike `/\/+$/`. */
function withoutEndSlashes(path: string): string {
  let end = path.length
  while (path[end - 1] === '/') end -= 1
  return path.slice(0, end)
}

const pathWires: readonly (readonly [pattern: RegExp, wire: Wire])[] = [
  [/\/completions$/, 'openai-chat'],
  [/\/responses(?:\/(?!input_tokens$)[^/]+)?$/, 'openai-responses'],
  // OpenAI's assistants have messages of their own below a thread.
  [/(?<!\/threads\/[^/]+)\/messages$/, 'anthropic-messages'],
  [/:(?:streamG|g)enerateContent$/, 'gemini'],
  [/\/model\/[^/]+\/converse(?:-stream)?$/, 'bedrock-converse'],
  [/\/v[12]\/chat$/, 'cohere'],
  [/\/api\/(?:chat|generate)$/, 'ollama'],
]

function wireOfAnswer(answer: JsonObject): Wire | undefined {
  const type = stringOf(answer.type) ?? ''
  if (Array.isArray(answer.choices)) return 'openai-chat'
  if (Array.isArray(answer.candidates) || objectOf(answer.promptFeedback) !== undefined) return 'gemini'
  if (type.startsWith('response.') || (responseObjects.has(stringOf(answer.object)) && 'output' in answer)) {
    return 'openai-responses'
  }
  if (isCohere(answer)) return 'cohere'
  if (typeof answer.done === 'boolean' && typeof answer.model === 'string') return 'ollama'
  if (type === 'message_start') return 'anthropic-messages'
  if (converseMembers.some((name) => objectOf(answer[name]) !== undefined)) return 'bedrock-converse'
  if (objectOf(objectOf(answer.output)?.message) !== undefined) return 'bedrock-converse'
  return type === 'message' && Array.isArray(answer.content) && 'role' in answer ? 'anthropic-messages' : undefined
}

/** Of version 2 a stream's start or a whole answer, of version 1 any event or a whole answer. */
function isCohere({ type, delta, message, event_type, is_finished, text, ...answer }: JsonObject): boolean {
  if (type === 'message-start') return objectOf(delta) !== undefined
  if (typeof event_type === 'string') return typeof is_finished === 'boolean'
  if (objectOf(message) !== undefined) return 'finish_reason' in answer
  return typeof text === 'string' && 'generation_id' in answer
}

/** Of the events of Nova under InvokeModel. */
const converseMembers = ['messageStart', 'contentBlockStart', 'contentBlockDelta', 'messageStop']

const responseObjects: ReadonlySet<string | undefined> = new Set(['response', 'response.compaction'])

function wireOfFailed(request: JsonObject, answer: JsonObject): Wire | undefined {
  if (Array.isArray(request.contents)) return 'gemini'
  if (!Array.isArray(request.messages)) return undefined
  // Claude under Bedrock's InvokeModel and on Vertex, whose paths name no wire.
  if ('anthropic_version' in request) return 'anthropic-messages'
  return answer.type === 'error' ? 'anthropic-messages' : 'openai-chat'
}
