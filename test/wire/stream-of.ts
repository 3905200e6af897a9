import type { Json } from '../../src/core/cassette/document.ts'
import type { DecodedAnswer, Wire } from '../../src/wire/block.ts'
import { decodeAnswer } from '../../src/wire/decode-answer.ts'

const paths: Readonly<Record<Wire, string>> = {
  'openai-chat': '/v1/chat/completions',
  'openai-responses': '/v1/responses',
  'anthropic-messages': '/v1/messages',
  gemini: '/v1beta/models/gemini-2.5-pro:streamGenerateContent',
  cohere: '/v2/chat',
  ollama: '/api/chat',
  'bedrock-converse': '/model/m/converse-stream',
}

/** A URL where this wire is spoken. */
export function urlOf(wire: Wire): string {
  return `https://provider.test${paths[wire]}`
}

/** The answer that a stream of these events is; a string stands for a payload that is no JSON. */
export function decodeEvents(wire: Wire, events: readonly Json[]): DecodedAnswer {
  const text = events.map((event) => `data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`).join('')
  return decodeText(wire, text)
}

/** The answer without streaming. */
export function decodeWhole(wire: Wire, value: Json): DecodedAnswer {
  return decodeText(wire, JSON.stringify(value))
}

export function decodeText(wire: Wire, text: string): DecodedAnswer {
  const decoded = decodeAnswer({ url: urlOf(wire), body: [new TextEncoder().encode(text)] })
  if (decoded === undefined) throw new Error(`no answer of ${wire}`)
  return decoded
}
