/** The same agent in each wire: it searches two cities at once, books, and says what it did. */
import type { HttpInteraction, Interaction, Json, ResponseBody } from '../../src/core/cassette/document.ts'
import { hashRequest, hashValueRequest } from '../../src/core/hashing/request-hash.ts'
import type { Wire } from '../../src/wire/block.ts'
import { eventFrame } from '../wire/amazon-codec.ts'

export interface WireCalls {
  readonly url: string
  /** A request, an answer that asks for tools, the request that hands back their results, and the last answer. */
  readonly requests: readonly [Json, Json]
  readonly answers: readonly [ResponseBody, ResponseBody]
}

export const searches = [{ to: 'Oslo' }, { to: 'Bergen' }] as const
export const results = ['89 EUR', '120 EUR'] as const
export const finalText = 'Oslo is 89 EUR.'

function sse(...data: readonly Json[]): ResponseBody {
  return { framing: 'sse', events: data.map((value) => ({ data: value })) }
}

const chatTools = [{ type: 'function', function: { name: 'search', parameters: { type: 'object' } } }]
const chatAsk = [
  { role: 'system', content: 'Be brief.' },
  { role: 'user', content: 'Where to?' },
]
const chatCalls = searches.map((args, index) => {
  return { id: `call_${index}`, type: 'function', function: { name: 'search', arguments: JSON.stringify(args) } }
})
const chat: WireCalls = {
  url: 'https://api.openai.com/v1/chat/completions',
  requests: [
    { model: 'gpt-5', temperature: 0, tools: chatTools, messages: chatAsk },
    {
      model: 'gpt-5',
      temperature: 0,
      tools: chatTools,
      messages: [
        ...chatAsk,
        { role: 'assistant', content: null, tool_calls: chatCalls },
        ...results.map((content, index) => ({ role: 'tool', tool_call_id: `call_${index}`, content })),
      ],
    },
  ],
  answers: [
    sse(
      ...chatCalls.map((call, index) => {
        return { id: 'c1', model: 'gpt-5-1', choices: [{ index: 0, delta: { tool_calls: [{ ...call, index }] } }] }
      }),
      { id: 'c1', model: 'gpt-5-1', choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] },
      { id: 'c1', model: 'gpt-5-1', choices: [], usage: { prompt_tokens: 40, completion_tokens: 9, total_tokens: 49 } },
    ),
    {
      json: {
        id: 'c2',
        object: 'chat.completion',
        model: 'gpt-5-1',
        choices: [{ index: 0, message: { role: 'assistant', content: finalText }, finish_reason: 'stop' }],
        usage: { prompt_tokens: 60, completion_tokens: 5, total_tokens: 65 },
      },
    },
  ],
}

const itemTools = [{ type: 'function', name: 'search', parameters: { type: 'object' } }]
const itemCalls = searches.map((args, index) => {
  const call = { type: 'function_call', status: 'completed', name: 'search', arguments: JSON.stringify(args) }
  return { ...call, id: `fc_${index}`, call_id: `call_${index}` }
})
const responses: WireCalls = {
  url: 'https://api.openai.com/v1/responses',
  requests: [
    { model: 'gpt-5', temperature: 0, instructions: 'Be brief.', tools: itemTools, input: 'Where to?' },
    {
      model: 'gpt-5',
      temperature: 0,
      instructions: 'Be brief.',
      tools: itemTools,
      previous_response_id: 'r1',
      input: results.map((output, index) => ({ type: 'function_call_output', call_id: `call_${index}`, output })),
    },
  ],
  answers: [
    sse(
      {
        type: 'response.created',
        response: { id: 'r1', object: 'response', model: 'gpt-5-1', status: 'in_progress', output: [] },
      },
      ...itemCalls.map((item, index) => ({ type: 'response.output_item.done', output_index: index, item })),
      {
        type: 'response.completed',
        response: {
          ...{ id: 'r1', object: 'response', model: 'gpt-5-1', status: 'completed', output: itemCalls },
          usage: { input_tokens: 40, output_tokens: 9, total_tokens: 49 },
        },
      },
    ),
    {
      json: {
        ...{ id: 'r2', object: 'response', model: 'gpt-5-1', status: 'completed' },
        output: [{ type: 'message', id: 'm', role: 'assistant', content: [{ type: 'output_text', text: finalText }] }],
        usage: { input_tokens: 60, output_tokens: 5, total_tokens: 65 },
      },
    },
  ],
}

