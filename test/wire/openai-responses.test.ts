import { expect, it } from 'vitest'
import type { Json } from '../../src/core/cassette/document.ts'
import { decodeEvents, decodeWhole } from './stream-of.ts'

const wire = 'openai-responses'
const created: Json = {
  type: 'response.created',
  response: { id: 'resp_1', model: 'gpt-5', status: 'in_progress', output: [] },
}

function about(type: string, members: { readonly [name: string]: Json }): Json {
  return { type: `response.${type}`, output_index: 0, ...members }
}

it('puts items together whatever ids their events have', () => {
  const answer = decodeEvents(wire, [
    created,
    about('output_item.added', { item: { type: 'reasoning', id: 'a', summary: [] } }),
    about('reasoning_summary_part.added', { item_id: 'b', summary_index: 0, part: { type: 'summary_text', text: '' } }),
    about('reasoning_summary_text.delta', { item_id: 'c', summary_index: 0, delta: 'One' }),
    about('reasoning_summary_text.delta', { item_id: 'd', summary_index: 1, delta: 'Two' }),
    about('output_item.added', {
      output_index: 1,
      item: { type: 'function_call', id: 'e', call_id: 'call_0', name: 'f', arguments: '' },
    }),
    about('function_call_arguments.delta', { output_index: 1, item_id: 'g', delta: '{"a"' }),
    about('function_call_arguments.delta', { output_index: 1, item_id: 'h', delta: ':1}' }),
  ])
  expect(answer).toEqual({
    wire,
    id: 'resp_1',
    model: 'gpt-5',
    blocks: [
      { kind: 'thinking', text: 'One\n\nTwo' },
      { kind: 'tool call', id: 'call_0', name: 'f', arguments: { json: { a: 1 } } },
    ],
    finished: false,
  })
})

it('takes what a done event says over its deltas', () => {
  const events = [
    created,
    about('content_part.added', { content_index: 0, part: { type: 'output_text', text: '' } }),
    about('output_text.delta', { content_index: 0, delta: 'Hel' }),
    about('output_text.done', { content_index: 0, text: 'Hello' }),
    about('output_text.annotation.added', {
      content_index: 0,
      annotation: { type: 'url_citation', url: 'https://a.test' },
    }),
    about('refusal.delta', { content_index: 1, delta: 'No' }),
    about('refusal.done', { content_index: 1, refusal: 'No.' }),
  ]
  expect(decodeEvents(wire, events).blocks).toEqual([
    { kind: 'text', text: 'Hello', citations: [{ type: 'url_citation', url: 'https://a.test' }] },
    { kind: 'refusal', text: 'No.' },
  ])
})

