import { expect, it } from 'vitest'
import type { Json } from '../../src/core/cassette/document.ts'
import { decodeEvents, decodeText, decodeWhole } from './stream-of.ts'

const wire = 'anthropic-messages'
const usage = { input_tokens: 3, cache_read_input_tokens: 100, cache_creation_input_tokens: 20, output_tokens: 1 }
const start: Json = {
  type: 'message_start',
  message: { id: 'msg_1', type: 'message', role: 'assistant', model: 'claude', content: [], usage },
}

function block(index: number, content: Json, ...deltas: readonly Json[]): readonly Json[] {
  return [
    { type: 'content_block_start', index, content_block: content },
    ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
    { type: 'content_block_stop', index },
  ]
}

const end: readonly Json[] = [
  {
    type: 'message_delta',
    delta: { stop_reason: 'tool_use', stop_sequence: null },
    usage: { output_tokens: 9, input_tokens: null },
  },
  { type: 'message_stop' },
]

it('puts every kind of block together, as the message without streaming has it', () => {
  const citation = { type: 'char_location', cited_text: 'x' }
  const answer = decodeEvents(wire, [
    start,
    { type: 'ping' },
    ...block(
      0,
      { type: 'thinking', thinking: '', signature: '' },
      { type: 'thinking_delta', thinking: 'Hm' },
      { type: 'thinking_delta', thinking: '.' },
      { type: 'signature_delta', signature: 'sig' },
    ),
    ...block(1, { type: 'redacted_thinking', data: 'enc' }),
    ...block(2, { type: 'text', text: '' }, { type: 'text_delta', text: 'Hi' }, { type: 'citations_delta', citation }),
    ...block(
      3,
      { type: 'tool_use', id: 'toolu_1', name: 'add', input: {} },
      { type: 'input_json_delta', partial_json: '' },
      { type: 'input_json_delta', partial_json: '{"a":' },
      { type: 'input_json_delta', partial_json: '1}' },
    ),
    ...block(
      4,
      { type: 'tool_use', id: 'toolu_2', name: 'now', input: {} },
      { type: 'input_json_delta', partial_json: '' },
    ),
    ...block(
      5,
      { type: 'server_tool_use', id: 'srv_1', name: 'web_search', input: {} },
      { type: 'input_json_delta', partial_json: '{"query":"q"}' },
    ),
    ...block(6, { type: 'web_search_tool_result', tool_use_id: 'srv_1', content: [{ url: 'u' }] }),
    ...block(7, { type: 'novelty', x: 1 }),
    ...end,
  ])
  expect(answer).toEqual({
    wire,
    id: 'msg_1',
    model: 'claude',
    blocks: [
      { kind: 'thinking', text: 'Hm.', signature: 'sig' },
      { kind: 'thinking', text: '', redacted: 'enc' },
      { kind: 'text', text: 'Hi', citations: [citation] },
      { kind: 'tool call', id: 'toolu_1', name: 'add', arguments: { json: { a: 1 } } },
      { kind: 'tool call', id: 'toolu_2', name: 'now', arguments: { json: {} } },
      { kind: 'tool call', id: 'srv_1', name: 'web_search', arguments: { json: { query: 'q' } }, byProvider: true },
      { kind: 'tool result', id: 'srv_1', name: 'web_search', output: [{ url: 'u' }] },
      { kind: 'marker', event: { type: 'novelty', x: 1 } },
    ],
    finishReason: 'tool_use',
    usage: { inputTokens: 123, outputTokens: 9, cachedInputTokens: 100, raw: { ...usage, output_tokens: 9 } },
    finished: true,
  })
})

it('keeps the unfinished arguments of a call that was cut as text', () => {
  const call = block(
    0,
    { type: 'tool_use', id: 'toolu_1', name: 'add', input: {} },
    { type: 'input_json_delta', partial_json: '{"a":' },
  )
  const cutAt = (events: readonly Json[]): unknown => decodeEvents(wire, [start, ...events]).blocks
  expect(cutAt(call.slice(0, 2))).toMatchObject([{ arguments: { text: '{"a":' } }])
  expect(cutAt(call.slice(0, 1))).toMatchObject([{ arguments: { text: '' } }])
  expect(decodeEvents(wire, [start, ...call]).finished).toBe(false)
})

it('is not finished by a stop reason without its last event', () => {
  expect(decodeEvents(wire, [start, ...end.slice(0, 1)])).toMatchObject({ finishReason: 'tool_use', finished: false })
})

it('keeps an error event with what came before it', () => {
  const error = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' }, request_id: 'req_1' }
  const answer = decodeEvents(wire, [
    start,
    ...block(0, { type: 'text', text: '' }, { type: 'text_delta', text: 'Hi' }),
    error,
  ])
  expect(answer).toMatchObject({
    blocks: [{ kind: 'text', text: 'Hi' }],
    error: { type: 'overloaded_error', message: 'Overloaded', raw: error },
    finished: true,
  })
})

it('reads events that are named by the stream alone', () => {
  const named = 'event: message_stop\ndata: {}\n\n'
  expect(decodeText(wire, `data: ${JSON.stringify(start)}\n\n${named}`)).toMatchObject({ blocks: [], finished: true })
})

it('keeps unknown events and deltas in place', () => {
  const odd: Json = { type: 'novelty', n: 1 }
  const oddDelta: Json = { type: 'content_block_delta', index: 0, delta: { type: 'new_delta' } }
  const orphan: Json = { type: 'content_block_delta', index: 9, delta: { type: 'text_delta', text: 'x' } }
  const text = block(0, { type: 'text', text: 'A' })
  expect(decodeEvents(wire, [start, odd, ...text, oddDelta, orphan]).blocks).toEqual([
    { kind: 'marker', event: odd },
    { kind: 'text', text: 'A' },
    { kind: 'marker', event: oddDelta },
    { kind: 'marker', event: orphan },
  ])
})

it('does not join two messages of one stream: the first is kept as a marker', () => {
  const text = (value: string): readonly Json[] =>
    block(0, { type: 'text', text: '' }, { type: 'text_delta', text: value })
  const { blocks } = decodeEvents(wire, [start, ...text('first'), start, ...text('second')])
  expect(blocks).toMatchObject([
    { kind: 'marker', event: { id: 'msg_1', content: [{ type: 'text', text: 'first' }] } },
    { kind: 'text', text: 'second' },
  ])
})

it('tells the stop sequence, and why it refuses', () => {
  const message = { type: 'message', id: 'msg_1', role: 'assistant', model: 'claude', content: [] }
  expect(decodeWhole(wire, { ...message, stop_reason: 'stop_sequence', stop_sequence: 'END' })).toMatchObject({
    finishReason: 'stop_sequence',
    finishDetail: 'END',
  })
  const details = { type: 'refusal', category: 'cyber', explanation: 'No.' }
  expect(decodeWhole(wire, { ...message, stop_reason: 'refusal', stop_details: details })).toMatchObject({
    blocks: [{ kind: 'refusal', text: 'No.' }],
    finishDetail: details,
  })
})
