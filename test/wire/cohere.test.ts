import { expect, it } from 'vitest'
import type { Json } from '../../src/core/cassette/document.ts'
import { decodeAnswer } from '../../src/wire/decode-answer.ts'
import { decodeEvents, decodeText, decodeWhole } from './stream-of.ts'

const usage = {
  ...{ billed_units: { input_tokens: 4, output_tokens: 3 }, tokens: { input_tokens: 60, output_tokens: 9 } },
  cached_tokens: 32,
}

function event(type: string, message: Json, index?: number): Json {
  return { type, ...(index !== undefined && { index }), delta: { message } }
}

const citation = { start: 0, end: 4, text: 'Oslo', sources: [{ type: 'tool', id: 'weather_1:0' }] }

const stream: readonly Json[] = [
  { id: 'a1', ...(event('message-start', { role: 'assistant', content: [], tool_calls: [] }) as object) },
  event('content-start', { content: { type: 'thinking', thinking: '' } }, 0),
  event('content-delta', { content: { thinking: 'Hm' } }, 0),
  event('content-delta', { content: { thinking: '.' } }, 0),
  { type: 'content-end', index: 0 },
  event('content-start', { content: { type: 'text', text: '' } }, 1),
  event('content-delta', { content: { text: 'Oslo ' } }, 1),
  event('citation-start', { citations: citation }, 0),
  { type: 'citation-end', index: 0 },
  event('content-delta', { content: { text: 'it is' } }, 1),
  { type: 'content-end', index: 1 },
  event('tool-plan-delta', { tool_plan: 'I look ' }),
  event('tool-plan-delta', { tool_plan: 'it up' }),
  event('tool-call-start', { tool_calls: call('weather_1', '') }, 0),
  event('tool-call-delta', { tool_calls: { function: { arguments: '{"city":' } } }, 0),
  event('tool-call-start', { tool_calls: call('weather_2', '') }, 1),
  event('tool-call-delta', { tool_calls: { function: { arguments: '"Oslo"}' } } }, 0),
  event('tool-call-delta', { tool_calls: { function: { arguments: '{"city":"Rome"}' } } }, 1),
  { type: 'tool-call-end', index: 0 },
  { type: 'tool-call-end', index: 1 },
  { type: 'message-end', delta: { finish_reason: 'TOOL_CALL', usage } },
  '[DONE]',
]

const whole: Json = {
  id: 'a1',
  message: {
    role: 'assistant',
    tool_plan: 'I look it up',
    content: [
      { type: 'thinking', thinking: 'Hm.' },
      { type: 'text', text: 'Oslo it is' },
    ],
    citations: [citation],
    tool_calls: [call('weather_1', '{"city":"Oslo"}'), call('weather_2', '{"city":"Rome"}')],
  },
  ...{ finish_reason: 'TOOL_CALL', usage },
}

function call(id: string, given: string): Json {
  return { id, type: 'function', function: { name: 'weather', arguments: given } }
}

it('an answer is the same streamed and whole: plan, thinking, text with its sources, parallel calls, tokens', () => {
  const answer = decodeEvents('cohere', stream)
  expect(answer).toEqual(decodeWhole('cohere', whole))
  expect(answer).toEqual({
    ...{ wire: 'cohere', id: 'a1', finishReason: 'TOOL_CALL', finished: true },
    blocks: [
      { kind: 'thinking', text: 'I look it up' },
      { kind: 'thinking', text: 'Hm.' },
      { kind: 'text', text: 'Oslo it is', citations: [citation] },
      { kind: 'tool call', id: 'weather_1', name: 'weather', arguments: { json: { city: 'Oslo' } } },
      { kind: 'tool call', id: 'weather_2', name: 'weather', arguments: { json: { city: 'Rome' } } },
    ],
    usage: { inputTokens: 60, outputTokens: 9, cachedInputTokens: 32, raw: usage },
  })
})

it('an answer that was cut holds what came of it, and is not finished', () => {
  const answer = decodeEvents('cohere', stream.slice(0, 15))
  expect(answer.finished).toBe(false)
  expect(answer.blocks.at(-1)).toMatchObject({ kind: 'tool call', arguments: { text: '{"city":' } })
})

it('an event that is not known stays as it was sent, and a second start is never joined with the first', () => {
  const debug = { type: 'debug', prompt: 'P' }
  const answer = decodeEvents('cohere', [...stream.slice(0, 3), debug, ...stream])
  expect(answer.blocks.slice(0, 2)).toEqual([
    { kind: 'marker', event: debug },
    { kind: 'marker', event: { id: 'a1', message: { content: [{ type: 'thinking', thinking: 'Hm', index: 0 }] } } },
  ])
  expect(answer.blocks.slice(2)).toEqual(decodeEvents('cohere', stream).blocks)
})

it('errors are told: as a body, and at the end of a stream', () => {
  expect(decodeWhole('cohere', { message: 'invalid api token' }).error?.message).toBe('invalid api token')
  const end = { type: 'message-end', delta: { finish_reason: 'ERROR', error: 'the model gave up' } }
  expect(decodeEvents('cohere', [...stream.slice(0, 3), end])).toMatchObject({
    ...{ finished: true, finishReason: 'ERROR', error: { message: 'the model gave up' } },
    blocks: [{ kind: 'thinking', text: 'Hm' }],
  })
})

const meta = { billed_units: usage.billed_units, tokens: usage.tokens }
const response = { text: 'Ahoy', generation_id: 'g1', finish_reason: 'COMPLETE', meta, chat_history: [] }

const lines: readonly Json[] = [
  { is_finished: false, event_type: 'stream-start', generation_id: 'g1' },
  { is_finished: false, event_type: 'text-generation', text: 'Ah' },
  { is_finished: false, event_type: 'text-generation', text: 'oy' },
  {
    ...{ is_finished: false, event_type: 'tool-calls-generation' },
    tool_calls: [
      { name: 'weather', parameters: { city: 'Oslo' } },
      { name: 'weather', parameters: { city: 'Rome' } },
    ],
  },
]

function textOf(events: readonly Json[]): string {
  return events.map((line) => `${JSON.stringify(line)}\n`).join('')
}

it('version 1 is read as well, whole and in lines, and what came before a cut', () => {
  const end = { is_finished: true, event_type: 'stream-end', finish_reason: 'COMPLETE', response }
  const answer = decodeText('cohere', textOf([...lines.slice(0, 3), end]))
  expect(answer).toEqual(decodeWhole('cohere', response))
  expect(answer).toMatchObject({
    ...{ id: 'g1', blocks: [{ kind: 'text', text: 'Ahoy' }], finishReason: 'COMPLETE', finished: true },
    usage: { inputTokens: 60, outputTokens: 9 },
  })
  expect(decodeText('cohere', textOf(lines))).toMatchObject({
    finished: false,
    blocks: [
      { kind: 'text', text: 'Ahoy' },
      { kind: 'tool call', name: 'weather', arguments: { json: { city: 'Oslo' } } },
      { kind: 'tool call', name: 'weather', arguments: { json: { city: 'Rome' } } },
    ],
  })
})

it('an answer at the path of Cohere that is not of its form is none', () => {
  const url = 'https://provider.test/v2/chat'
  expect(decodeAnswer({ url, body: { json: { reply: 'A' } } })).toBeUndefined()
})
