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
  return wireOfAnswer(answer) ?? wireOfPath(url) ?? (readError(answer) && wireOfFailed(objectOf(request) ?? {}, answer))
}

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
]

function wireOfAnswer(answer: JsonObject): Wire | undefined {
  const type = stringOf(answer.type) ?? ''
  if (Array.isArray(answer.choices)) return 'openai-chat'
  if (Array.isArray(answer.candidates) || objectOf(answer.promptFeedback) !== undefined) return 'gemini'
  if (type.startsWith('response.') || (responseObjects.has(stringOf(answer.object)) && 'output' in answer)) {
    return 'openai-responses'
  }
  if (type === 'message_start') return 'anthropic-messages'
  return type === 'message' && Array.isArray(answer.content) && 'role' in answer ? 'anthropic-messages' : undefined
}

const responseObjects: ReadonlySet<string | undefined> = new Set(['response', 'response.compaction'])

function wireOfFailed(request: JsonObject, answer: JsonObject): Wire | undefined {
  if (Array.isArray(request.contents)) return 'gemini'
  if (!Array.isArray(request.messages)) return undefined
  return answer.type === 'error' ? 'anthropic-messages' : 'openai-chat'
}
