/** A model call's request as pieces: tools, system text, then the conversation. Plain JSON paths of the known APIs. */
import type { Json, RequestBody } from '../../core/cassette/document.ts'
import { parseJson } from '../../core/cassette/json-text.ts'
import { at, compact, isObject, listAt, type Piece, textAt } from './outline.ts'
import { callPiece, contentPieces, resultText, thinkingPiece } from './outline-content.ts'

export interface RequestOutline {
  /** Tools and system text, each one piece. */
  readonly head: readonly Piece[]
  /** The pieces of each message. */
  readonly messages: readonly (readonly Piece[])[]
}

/** Undefined for a body in which no conversation is found. */
export function outlineRequest(body: RequestBody | undefined): RequestOutline | undefined {
  const value = valueOfBody(body)
  if (!isObject(value)) return undefined
  const messages = messagesOf(value)
  if (messages === undefined) return undefined
  const texts = ['instructions', 'system', 'preamble'].map((name) => at(value, name))
  const system = [...texts, at(value, 'systemInstruction', 'parts')]
  const head = [
    ...toolPieces(value),
    ...system.flatMap((content) => contentPieces('system', content)),
    ...laterPieces(value),
  ]
  return { head, messages }
}

/** What this request has that the one before it in its lane had not: from the first message that differs. */
export function newPieces(outline: RequestOutline, before: RequestOutline | undefined): readonly Piece[] {
  const known = new Set((before?.head ?? []).map((piece) => JSON.stringify(piece)))
  const head = outline.head.filter((piece) => !known.has(JSON.stringify(piece)))
  const earlier = before?.messages ?? []
  const first = outline.messages.findIndex((pieces, index) => JSON.stringify(pieces) !== JSON.stringify(earlier[index]))
  return [...head, ...(first < 0 ? [] : outline.messages.slice(first).flat())]
}

/** JSON that no value holds exactly is stored as text. */
function valueOfBody(body: RequestBody | undefined): Json | undefined {
  if (body === undefined || 'parts' in body || 'sha256' in body) return undefined
  if ('json' in body) return body.json
  return parseJson('text' in body ? body.text : body.lines.join('\n'))
}

function messagesOf(value: Json): readonly (readonly Piece[])[] | undefined {
  const messages = at(value, 'messages') ?? at(value, 'input') ?? at(value, 'contents') ?? promptOf(value)
  if (typeof messages === 'string') return [[{ label: 'user', text: messages }]]
  if (!Array.isArray(messages)) return undefined
  return (messages as readonly Json[]).map(messagePieces)
}

/** One text to complete or to draw, or Cohere's message after its history. Other APIs than a model's have such names, too. */
function promptOf(value: Json): Json | undefined {
  const message = at(value, 'message')
  if (at(value, 'model') === undefined || message === undefined) return at(value, 'prompt')
  return [...listAt(value, 'chat_history'), { role: 'user', content: message }]
}

function messagePieces(message: Json): readonly Piece[] {
  if (typeof message === 'string') return [{ label: 'user', text: message }]
  if (at(message, 'type') === 'function_call') {
    return [callPiece(textAt(message, 'name'), textAt(message, 'arguments'))]
  }
  if (at(message, 'type') === 'function_call_output') {
    return [{ label: 'result', text: resultText(at(message, 'output')) }]
  }
  if (at(message, 'type') === 'reasoning') {
    return [
      thinkingPiece(
        listAt(message, 'summary')
          .map((part) => textAt(part, 'text'))
          .join('\n'),
      ),
    ]
  }
  const role = textAt(message, 'role') || textAt(message, 'type') || 'user'
  if (role === 'tool') return [{ label: 'result', text: resultText(at(message, 'content')) }]
  const calls = listAt(message, 'tool_calls').map((call) => {
    const given = at(call, 'function', 'arguments')
    return callPiece(textAt(call, 'function', 'name'), typeof given === 'string' ? given : compact(given))
  })
  const plan = textAt(message, 'tool_plan') || textAt(message, 'thinking')
  const thought = plan === '' ? [] : [thinkingPiece(plan)]
  const content = at(message, 'content') ?? at(message, 'parts') ?? at(message, 'message')
  return [...thought, ...contentPieces(role, content), ...calls]
}

/** A conversation that the provider keeps. */
function laterPieces(value: Json): readonly Piece[] {
  const before = textAt(value, 'previous_response_id')
  return before === '' ? [] : [{ label: 'goes on', text: `from ${before}` }]
}

function toolPieces(value: Json): readonly Piece[] {
  const tools = listAt(value, 'tools').flatMap((tool) => {
    const declared = listAt(tool, 'functionDeclarations')
    return declared.length > 0 ? declared : [tool]
  })
  const names = tools.map(
    (tool) => textAt(tool, 'name') || textAt(tool, 'function', 'name') || textAt(tool, 'type') || compact(tool),
  )
  return names.length === 0 ? [] : [{ label: 'tools', text: names.join(', ') }]
}
