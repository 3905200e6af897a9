import type { Json } from '../core/cassette/document.ts'
import { toolName } from './json-changes.ts'
import { isJsonObject, memberOf, type PathSegment, stringAt } from './json-path.ts'

const maxSearched = 20_000

/** What a place in a request's body lies in, in a reader's words: `user message`, `result of get_weather`. */
export function placeWords(body: Json | undefined, path: readonly PathSegment[]): string | undefined {
  let words: string | undefined
  let value = body
  let container: PathSegment | undefined
  for (const segment of path) {
    if (segment === null) break
    value = memberOf(value, segment)
    if (typeof segment === 'string') container = segment
    words = wordsOf({ body, value, container, isElement: typeof segment === 'number' }) ?? words
  }
  return words
}

interface Step {
  readonly body: Json | undefined
  readonly value: Json | undefined
  /** The innermost member name on the way. */
  readonly container: PathSegment | undefined
  readonly isElement: boolean
}

function wordsOf({ body, value, container, isElement }: Step): string | undefined {
  if (!isJsonObject(value)) return undefined
  if (container === 'functionResponse') return resultOf(stringAt(value, 'name'))
  if (container === 'functionCall') return named('call of', stringAt(value, 'name'))
  if (!isElement) return undefined
  switch (container) {
    case 'tools':
    case 'functions':
    case 'functionDeclarations':
    case 'function_declarations':
      return named('tool', toolName(value))
    case 'tool_calls':
      return named('call of', toolName(value))
    case 'messages':
    case 'input':
    case 'contents':
    case 'content':
      return blockWords(body, value)
    default:
      return undefined
  }
}

function blockWords(body: Json | undefined, value: Json): string | undefined {
  switch (stringAt(value, 'type')) {
    case 'tool_result':
      return resultWords(body, stringAt(value, 'tool_use_id'))
    case 'function_call_output':
      return resultWords(body, stringAt(value, 'call_id'))
    case 'tool_use':
    case 'function_call':
      return named('call of', stringAt(value, 'name'))
    default:
      break
  }
  const role = stringAt(value, 'role')
  if (role === 'tool')
    return resultOf(stringAt(value, 'tool_name')) ?? resultWords(body, stringAt(value, 'tool_call_id'))
  return role === undefined ? undefined : `${role} message`
}

function resultWords(body: Json | undefined, id: string | undefined): string {
  return resultOf(id === undefined ? undefined : nameOfCall(body, id)) ?? 'tool result'
}

function resultOf(name: string | undefined): string | undefined {
  return named('result of', name)
}

/** The name of the tool call with that id, wherever in the request it stands. */
function nameOfCall(body: Json | undefined, id: string): string | undefined {
  const pending: (Json | undefined)[] = [body]
  for (let searched = 0; pending.length > 0 && searched < maxSearched; searched += 1) {
    const value = pending.pop()
    if (typeof value !== 'object' || value === null) continue
    const isCall = stringAt(value, 'id') === id || stringAt(value, 'call_id') === id
    const name = isCall ? (stringAt(value, 'name') ?? stringAt(memberOf(value, 'function'), 'name')) : undefined
    if (name !== undefined) return name
    for (const member of Object.values(value)) if (typeof member === 'object') pending.push(member)
  }
  return undefined
}

function named(what: string, name: string | undefined): string | undefined {
  return name === undefined ? undefined : `${what} ${name}`
}
