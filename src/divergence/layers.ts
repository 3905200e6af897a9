import type { InteractionKind, Json } from '../core/cassette/document.ts'
import type { Layer } from '../errors/divergence-details.ts'
import { isJsonObject, type PathSegment, stringAt, valueAt } from './json-path.ts'

/** In the order a reader looks: what configures a call before what is said in it. */
export const layerOrder: readonly Layer[] = [
  'method',
  'url',
  'headers',
  'settings',
  'system',
  'tools',
  'messages',
  'body',
  'tool input',
]

/**
 * Top-level members by layer, over the request shapes of OpenAI (chat, Responses), Anthropic, Gemini, Bedrock, Cohere and
 * Ollama.
 */
const layerByMember: Readonly<Record<string, Layer>> = {
  system: 'system',
  instructions: 'system',
  systemInstruction: 'system',
  system_instruction: 'system',
  preamble: 'system',
  tools: 'tools',
  functions: 'tools',
  toolConfig: 'tools',
  messages: 'messages',
  input: 'messages',
  contents: 'messages',
  prompt: 'messages',
  message: 'messages',
  chat_history: 'messages',
  tool_results: 'messages',
}

/** The layer of a place in a body. Every other top-level member of a model request is a setting. */
export function layerOf(
  { kind, body }: { readonly kind: InteractionKind; readonly body: Json | undefined },
  path: readonly PathSegment[],
): Layer {
  if (kind === 'tool' || kind === 'call') return 'tool input'
  const [member, index] = path
  if (kind === 'http' || typeof member !== 'string' || !isJsonObject(body)) return 'body'
  const layer = Object.hasOwn(layerByMember, member) ? (layerByMember[member] as Layer) : 'settings'
  if (layer !== 'messages' || typeof index !== 'number') return layer
  const role = stringAt(valueAt(body, [member, index]), 'role')
  return role === 'system' || role === 'developer' ? 'system' : 'messages'
}