const messageTools = [{ name: 'search', input_schema: { type: 'object' } }]
const uses = searches.map((input, index) => ({ type: 'tool_use', id: `call_${index}`, name: 'search', input }))
const ask = { role: 'user', content: 'Where to?' }
const messages: WireCalls = {
  url: 'https://api.anthropic.com/v1/messages',
  requests: [
    { model: 'claude', max_tokens: 100, temperature: 0, system: 'Be brief.', tools: messageTools, messages: [ask] },
    {
      ...{ model: 'claude', max_tokens: 100, temperature: 0, system: 'Be brief.', tools: messageTools },
      messages: [
        ask,
        { role: 'assistant', content: uses },
        {
          role: 'user',
          content: results.map((content, index) => ({ type: 'tool_result', tool_use_id: `call_${index}`, content })),
        },
      ],
    },
  ],
  answers: [
    {
      json: {
        ...{ id: 'm1', type: 'message', role: 'assistant', model: 'claude-1', stop_reason: 'tool_use', content: uses },
        usage: { input_tokens: 40, output_tokens: 9 },
      },
    },
    sse(
      {
        type: 'message_start',
        message: {
          ...{ id: 'm2', type: 'message', role: 'assistant', model: 'claude-1', content: [] },
          usage: { input_tokens: 60, output_tokens: 1 },
        },
      },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Oslo is ' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: '89 EUR.' } },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 5 } },
      { type: 'message_stop' },
    ),
  ],
}

const geminiSettings = {
  systemInstruction: { parts: [{ text: 'Be brief.' }] },
  tools: [{ functionDeclarations: [{ name: 'search', parameters: { type: 'object' } }] }],
  generationConfig: { temperature: 0 },
}
const geminiCalls = searches.map((args) => ({ functionCall: { name: 'search', args } }))
const contents = [{ role: 'user', parts: [{ text: 'Where to?' }] }]
const gemini: WireCalls = {
  url: 'https://generativelanguage.googleapis.com/v1beta/models/gemini-3:generateContent',
  requests: [
    { ...geminiSettings, contents },
    {
      ...geminiSettings,
      contents: [
        ...contents,
        { role: 'model', parts: geminiCalls },
        {
          role: 'user',
          parts: results.map((text) => ({ functionResponse: { name: 'search', response: { text } } })),
        },
      ],
    },
  ],
  answers: [
    {
      json: {
        modelVersion: 'gemini-3-1',
        candidates: [{ content: { role: 'model', parts: geminiCalls }, finishReason: 'STOP' }],
        usageMetadata: { promptTokenCount: 40, candidatesTokenCount: 9, totalTokenCount: 49 },
      },
    },
    {
      json: {
        modelVersion: 'gemini-3-1',
        candidates: [{ content: { role: 'model', parts: [{ text: finalText }] }, finishReason: 'STOP' }],
        usageMetadata: { promptTokenCount: 60, candidatesTokenCount: 5, totalTokenCount: 65 },
      },
    },
  ],
}

const cohere: WireCalls = {
  url: 'https://api.cohere.com/v2/chat',
  requests: [
    { model: 'command-1', temperature: 0, tools: chatTools, messages: chatAsk },
    {
      ...{ model: 'command-1', temperature: 0, tools: chatTools },
      messages: [
        ...chatAsk,
        { role: 'assistant', tool_calls: chatCalls },
        ...results.map((content, index) => ({ role: 'tool', tool_call_id: `call_${index}`, content })),
      ],
    },
  ],
  answers: [
    sse(
      { type: 'message-start', id: 'a1', delta: { message: { role: 'assistant', content: [] } } },
      ...chatCalls.map((tool_calls, index) => ({ type: 'tool-call-start', index, delta: { message: { tool_calls } } })),
      {
        type: 'message-end',
        delta: { finish_reason: 'TOOL_CALL', usage: { tokens: { input_tokens: 40, output_tokens: 9 } } },
      },
    ),
    {
      json: {
        id: 'a2',
        finish_reason: 'COMPLETE',
        message: { role: 'assistant', content: [{ type: 'text', text: finalText }] },
        usage: { tokens: { input_tokens: 60, output_tokens: 5 } },
      },
    },
  ],
}

