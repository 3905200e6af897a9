import type { Json } from '../../core/cassette/document.ts'
import { at, compact, isObject, type Piece, textAt } from './outline.ts'
import { mediaText } from './outline-media.ts'

/** What a message holds: its text, and each call, result and medium of it as a piece of its own. */
export function contentPieces(role: string, content: Json | undefined): readonly Piece[] {
  if (typeof content === 'string') return [{ label: role, text: content }]
  if (!Array.isArray(content)) return []
  return (content as readonly Json[]).flatMap((part) => partPieces(role, part))
}

/** The text of a tool's result, whatever its form. */
export function resultText(content: Json | undefined): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return compact(content)
  return contentPieces('', content)
    .map(({ text }) => text)
    .join('\n')
}

export function callPiece(name: string, input: string): Piece {
  return { label: 'call', text: `${name} ${input}` }
}

/** Thinking that only the provider can read has no text. */
export function thinkingPiece(text: string): Piece {
  return { label: 'thinking', text: text || '[not shown by the provider]' }
}

function partPieces(role: string, part: Json): readonly Piece[] {
  if (typeof part === 'string') return [{ label: role, text: part }]
  if (!isObject(part)) return []
  const { functionCall, functionResponse } = part
  if (functionCall !== undefined) return [callPiece(textAt(functionCall, 'name'), compact(at(functionCall, 'args')))]
  if (functionResponse !== undefined) return [{ label: 'result', text: compact(at(functionResponse, 'response')) }]
  switch (part.type) {
    case 'tool_use':
    case 'server_tool_use':
      return [callPiece(textAt(part, 'name'), compact(part.input))]
    case 'tool_result':
      return [{ label: 'result', text: resultText(part.content) }]
    case 'thinking':
      return [thinkingPiece(textAt(part, 'thinking'))]
    case 'redacted_thinking':
      return [thinkingPiece('')]
    case 'text':
    case 'input_text':
    case 'output_text':
    case undefined:
      return [{ label: role, text: textAt(part, 'text') || (mediaText(part) ?? `[${Object.keys(part).join(', ')}]`) }]
    default:
      return [{ label: role, text: mediaText(part) ?? `[${String(part.type)}]` }]
  }
}