it('reads every kind of item, those it does not know as markers', () => {
  const output: Json = [
    {
      type: 'reasoning',
      content: [{ type: 'reasoning_text', text: 'raw' }],
      summary: [{ type: 'summary_text', text: 'sum' }],
      encrypted_content: 'enc',
    },
    { type: 'web_search_call', id: 'ws_1', action: { type: 'search', query: 'q' } },
    { type: 'file_search_call', id: 'fs_1', queries: ['q'], results: [{ text: 't' }] },
    { type: 'code_interpreter_call', id: 'ci_1', code: '1+1', outputs: null },
    { type: 'mcp_call', id: 'mcp_1', name: 'm', arguments: '{}', output: 'done', error: null },
    { type: 'image_generation_call', id: 'ig_1', result: 'AAAA', output_format: 'png' },
    { type: 'custom_tool_call', call_id: 'c1', name: 'sql', input: 'select 1' },
    { type: 'computer_call', call_id: 'c2', action: { type: 'click', x: 1 } },
    {
      type: 'message',
      role: 'assistant',
      content: [{ type: 'output_text', text: 'Hi', annotations: [] }, { type: 'new_part' }],
    },
    { type: 'novelty', id: 'n' },
  ]
  const whole = { id: 'resp_1', object: 'response', status: 'completed', output }
  const { blocks, finishReason, finished } = decodeWhole(wire, whole)
  expect(blocks).toEqual([
    { kind: 'thinking', text: 'raw', redacted: 'enc' },
    { kind: 'thinking', text: 'sum' },
    {
      kind: 'tool call',
      id: 'ws_1',
      name: 'web_search',
      arguments: { json: { type: 'search', query: 'q' } },
      byProvider: true,
    },
    { kind: 'tool call', id: 'fs_1', name: 'file_search', arguments: { json: { queries: ['q'] } }, byProvider: true },
    { kind: 'tool result', id: 'fs_1', name: 'file_search', output: [{ text: 't' }] },
    { kind: 'tool call', id: 'ci_1', name: 'code_interpreter', arguments: { json: { code: '1+1' } }, byProvider: true },
    { kind: 'tool call', id: 'mcp_1', name: 'm', arguments: { json: {} }, byProvider: true },
    { kind: 'tool result', id: 'mcp_1', name: 'm', output: 'done' },
    { kind: 'media', type: 'image/png', data: 'AAAA' },
    { kind: 'tool call', id: 'c1', name: 'sql', arguments: { text: 'select 1' } },
    { kind: 'tool call', id: 'c2', name: 'computer', arguments: { json: { type: 'click', x: 1 } } },
    { kind: 'text', text: 'Hi' },
    { kind: 'marker', event: { type: 'new_part' } },
    { kind: 'marker', event: { type: 'novelty', id: 'n' } },
  ])
  expect({ finishReason, finished }).toEqual({ finishReason: 'completed', finished: true })
  expect(decodeEvents(wire, [created, { type: 'response.completed', response: whole }]).blocks).toEqual(blocks)
})

it('keeps unknown events where they came and passes over those that only tell of progress', () => {
  const odd = { type: 'response.novelty.delta', delta: 'x' }
  const item = { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'A' }] }
  const answer = decodeEvents(wire, [
    created,
    about('output_item.done', { item }),
    odd,
    about('web_search_call.searching', { output_index: 1 }),
    { type: 'keepalive' },
    about('output_item.done', { output_index: 1, item }),
  ])
  expect(answer.blocks).toEqual([
    { kind: 'text', text: 'A' },
    { kind: 'marker', event: odd },
    { kind: 'text', text: 'A' },
  ])
})

it('tells an incomplete answer by its reason, and a failed one by its error', () => {
  const incomplete = { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' }, output: [] }
  expect(decodeEvents(wire, [created, { type: 'response.incomplete', response: incomplete }])).toMatchObject({
    finishReason: 'max_output_tokens',
    finished: true,
  })
  const failed = { status: 'failed', error: { code: 'server_error', message: 'M' }, output: [] }
  expect(decodeEvents(wire, [created, { type: 'response.failed', response: failed }])).toMatchObject({
    finishReason: 'failed',
    error: { code: 'server_error', message: 'M' },
    finished: true,
  })
  const flat = { type: 'error', code: 'rate_limit', message: 'slow', param: null, sequence_number: 1 }
  expect(decodeEvents(wire, [created, flat]).error).toMatchObject({ code: 'rate_limit', message: 'slow' })
})

it('is not finished while it runs in the background', () => {
  const running = { object: 'response', id: 'resp_1', status: 'queued', output: [] }
  expect(decodeWhole(wire, running)).toEqual({ wire, id: 'resp_1', blocks: [], finished: false })
})

it('does not join two responses of one stream: the first is kept as a marker', () => {
  const item = (text: string): Json => about('output_text.delta', { content_index: 0, delta: text })
  const { blocks } = decodeEvents(wire, [created, item('first'), created, item('second')])
  expect(blocks).toMatchObject([
    { kind: 'marker', event: { id: 'resp_1' } },
    { kind: 'text', text: 'second' },
  ])
})

it('takes huge and negative indexes for the next place, never for a length', () => {
  const events = [
    created,
    about('output_text.delta', { output_index: 4_000_000_000, content_index: 4_000_000_000, delta: 'A' }),
    about('output_text.delta', { output_index: 4_000_000_000, content_index: -1, delta: 'B' }),
  ]
  expect(decodeEvents(wire, events).blocks).toEqual([
    { kind: 'text', text: 'A' },
    { kind: 'text', text: 'B' },
  ])
})
