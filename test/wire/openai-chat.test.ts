import { describe, expect, it } from 'vitest'
import type { Json } from '../../src/core/cassette/document.ts'
import type { DecodedAnswer } from '../../src/wire/block.ts'
import { decodeEvents, decodeText, decodeWhole } from './stream-of.ts'

const wire = 'openai-chat'

function chunk(delta: Json, finishReason: string | null = null): Json {
  return { id: 'chatcmpl-1', model: 'gpt-5', choices: [{ index: 0, delta, finish_reason: finishReason }] }
}

function callsOf(answer: DecodedAnswer): readonly unknown[] {
  return answer.blocks.flatMap((block) => (block.kind === 'tool call' ? [[block.id, block.name, block.arguments]] : []))
}

function fragments(...calls: readonly Json[]): readonly Json[] {
  return calls.map((call) => chunk({ tool_calls: [call] }))
}

describe('tool calls', () => {
  it('are put together from fragments, parallel ones by index', () => {
    const answer = decodeEvents(wire, [
      ...fragments(
        { index: 0, id: 'a', type: 'function', function: { name: 'add', arguments: '' } },
        { index: 1, id: 'b', type: 'function', function: { name: 'sub', arguments: '{"x"' } },
        { index: 0, function: { arguments: '{"x":1' } },
        { index: 1, function: { arguments: ':2}' } },
        { index: 0, function: { arguments: '}' } },
      ),
      chunk({}, 'tool_calls'),
      '[DONE]',
    ])
    expect(callsOf(answer)).toEqual([
      ['a', 'add', { json: { x: 1 } }],
      ['b', 'sub', { json: { x: 2 } }],
    ])
    expect(answer).toMatchObject({ finishReason: 'tool_calls', finished: true })
  })

  it('that are whole, with one index and empty ids, stay apart (the OpenAI surface of Gemini)', () => {
    const call = (city: string): Json => ({
      index: 0,
      id: '',
      function: { name: 'weather', arguments: `{"c":"${city}"}` },
    })
    expect(callsOf(decodeEvents(wire, fragments(call('Oslo'), call('Rome'))))).toEqual([
      [undefined, 'weather', { json: { c: 'Oslo' } }],
      [undefined, 'weather', { json: { c: 'Rome' } }],
    ])
  })

  it('that are whole values, without an index or an id, stay apart', () => {
    const call = (city: string): Json => ({ function: { name: 'weather', arguments: { city } } })
    const expected = ['Oslo', 'Rome'].map((city) => [undefined, 'weather', { json: { city } }])
    expect(callsOf(decodeEvents(wire, fragments(call('Oslo'), call('Rome'))))).toEqual(expected)
    const message = { tool_calls: [call('Oslo'), call('Rome')] }
    expect(callsOf(decodeWhole(wire, { choices: [{ index: 0, message }] }))).toEqual(expected)
  })

  it('without an index go on until another id comes', () => {
    const answer = decodeEvents(
      wire,
      fragments(
        { id: 'call_0', function: { name: 'a', arguments: '{"x":' } },
        { function: { arguments: '1}' } },
        { id: 'call_1', function: { name: 'b', arguments: '{}' } },
      ),
    )
    expect(callsOf(answer)).toEqual([
      ['call_0', 'a', { json: { x: 1 } }],
      ['call_1', 'b', { json: {} }],
    ])
  })

  it('with the same id at two indexes are two, and a name sent again is not joined', () => {
    const answer = decodeEvents(
      wire,
      fragments(
        { index: 0, id: 'call_0', function: { name: 'a', arguments: '{"x"' } },
        { index: 0, id: 'call_0', function: { name: 'a', arguments: ':1}' } },
        { index: 1, id: 'call_0', function: { name: 'a', arguments: '{}' } },
      ),
    )
    expect(callsOf(answer)).toEqual([
      ['call_0', 'a', { json: { x: 1 } }],
      ['call_0', 'a', { json: {} }],
    ])
  })

  it('keep as text what is unfinished, no JSON, or no exact value', () => {
    const texts = ['{"x":', '', 'Paris', '{"n":12345678901234567890}', '{"a":1,"a":2}']
    for (const text of texts) {
      const [call] = callsOf(
        decodeEvents(wire, fragments({ index: 0, id: 'a', function: { name: 'f', arguments: text } })),
      )
      expect(call).toEqual(['a', 'f', { text }])
    }
  })

  it('of custom tools hold free text, and the legacy function_call is a call without an id', () => {
    const custom = { tool_calls: [{ id: 'c', type: 'custom', custom: { name: 'sql', input: '1' } }] }
    const legacy = [
      chunk({ function_call: { name: 'f', arguments: '{"a"' } }),
      chunk({ function_call: { arguments: ':1}' } }),
    ]
    expect(
      callsOf(decodeWhole(wire, { choices: [{ index: 0, message: custom, finish_reason: 'tool_calls' }] })),
    ).toEqual([['c', 'sql', { text: '1' }]])
    expect(callsOf(decodeEvents(wire, legacy))).toEqual([[undefined, 'f', { json: { a: 1 } }]])
  })
})

