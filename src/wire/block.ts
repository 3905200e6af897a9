/**
 * The vocabulary of decoded answers: the blocks of one answer, whatever provider spoke. Wire folders turn bytes into
 * these; nothing here knows how a provider writes them, and nothing is left out because it was not understood.
 */
import type { Json } from '../core/cassette/document.ts'

export type Wire =
  | 'openai-chat'
  | 'openai-responses'
  | 'anthropic-messages'
  | 'gemini'
  | 'bedrock-converse'
  | 'cohere'
  | 'ollama'

/** Settled content of one answer, in the order the provider gives it without streaming. */
export type Block =
  | TextBlock
  | ThinkingBlock
  | ToolCallBlock
  | ToolResultBlock
  | MediaBlock
  | RefusalBlock
  | MarkerBlock

export interface TextBlock {
  readonly kind: 'text'
  readonly text: string
  /** Sources as sent: annotations, citations, search results, grounding. */
  readonly citations?: readonly Json[]
  readonly signature?: string
}

export interface ThinkingBlock {
  readonly kind: 'thinking'
  /** Empty where the provider shows nothing of it. */
  readonly text: string
  readonly signature?: string
  /** Thinking that only the provider can read (redacted or encrypted), as sent. */
  readonly redacted?: string
}

export interface ToolCallBlock {
  readonly kind: 'tool call'
  /** As sent; absent where the provider gave none or an empty one. May repeat within an answer: no safe key. */
  readonly id?: string
  readonly name: string
  readonly arguments: ToolArguments
  readonly signature?: string
  /** True: the provider runs the tool itself (web search, code execution, MCP); no client does. */
  readonly byProvider?: true
}

/** `text`: unfinished, not JSON, or JSON that a value does not hold exactly; also the free text of custom tools. */
export type ToolArguments = { readonly json: Json } | { readonly text: string }

/** A result in an answer: of a tool that the provider ran. */
export interface ToolResultBlock {
  readonly kind: 'tool result'
  readonly id?: string
  readonly name?: string
  readonly output: Json
}

/** At least one of `data`, `url` and `id`. */
export interface MediaBlock {
  readonly kind: 'media'
  /** MIME type as sent, or made from the format the provider names. */
  readonly type?: string
  /** Base64. */
  readonly data?: string
  readonly url?: string
  readonly id?: string
  /** What is said in it. */
  readonly transcript?: string
}

export interface RefusalBlock {
  readonly kind: 'refusal'
  readonly text: string
}

/** An event, item or part that the decoder does not know, as sent and in its place. */
export interface MarkerBlock {
  readonly kind: 'marker'
  readonly event: Json
}

/** One answer, streamed or not. What is absent was not sent. */
export interface DecodedAnswer {
  readonly wire: Wire
  readonly id?: string
  readonly model?: string
  readonly blocks: readonly Block[]
  /** The provider's own word: `stop`, `end_turn`, `MAX_TOKENS`, `completed`. */
  readonly finishReason?: string
  /** What the provider says beside the finish reason: the stop sequence, the category of a refusal. */
  readonly finishDetail?: Json
  readonly usage?: Usage
  /** An HTTP error body, or the error that ended the stream. */
  readonly error?: WireError
  /** A terminal event or member was seen, an error included. False: the answer was cut. */
  readonly finished: boolean
  /** The choices or candidates after the first. */
  readonly alternatives?: readonly Alternative[]
  /** The text of an event that the stream was cut in. */
  readonly torn?: string
}

export interface Alternative {
  readonly blocks: readonly Block[]
  readonly finishReason?: string
}

/** Tokens. Input counts include cached input, output counts include reasoning, for every provider. */
export interface Usage {
  readonly inputTokens: number
  readonly outputTokens: number
  /** Of the input: read from a cache. */
  readonly cachedInputTokens?: number
  /** Of the output: thinking. */
  readonly reasoningTokens?: number
  /** As sent; not computed. */
  readonly totalTokens?: number
  /** The provider's own usage object, merged over the events of a stream. */
  readonly raw: Json
}

export interface WireError {
  /** `overloaded_error`, `RESOURCE_EXHAUSTED`. */
  readonly type?: string
  readonly code?: string | number
  readonly message: string
  readonly raw: Json
}
