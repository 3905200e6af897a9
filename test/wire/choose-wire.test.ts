import { expect, it } from 'vitest'
import type { Json } from '../../src/core/cassette/document.ts'
import { decodeAnswer } from '../../src/wire/decode-answer.ts'

const openai = {
  id: 'c',
  object: 'chat.completion',
  choices: [{ index: 0, message: { content: 'A' }, finish_reason: 'stop' }],
}
const message = { type: 'message', role: 'assistant', content: [{ type: 'text', text: 'A' }], stop_reason: 'end_turn' }
const failed = { error: { message: 'M', type: 'T' } }

it.each<[string, Json | undefined, Json, string | undefined]>([
  ['/v1/chat/completions', undefined, openai, 'openai-chat'],
  ['/openai/deployments/gpt/chat/completions?api-version=1', undefined, failed, 'openai-chat'],
  ['/v1/completions', undefined, { choices: [{ text: 'A' }] }, 'openai-chat'],
  ['/v1/responses/', undefined, failed, 'openai-responses'],
  ['/v1/responses/resp_1?stream=true', undefined, failed, 'openai-responses'],
  ['/v1/responses/input_tokens', undefined, { object: 'response.input_tokens', input_tokens: 3 }, undefined],
  ['/v1/messages?beta=true', undefined, { type: 'error', error: { message: 'M' } }, 'anthropic-messages'],
  ['/v1/messages/count_tokens', { messages: [] }, { input_tokens: 3 }, undefined],
  ['/v1/threads/t/messages', undefined, { object: 'thread.message' }, undefined],
  ['/v1/models/gemini:generateContent', undefined, failed, 'gemini'],
  // An answer's own form counts more than where it came from.
  ['/my/gateway', undefined, openai, 'openai-chat'],
  ['/my/gateway', undefined, message, 'anthropic-messages'],
  ['/model/claude/invoke', undefined, message, 'anthropic-messages'],
  ['/v1/messages', undefined, openai, 'openai-chat'],
  ['/my/gateway', undefined, { candidates: [] }, 'gemini'],
  ['/my/gateway', undefined, { object: 'response', output: [] }, 'openai-responses'],
  [
    '/my/gateway',
    undefined,
    { id: 'c', message: { role: 'assistant', content: [] }, finish_reason: 'COMPLETE' },
    'cohere',
  ],
  ['/my/gateway', undefined, { text: 'A', generation_id: 'g' }, 'cohere'],
  ['/my/gateway', undefined, { model: 'm', message: { content: 'A' }, done: true }, 'ollama'],
  ['/v2/chat', undefined, { id: 'e', message: 'invalid api token' }, undefined],
  ['/v2/chat', undefined, { message: 'invalid api token' }, 'cohere'],
  ['/api/chat', undefined, { error: "model 'm' not found" }, 'ollama'],
  // An application's own path.
  ['/api/chat', undefined, { type: 'text-delta', delta: 'A' }, undefined],
  // An error looks alike everywhere: the request tells.
  ['/my/gateway', { messages: [] }, failed, 'openai-chat'],
  ['/my/gateway', { messages: [] }, { type: 'error', ...failed }, 'anthropic-messages'],
  ['/my/gateway', { contents: [] }, failed, 'gemini'],
  ['/my/gateway', { query: 'x' }, failed, undefined],
  ['/v1/embeddings', { model: 'm', input: 'x' }, { object: 'list', data: [] }, undefined],
])('an answer from %s for %j that is %j speaks %s', (path, request, answer, wire) => {
  const input = { url: `https://provider.test${path}`, ...(request !== undefined && { request }) }
  expect(decodeAnswer({ ...input, body: { json: answer } })?.wire).toBe(wire)
})

it('is told by a later event where the first says nothing, and no event is lost', () => {
  const events = [{ data: { note: 1 } }, { data: { choices: [{ index: 0, delta: { content: 'A' } }] } }]
  expect(decodeAnswer({ url: 'https://provider.test/x', body: { events, framing: 'sse' } })?.blocks).toEqual([
    { kind: 'marker', event: { note: 1 } },
    { kind: 'text', text: 'A' },
  ])
})

it('is none for a stored body that is binary, and an empty answer where only the path is known', () => {
  const url = 'https://provider.test/v1/messages'
  expect(decodeAnswer({ url, body: { base64: 'AAAA' } })).toBeUndefined()
  expect(decodeAnswer({ url, body: [] })).toEqual({ wire: 'anthropic-messages', blocks: [], finished: false })
})
