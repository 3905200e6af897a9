/** What a model request carries: settings in force, and the results of tools. */
import type { Json } from '../core/cassette/document.ts'
import { messagesRequest } from './anthropic-messages/messages-request.ts'
import type { Wire } from './block.ts'
import { geminiRequest } from './gemini/gemini-request.ts'
import { chatRequest } from './openai-chat/chat-request.ts'
import { responsesRequest } from './openai-responses/responses-request.ts'
import { objectOf } from './read-json.ts'
import type { RequestReader, SentToolResult, Settings } from './request-reader.ts'

const readers: Readonly<Record<Wire, RequestReader>> = {
  'openai-chat': chatRequest,
  'openai-responses': responsesRequest,
  'anthropic-messages': messagesRequest,
  gemini: geminiRequest,
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
  const [, model] = /\/(?:models?|deployments)\/([^/?#]+?)(?=:[a-zA-Z]|[/?#]|$)/.exec(url) ?? []
  return settings.model !== undefined || model === undefined ? settings : { ...settings, model: decodeSegment(model) }
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    // A stray percent sign: as it is, then.
    return segment
  }
}
