/** What a model request carries: settings in force, and the results of tools. */
import type { Json } from '../core/cassette/document.ts'
import { messagesRequest } from './anthropic-messages/messages-request.ts'
import { converseRequest } from './bedrock-converse/converse-request.ts'
import type { Wire } from './block.ts'
import { cohereRequest } from './cohere/cohere-request.ts'
import { geminiRequest } from './gemini/gemini-request.ts'
import { ollamaRequest } from './ollama/ollama-request.ts'
import { chatRequest } from './openai-chat/chat-request.ts'
import { responsesRequest } from './openai-responses/responses-request.ts'
import { objectOf } from './read-json.ts'
import type { RequestReader, SentToolResult, Settings } from './request-reader.ts'

const readers: Readonly<Record<Wire, RequestReader>> = {
  'openai-chat': chatRequest,
  'openai-responses': responsesRequest,
  'anthropic-messages': messagesRequest,
  gemini: geminiRequest,
  'bedrock-converse': converseRequest,
  cohere: cohereRequest,
  ollama: ollamaRequest,
}

/** All results of client-side tools that the request hands to the model, those of earlier turns included, in its order. */
export function toolResultsOf(request: Json, wire: Wire): readonly SentToolResult[] {
  return readers[wire].toolResults(objectOf(request) ?? {})
}

export interface SettingsInput {
  readonly wire: Wire
  /** Gemini, Vertex, Bedrock and Azure name the model there. */
  readonly url: string
  readonly request: Json
}

export function settingsOf({ wire, url, request }: SettingsInput): Settings {
  const settings = readers[wire].settings(objectOf(request) ?? {})
  const model = settings.model ?? modelInUrl(url)
  return model === undefined ? settings : { ...settings, model }
}

/** Undefined: the URL names none. */
export function modelInUrl(url: string): string | undefined {
  const [, model] = /\/(?:models?|deployments)\/([^/?#]+?)(?=:[a-zA-Z]|[/?#]|$)/.exec(url) ?? []
  return model === undefined ? undefined : decodeSegment(model)
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    // A stray percent sign: as it is, then.
    return segment
  }
}
