/** The decoders by wire, and what each names as volatile. */
import { messagesDecoder } from './anthropic-messages/messages-decoder.ts'
import { converseDecoder } from './bedrock-converse/converse-decoder.ts'
import type { Wire } from './block.ts'
import { cohereDecoder } from './cohere/cohere-decoder.ts'
import { geminiDecoder } from './gemini/gemini-decoder.ts'
import { ollamaDecoder } from './ollama/ollama-decoder.ts'
import { chatDecoder } from './openai-chat/chat-decoder.ts'
import { responsesDecoder } from './openai-responses/responses-decoder.ts'
import type { WireDecoder } from './wire-decoder.ts'

export const decoders: Readonly<Record<Wire, WireDecoder>> = {
  'openai-chat': chatDecoder,
  'openai-responses': responsesDecoder,
  'anthropic-messages': messagesDecoder,
  gemini: geminiDecoder,
  'bedrock-converse': converseDecoder,
  cohere: cohereDecoder,
  ollama: ollamaDecoder,
}

/** F17: paths, as `ignoreMembers` takes them, of members that differ from run to run with the same content. */
export function volatileMembers(wire: Wire): readonly string[] {
  return decoders[wire].volatileMembers
}