describe('thinking', () => {
  it.each(['reasoning', 'reasoning_content'])('is read from %s and comes before the text', (name) => {
    const answer = decodeEvents(wire, [
      chunk({ content: 'B' }),
      chunk({ [name]: 'th' }),
      chunk({ [name]: 'ink', content: null }),
    ])
    expect(answer.blocks).toEqual([
      { kind: 'thinking', text: 'think' },
      { kind: 'text', text: 'B' },
    ])
  })

  it('of OpenRouter has its signature and what is encrypted', () => {
    const details = [
      [{ type: 'reasoning.text', index: 0, text: 'a' }],
      [{ type: 'reasoning.text', index: 0, text: 'b', signature: 'sig' }],
      [{ type: 'reasoning.encrypted', index: 1, data: 'xyz' }],
    ]
    expect(
      decodeEvents(
        wire,
        details.map((list) => chunk({ reasoning_details: list })),
      ).blocks,
    ).toEqual([
      { kind: 'thinking', text: 'ab', signature: 'sig' },
      { kind: 'thinking', text: '', redacted: 'xyz' },
    ])
  })

  it('of Mistral comes as parts of the content', () => {
    const thinking = (text: string): Json => ({ type: 'thinking', thinking: [{ type: 'text', text }] })
    const answer = decodeEvents(wire, [
      chunk({ content: [thinking('O')] }),
      chunk({ content: [thinking('k')] }),
      chunk({ content: '4' }),
    ])
    expect(answer.blocks).toEqual([
      { kind: 'thinking', text: 'Ok' },
      { kind: 'text', text: '4' },
    ])
    const message = { content: [thinking('Ok'), { type: 'text', text: '4' }] }
    expect(decodeWhole(wire, { choices: [{ index: 0, message }] }).blocks).toEqual(answer.blocks)
  })
})

it('keeps refusals, audio, images and citations', () => {
  const message = {
    content: 'See [1].',
    refusal: 'No.',
    annotations: [{ type: 'url_citation', url_citation: { url: 'https://a.test' } }],
    images: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } }],
    audio: { id: 'audio_1', data: 'BBBB', transcript: 'Hi', expires_at: 1 },
  }
  expect(decodeWhole(wire, { choices: [{ index: 0, message, finish_reason: 'stop' }] }).blocks).toEqual([
    { kind: 'text', text: 'See [1].', citations: message.annotations },
    { kind: 'refusal', text: 'No.' },
    { kind: 'media', type: 'image/png', data: 'AAAA' },
    { kind: 'media', type: 'audio', data: 'BBBB', id: 'audio_1', transcript: 'Hi' },
  ])
})

it('keeps the choices after the first as alternatives', () => {
  const events = [1, 0, 1].map((index, at): Json => ({ choices: [{ index, delta: { content: `${index}${at}` } }] }))
  const answer = decodeEvents(wire, [...events, { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }])
  expect(answer).toMatchObject({
    blocks: [{ kind: 'text', text: '01' }],
    alternatives: [{ blocks: [{ kind: 'text', text: '1012' }] }],
    finished: true,
  })
})

it('TH-08 AS-03 keeps unknown events and payloads in place, never fatal', () => {
  const odd = { type: 'telemetry', ms: 3 }
  const answer = decodeEvents(wire, [chunk({ content: 'a' }), odd, 'not json', '42', chunk({ content: 'b' }, 'stop')])
  expect(answer.blocks).toEqual([
    { kind: 'text', text: 'ab' },
    { kind: 'marker', event: odd },
    { kind: 'marker', event: 'not json' },
    { kind: 'marker', event: 42 },
  ])
})

it('keeps an error in the stream with what came before it', () => {
  const error = { error: { code: 502, message: 'Provider disconnected', type: 'server_error' } }
  expect(decodeEvents(wire, [chunk({ content: 'a' }), error])).toMatchObject({
    blocks: [{ kind: 'text', text: 'a' }],
    error: { type: 'server_error', code: 502, message: 'Provider disconnected', raw: error },
    finished: true,
  })
})

it('is unfinished where it was cut, the torn event apart', () => {
  const text = `data: ${JSON.stringify(chunk({ content: 'a' }))}\n\ndata: {"choices":[{"del`
  expect(decodeText(wire, text)).toMatchObject({
    blocks: [{ kind: 'text', text: 'a' }],
    finished: false,
    torn: '{"choices":[{"del',
  })
})

it('reads usage of a last event without choices, of Groq and of DeepSeek', () => {
  const details = { prompt_tokens_details: { cached_tokens: 2 }, completion_tokens_details: { reasoning_tokens: 1 } }
  const usage = { prompt_tokens: 5, completion_tokens: 3, total_tokens: 8, ...details }
  const { raw, ...counts } = decodeEvents(wire, [chunk({}, 'stop'), { choices: [], usage }]).usage ?? { raw: null }
  expect(counts).toEqual({ inputTokens: 5, outputTokens: 3, cachedInputTokens: 2, reasoningTokens: 1, totalTokens: 8 })
  expect(raw).toEqual(usage)
  const groq = { choices: [], x_groq: { usage: { prompt_tokens: 1, completion_tokens: 2 } } }
  expect(decodeEvents(wire, [groq]).usage).toMatchObject({ inputTokens: 1, outputTokens: 2 })
  const deepSeek = { prompt_tokens: 9, completion_tokens: 1, prompt_cache_hit_tokens: 4 }
  expect(decodeEvents(wire, [{ choices: [], usage: deepSeek }]).usage).toMatchObject({ cachedInputTokens: 4 })
})

it.each([
  ['OpenAI', { error: { message: 'M', type: 'T', code: 'C', param: null } }, { type: 'T', code: 'C', message: 'M' }],
  ['OpenRouter', { error: { message: 'M', code: 429 } }, { code: 429, message: 'M' }],
  ['Hugging Face', { error: 'M' }, { message: 'M' }],
  [
    'Mistral',
    { object: 'error', message: { detail: [] }, type: 'T', code: '1' },
    { type: 'T', code: '1', message: '{"detail":[]}' },
  ],
  ['a gateway', { message: 'M', request_id: 'r' }, { message: 'M' }],
  ['FastAPI', { detail: 'M' }, { message: 'M' }],
])('reads an error body of %s', (_, body, expected) => {
  expect(decodeWhole(wire, body)).toMatchObject({ blocks: [], error: { ...expected, raw: body }, finished: true })
})
