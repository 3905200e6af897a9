/** What the official SDK of a wire makes of the bytes of one answer: its own accumulator's for a stream, its own parser's else. */
import Anthropic from '@anthropic-ai/sdk'
import { type GenerateContentResponse, GoogleGenAI } from '@google/genai'
import OpenAI from 'openai'
import type { DecodedAnswer, Wire } from '../../src/wire/block.ts'

/** Said in the same words of what an SDK gives and of what the decoders give. */
export interface AnswerFacts {
  readonly text: string
  /** Of tools that the client runs: name, and the arguments as a value where they are JSON. */
  readonly toolCalls: readonly (readonly [name: string, input: unknown])[]
  readonly finishReason: string | undefined
  /** Input tokens, cached ones included, and output tokens, those of thinking included. */
  readonly usage: readonly [input: number, output: number] | undefined
}

export function factsOf({ blocks, finishReason, usage }: DecodedAnswer): AnswerFacts {
  return {
    text: blocks.map((block) => (block.kind === 'text' ? block.text : '')).join(''),
    toolCalls: blocks.flatMap((block) => {
      if (block.kind !== 'tool call' || block.byProvider === true) return []
      return [[block.name, 'json' in block.arguments ? block.arguments.json : block.arguments.text] as const]
    }),
    finishReason,
    usage: usage && [usage.inputTokens, usage.outputTokens],
  }
}

type Fetch = () => Promise<Response>

interface Bytes {
  readonly bytes: Uint8Array
  readonly status: number
  readonly isStream: boolean
}

/** A `fetch` that answers with these bytes. */
function fetchOf({ bytes, status, isStream }: Bytes): Fetch {
  const headers = { 'content-type': isStream ? 'text/event-stream' : 'application/json' }
  return async () => new Response(Uint8Array.from(bytes), { status, headers })
}

/** The whole answer, as the SDK puts it together. Rejects with the SDK's own error where it has one. */
export async function chatCompletion(given: Bytes): Promise<OpenAI.ChatCompletion> {
  const { completions } = new OpenAI({ apiKey: 'placeholder', fetch: fetchOf(given), maxRetries: 0 }).chat
  const request = { model: 'm', messages: [] }
  return given.isStream ? completions.stream(request).finalChatCompletion() : completions.create(request)
}

export async function openaiResponse(given: Bytes): Promise<OpenAI.Responses.Response> {
  const { responses } = new OpenAI({ apiKey: 'placeholder', fetch: fetchOf(given), maxRetries: 0 })
  const request = { model: 'm', input: 'x' }
  return given.isStream ? responses.stream(request).finalResponse() : responses.create(request)
}

export async function anthropicMessage(given: Bytes): Promise<Anthropic.Message> {
  const { messages } = new Anthropic({ apiKey: 'placeholder', fetch: fetchOf(given), maxRetries: 0 })
  const request = { model: 'm', max_tokens: 1, messages: [] }
  return given.isStream ? messages.stream(request).finalMessage() : messages.create(request)
}

/** The chunks, since this SDK puts nothing together. */
async function geminiChunks(given: Bytes): Promise<readonly GenerateContentResponse[]> {
  const { models } = new GoogleGenAI({ apiKey: 'placeholder', httpOptions: { fetch: fetchOf(given) } })
  const request = { model: 'm', contents: 'x' }
  if (!given.isStream) return [await models.generateContent(request)]
  const chunks: GenerateContentResponse[] = []
  for await (const chunk of await models.generateContentStream(request)) chunks.push(chunk)
  return chunks
}

/** The wires whose official SDK reads bytes that are given to its `fetch`. */
export type SdkWire = Exclude<Wire, (typeof withoutSdk)[number]>

const withoutSdk = ['bedrock-converse', 'cohere', 'ollama'] as const

export function hasSdk(wire: Wire): wire is SdkWire {
  return !withoutSdk.some((name) => name === wire)
}

/** Rejects with the SDK's own error where it has one. */
export async function sdkFacts(wire: SdkWire, given: Bytes): Promise<AnswerFacts> {
  switch (wire) {
    case 'openai-chat':
      return chatFacts(await chatCompletion(given))
    case 'openai-responses':
      return responsesFacts(await openaiResponse(given))
    case 'anthropic-messages':
      return anthropicFacts(await anthropicMessage(given))
    case 'gemini':
      return geminiFacts(await geminiChunks(given))
  }
}

function chatFacts({ choices: [choice], usage }: OpenAI.ChatCompletion): AnswerFacts {
  return {
    text: choice?.message.content ?? '',
    toolCalls: (choice?.message.tool_calls ?? []).map((call) => {
      if (call.type === 'custom') return [call.custom.name, call.custom.input]
      return [call.function.name, value(call.function.arguments)]
    }),
    finishReason: choice?.finish_reason ?? undefined,
    usage: usage ? [usage.prompt_tokens, usage.completion_tokens] : undefined,
  }
}

function responsesFacts(response: OpenAI.Responses.Response): AnswerFacts {
  const { output, output_text, usage, status, incomplete_details } = response
  return {
    // A body that is no response has none.
    text: output_text ?? '',
    toolCalls: (output ?? []).flatMap((item): AnswerFacts['toolCalls'] => {
      if (item.type === 'function_call') return [[item.name, value(item.arguments)]]
      return item.type === 'custom_tool_call' ? [[item.name, item.input]] : []
    }),
    finishReason: incomplete_details?.reason ?? status,
    usage: usage ? [usage.input_tokens, usage.output_tokens] : undefined,
  }
}

function anthropicFacts({ content, usage, stop_reason }: Anthropic.Message): AnswerFacts {
  const cached = (usage.cache_creation_input_tokens ?? 0) + (usage.cache_read_input_tokens ?? 0)
  return {
    text: content.map((block) => (block.type === 'text' ? block.text : '')).join(''),
    toolCalls: content.flatMap((block) => (block.type === 'tool_use' ? [[block.name, block.input] as const] : [])),
    finishReason: stop_reason ?? undefined,
    usage: [usage.input_tokens + cached, usage.output_tokens],
  }
}

function geminiFacts(chunks: readonly GenerateContentResponse[]): AnswerFacts {
  const usage = chunks.map(({ usageMetadata }) => usageMetadata).findLast((one) => one !== undefined)
  const { promptTokenCount: prompt = 0, toolUsePromptTokenCount: toolUse = 0 } = usage ?? {}
  const { candidatesTokenCount: candidates = 0, thoughtsTokenCount: thoughts = 0 } = usage ?? {}
  return {
    text: chunks.map((chunk) => chunk.text ?? '').join(''),
    toolCalls: chunks.flatMap(({ functionCalls = [] }) =>
      functionCalls.map(({ name = '', args = {} }) => [name, args] as const),
    ),
    finishReason: chunks
      .map(({ candidates: [first] = [] }) => first?.finishReason)
      .findLast((one) => one !== undefined),
    usage: usage && [prompt + toolUse, candidates + thoughts],
  }
}

function value(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
