import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Json } from '../../src/core/cassette/document.ts'
import { partsOfEvent, StreamPartReader } from '../../src/wire/stream-parts.ts'

const chat = (delta: object): Json => ({ choices: [{ index: 0, delta }] }) as Json
const block = (delta: object): Json => ({ type: 'content_block_delta', index: 0, delta }) as Json
const cohere = (message: object): Json => ({ type: 'delta', index: 0, delta: { message } }) as Json
const ollama = (members: object): Json => ({ model: 'm', done: false, ...members }) as Json
const gemini = (...parts: object[]): Json => ({ candidates: [{ content: { parts } }] }) as Json

describe('stream parts', () => {
  test.each<[string, Json, string]>([
    ['chat text', chat({ content: 'Oslo' }), 'text Oslo'],
    ['chat reasoning', chat({ reasoning_content: 'hm' }), 'reasoning hm'],
    ['a chat refusal', chat({ refusal: 'no' }), 'refusal no'],
    ['chat arguments', chat({ tool_calls: [{ index: 0, function: { arguments: '{"a"' } }] }), 'tool-args {"a"'],
    [
      'two calls in one event',
      chat({ tool_calls: [{ function: { arguments: '1' } }, { function: { arguments: '2' } }] }),
      'tool-args 1, tool-args 2',
    ],
    ['an opening with no text', chat({ role: 'assistant', content: '' }), 'marker'],
    ['legacy completions', { choices: [{ text: 'Oslo' }] }, 'text Oslo'],
    ['Responses text', { type: 'response.output_text.delta', delta: 'Oslo' }, 'text Oslo'],
    ['Responses reasoning', { type: 'response.reasoning_summary_text.delta', delta: 'hm' }, 'reasoning hm'],
    ['Responses arguments', { type: 'response.function_call_arguments.delta', delta: '{}' }, 'tool-args {}'],
    ['a Responses event of another kind', { type: 'response.completed', response: {} }, 'marker'],
    ['Anthropic text', block({ type: 'text_delta', text: 'Oslo' }), 'text Oslo'],
    ['Anthropic thinking', block({ type: 'thinking_delta', thinking: 'hm' }), 'reasoning hm'],
    ['Anthropic arguments', block({ type: 'input_json_delta', partial_json: '{"a"' }), 'tool-args {"a"'],
    ['an Anthropic signature', block({ type: 'signature_delta', signature: 'x' }), 'marker'],
    ['Gemini text after a thought', gemini({ text: 'hm', thought: true }, { text: 'Oslo' }), 'reasoning hm, text Oslo'],
    ['a Gemini call', gemini({ functionCall: { name: 'book', args: { to: 'Oslo' } } }), 'tool-args {"to":"Oslo"}'],
    ['Cohere text', cohere({ content: { text: 'Oslo' } }), 'text Oslo'],
    ['Cohere thinking', cohere({ content: { thinking: 'hm' } }), 'reasoning hm'],
    ['a plan of Cohere for its tools', cohere({ tool_plan: 'hm' }), 'reasoning hm'],
    ['Cohere arguments', cohere({ tool_calls: { function: { arguments: '{"a"' } } }), 'tool-args {"a"'],
    ['a Cohere event of another kind', { type: 'content-end', index: 0 }, 'marker'],
    ['text of the first Cohere', { event_type: 'text-generation', text: 'Oslo' }, 'text Oslo'],
    [
      'arguments of the first Cohere',
      { event_type: 'tool-calls-chunk', tool_call_delta: { parameters: '{' } },
      'tool-args {',
    ],
    ['an Ollama message', ollama({ message: { thinking: 'hm', content: 'Oslo' } }), 'reasoning hm, text Oslo'],
    [
      'an Ollama call',
      ollama({ message: { content: '', tool_calls: [{ function: { arguments: { a: 1 } } }] } }),
      'tool-args {"a":1}',
    ],
    ['a line of generate', ollama({ response: 'Oslo' }), 'text Oslo'],
    ['the last line of Ollama', ollama({ response: '', done: true }), 'marker'],
    ['an AI SDK part', { type: 'text-delta', id: '1', delta: 'Oslo' }, 'text Oslo'],
    ['anything else', { hello: 1 }, 'marker'],
    ['a word', '[DONE]', 'marker'],
  ])('TH-07 tell %s', (_what, event, told) => {
    expect(
      partsOfEvent(event)
        .map(({ kind, text }) => (text === '' ? kind : `${kind} ${text}`))
        .join(', '),
    ).toBe(told)
  })

  test('TH-08 name the event as the provider does', () => {
    expect(partsOfEvent({ type: 'response.completed' })).toEqual([
      { kind: 'marker', text: '', type: 'response.completed' },
    ])
    expect(partsOfEvent('[DONE]')).toEqual([{ kind: 'marker', text: '', type: '[DONE]' }])
    expect(partsOfEvent({ hello: 1 }, 'ping')).toEqual([{ kind: 'marker', text: '', type: 'ping' }])
  })

  test('are the same however the bytes are cut', () => {
    const texts = ['Ber', 'lin → ', '𝔒slo', '']
    const bytes = Buffer.from(texts.map((text) => `data: ${JSON.stringify(chat({ content: text }))}\n\n`).join(''))
    fc.assert(
      fc.property(fc.array(fc.nat(bytes.length), { maxLength: 6 }), (cuts) => {
        const places = [0, ...cuts.toSorted((one, other) => one - other), bytes.length]
        const reader = new StreamPartReader()
        const parts = places.flatMap((place, index) => reader.push(bytes.subarray(place, places[index + 1])))
        expect(parts.map(({ text }) => text)).toEqual(texts)
      }),
      { numRuns: 40 },
    )
  })
})