const ollamaCalls = searches.map((args) => ({ function: { name: 'search', arguments: args } }))
const ollamaSettings = { model: 'qwen3', options: { temperature: 0 }, tools: chatTools }
const ollama: WireCalls = {
  url: 'http://localhost/api/chat',
  requests: [
    { ...ollamaSettings, messages: chatAsk },
    {
      ...ollamaSettings,
      messages: [
        ...chatAsk,
        { role: 'assistant', content: '', tool_calls: ollamaCalls },
        ...results.map((content) => ({ role: 'tool', tool_name: 'search', content })),
      ],
    },
  ],
  answers: [
    {
      framing: 'ndjson',
      events: [
        ...ollamaCalls.map((call) => ({
          message: { role: 'assistant', content: '', tool_calls: [call] },
          done: false,
        })),
        {
          ...{ message: { role: 'assistant', content: '' }, done: true, done_reason: 'stop' },
          ...{ prompt_eval_count: 40, eval_count: 9 },
        },
      ].map((line) => ({ data: { model: 'qwen3-1', ...line } })),
    },
    {
      json: {
        model: 'qwen3-1',
        message: { role: 'assistant', content: finalText },
        ...{ done: true, done_reason: 'stop', prompt_eval_count: 60, eval_count: 5 },
      },
    },
  ],
}

const converseSettings = {
  system: [{ text: 'Be brief.' }],
  toolConfig: { tools: [{ toolSpec: { name: 'search', inputSchema: { json: { type: 'object' } } } }] },
  inferenceConfig: { temperature: 0 },
}
const converseAsk = [{ role: 'user', content: [{ text: 'Where to?' }] }]
const converseUses = searches.map((input, index) => ({
  toolUse: { toolUseId: `call_${index}`, name: 'search', input },
}))
const converse: WireCalls = {
  url: 'https://bedrock-runtime.us-east-1.amazonaws.com/model/amazon.nova-1/converse-stream',
  requests: [
    { ...converseSettings, messages: converseAsk },
    {
      ...converseSettings,
      messages: [
        ...converseAsk,
        { role: 'assistant', content: converseUses },
        {
          role: 'user',
          content: results.map((text, index) => ({ toolResult: { toolUseId: `call_${index}`, content: [{ text }] } })),
        },
      ],
    },
  ],
  answers: [
    {
      base64: Buffer.concat([
        eventFrame('messageStart', { role: 'assistant' }),
        ...converseUses.flatMap(({ toolUse: { input, ...toolUse } }, contentBlockIndex) => [
          eventFrame('contentBlockStart', { contentBlockIndex, start: { toolUse } }),
          eventFrame('contentBlockDelta', {
            contentBlockIndex,
            delta: { toolUse: { input: JSON.stringify(input) } },
          }),
        ]),
        eventFrame('messageStop', { stopReason: 'tool_use' }),
        eventFrame('metadata', { usage: { inputTokens: 40, outputTokens: 9, totalTokens: 49 } }),
      ]).toString('base64'),
    },
    {
      json: {
        output: { message: { role: 'assistant', content: [{ text: finalText }] } },
        stopReason: 'end_turn',
        usage: { inputTokens: 60, outputTokens: 5, totalTokens: 65 },
      },
    },
  ],
}

export const wireCalls: Readonly<Record<Wire, WireCalls>> = {
  'openai-chat': chat,
  'openai-responses': responses,
  'anthropic-messages': messages,
  gemini,
  cohere,
  ollama,
  'bedrock-converse': converse,
}

/** The two model calls of an agent, as a cassette holds them. */
export function agentRun(wire: Wire): readonly Interaction[] {
  const { url, requests, answers } = wireCalls[wire]
  return numbered([modelCall(url, requests[0], answers[0]), modelCall(url, requests[1], answers[1])])
}

export function modelCall(url: string, request: Json, body: ResponseBody): HttpInteraction {
  return {
    number: 1,
    kind: 'model',
    hash: '',
    request: { method: 'POST', url, body: { json: request } },
    response: { status: 200, headers: [], body },
    timing: { startMs: 0 },
  }
}

/** A chat call, answered with a text. */
export function chatCall(prompt: string, answer: string): HttpInteraction {
  const request = { model: 'gpt-5', messages: [{ role: 'user', content: prompt }] }
  const message = { role: 'assistant', content: answer }
  const usage = { prompt_tokens: 10, completion_tokens: 2, total_tokens: 12 }
  const choices = [{ index: 0, message, finish_reason: 'stop' }]
  return modelCall(chat.url, request, { json: { id: 'c', object: 'chat.completion', model: 'gpt-5', choices, usage } })
}

export function toolRun(name: string, input: Json, value: Json): Interaction {
  return { number: 1, kind: 'tool', hash: '', request: { name, input }, result: { value }, timing: { startMs: 0 } }
}

/** Numbered and hashed, as if recorded in this order. */
export function numbered(interactions: readonly Interaction[]): readonly Interaction[] {
  return interactions.map((interaction, index) => {
    const hash =
      'result' in interaction
        ? hashValueRequest({ kind: interaction.kind, ...interaction.request })
        : hashRequest(interaction.request)
    return { ...interaction, number: index + 1, hash }
  })
}
