import { expect, test } from 'vitest'
import { outlineAnswer } from '../../src/cli/show/outline-answer.ts'
import type { HttpInteraction, Json, ResponseBody } from '../../src/core/cassette/document.ts'

const answer = {
  thinking: 'Oslo, then.',
  text: 'Let me look.',
  calls: [{ name: 'search', input: '{"to":"Oslo"}' }],
  usage: { input: 40, output: 9 },
}

function outlineOf(body: ResponseBody) {
  const interaction: HttpInteraction = {
    number: 1,
    kind: 'model',
    hash: '',
    request: { method: 'POST', url: 'https://gateway.test/' },
    response: { status: 200, headers: [], body },
    timing: { startMs: 0 },
  }
  return outlineAnswer(interaction, new Map())
}

function events(...data: readonly Json[]): ResponseBody {
  return { framing: 'sse', events: data.map((value) => ({ data: value })) }
}

const chatCall = { index: 0, function: { name: 'search', arguments: '{"to":"Oslo"}' } }
const chatUsage = { prompt_tokens: 40, completion_tokens: 9 }
const itemUsage = { input_tokens: 40, output_tokens: 9 }
const reasoningItem = { type: 'reasoning', summary: [{ type: 'summary_text', text: 'Oslo, then.' }] }
const messageItem = { type: 'message', content: [{ type: 'output_text', text: 'Let me look.' }] }
const callItem = { type: 'function_call', name: 'search', arguments: '{"to":"Oslo"}' }

function geminiAnswer(parts: readonly Json[]): Json {
  return { candidates: [{ content: { parts } }], usageMetadata: { promptTokenCount: 40, candidatesTokenCount: 9 } }
}

const bodies: Readonly<Record<string, ResponseBody>> = {
  'an OpenAI chat answer': {
    json: {
      choices: [
        { index: 0, message: { content: 'Let me look.', reasoning_content: 'Oslo, then.', tool_calls: [chatCall] } },
        { index: 1, message: { content: 'Another choice.' } },
      ],
      usage: chatUsage,
    },
  },
  'an OpenAI chat stream': events(
    { choices: [{ index: 0, delta: { reasoning_content: 'Oslo, ' } }] },
    { choices: [{ index: 0, delta: { reasoning_content: 'then.' } }] },
    { choices: [{ index: 0, delta: { content: 'Let me ' } }] },
    { choices: [{ index: 1, delta: { content: 'Another choice.' } }] },
    { choices: [{ index: 0, delta: { content: 'look.' } }] },
    {
      choices: [{ index: 0, delta: { tool_calls: [{ index: 0, function: { name: 'search', arguments: '{"to":' } }] } }],
    },
    { choices: [{ index: 0, delta: { tool_calls: [{ index: 0, function: { arguments: '"Oslo"}' } }] } }] },
    { choices: [], usage: chatUsage },
  ),
  'an OpenAI Responses answer': {
    json: { object: 'response', output: [reasoningItem, messageItem, callItem], usage: itemUsage },
  },
  'an OpenAI Responses stream': events(
    { type: 'response.reasoning_summary_text.delta', delta: 'Oslo, then.' },
    { type: 'response.output_item.done', item: reasoningItem },
    { type: 'response.output_text.delta', delta: 'Let me ' },
    { type: 'response.output_text.delta', delta: 'look.' },
    { type: 'response.output_item.done', item: messageItem },
    { type: 'response.function_call_arguments.delta', delta: '{"to":' },
    { type: 'response.output_item.done', item: callItem },
    { type: 'response.completed', response: { output: [reasoningItem, messageItem, callItem], usage: itemUsage } },
  ),
  'an Anthropic answer': {
    json: {
      type: 'message',
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'Oslo, then.' },
        { type: 'text', text: 'Let me look.' },
        { type: 'tool_use', name: 'search', input: { to: 'Oslo' } },
      ],
      usage: itemUsage,
    },
  },
  'an Anthropic stream': events(
    { type: 'message_start', message: { type: 'message', content: [], usage: { input_tokens: 40, output_tokens: 1 } } },
    { type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'Oslo, then.' } },
    { type: 'content_block_start', index: 1, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: 'Let me ' } },
    { type: 'ping' },
    { type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: 'look.' } },
    { type: 'content_block_start', index: 2, content_block: { type: 'tool_use', name: 'search', input: {} } },
    { type: 'content_block_delta', index: 2, delta: { type: 'input_json_delta', partial_json: '{"to":' } },
    { type: 'content_block_delta', index: 2, delta: { type: 'input_json_delta', partial_json: '"Oslo"}' } },
    { type: 'message_delta', delta: {}, usage: { output_tokens: 9 } },
  ),
  'a Gemini stream': events(
    geminiAnswer([{ text: 'Oslo, then.', thought: true }]),
    geminiAnswer([{ text: 'Let me look.' }]),
    geminiAnswer([{ functionCall: { name: 'search', args: { to: 'Oslo' } } }]),
  ),
  'a Gemini stream as one JSON array': {
    json: [
      geminiAnswer([{ text: 'Oslo, then.', thought: true }, { text: 'Let me look.' }]),
      geminiAnswer([{ functionCall: { name: 'search', args: { to: 'Oslo' } } }]),
    ],
  },
  'events that stand verbatim': {
    framing: 'sse',
    events: [
      { raw: ': keep-alive\r\n\r\n' },
      {
        raw: `event: x\r\ndata:${JSON.stringify(geminiAnswer([{ text: 'Oslo, then.', thought: true }, { text: 'Let me look.' }]))}\r\n\r\n`,
      },
      { text: JSON.stringify(geminiAnswer([{ functionCall: { name: 'search', args: { to: 'Oslo' } } }])) },
    ],
  },
}

test.each(Object.entries(bodies))('%s is told as its thinking, text, calls and tokens', (_name, body) => {
  expect(outlineOf(body)).toEqual(answer)
})

test.each<readonly [string, ResponseBody]>([
  ['an embedding', { json: { data: [{ embedding: [0.1, 0.2] }] } }],
  ['an unknown stream', events({ type: 'text-generation', text: 'Ahoy' })],
  ['text', { text: 'no JSON' }],
  ['null', { json: null }],
  ['bytes', { base64: 'AAEC' }],
  [
    'members that are of another type',
    { json: { choices: 'x', candidates: [null], content: 1, output: { type: 'message' }, usage: [] } },
  ],
])('%s is no answer', (_name, body) => {
  expect(outlineOf(body)).toBeUndefined()
})
