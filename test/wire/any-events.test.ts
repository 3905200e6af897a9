import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Json } from '../../src/core/cassette/document.ts'
import { emptyAnswer } from '../../src/wire/answer-state.ts'
import type { Wire } from '../../src/wire/block.ts'
import { decoders } from '../../src/wire/decoders.ts'
import { settingsOf, toolResultsOf } from '../../src/wire/read-request.ts'
import { urlOf } from './stream-of.ts'

/** Words of the wires, so that chance makes events which nearly mean something. */
const words: Readonly<Record<Wire, readonly string[]>> = {
  'openai-chat': [
    'choices',
    'delta',
    'message',
    'content',
    'tool_calls',
    'function',
    'arguments',
    'index',
    'error',
    'usage',
    'text',
    'reasoning_details',
  ],
  'openai-responses': [
    'type',
    'response',
    'item',
    'output',
    'output_index',
    'content',
    'summary',
    'response.output_item.done',
    'response.output_text.delta',
    'response.completed',
    'message',
    'delta',
  ],
  'bedrock-converse': [
    'contentBlockStart',
    'contentBlockDelta',
    'messageStop',
    'metadata',
    'contentBlockIndex',
    'start',
    'delta',
    'text',
    'toolUse',
    'input',
    'reasoningContent',
    'redactedContent',
    'citation',
    'toolResult',
    'output',
    'message',
    'content',
    'usage',
  ],
  'anthropic-messages': [
    'type',
    'index',
    'delta',
    'content_block',
    'message_start',
    'content_block_start',
    'content_block_delta',
    'message',
    'text_delta',
    'usage',
    'content',
    'input_json_delta',
  ],
  cohere: [
    'type',
    'index',
    'delta',
    'message',
    'content',
    'tool_calls',
    'message-start',
    'content-start',
    'content-delta',
    'tool-call-delta',
    'message-end',
    'event_type',
    'stream-end',
    'text-generation',
    'text',
  ],
  ollama: ['message', 'content', 'thinking', 'tool_calls', 'function', 'arguments', 'done', 'response', 'error'],
  gemini: [
    'candidates',
    'content',
    'parts',
    'text',
    'functionCall',
    'partialArgs',
    'jsonPath',
    'index',
    'usageMetadata',
    'promptFeedback',
    'args',
    '$.a[0]',
  ],
}

function anyEvent(names: readonly string[]): fc.Arbitrary<Json> {
  const name = fc.oneof(
    { weight: 9, arbitrary: fc.constantFrom(...names) },
    fc.constantFrom('__proto__', 'constructor', 'x'),
  )
  const { json } = fc.letrec<{ json: Json }>((tie) => ({
    json: fc.oneof(
      { depthSize: 'medium' },
      fc.oneof(name, fc.constantFrom<Json>(null, true, 0, 1, -1, 1e9, '', '{"a":1}')),
      fc.array(tie('json'), { maxLength: 3 }),
      fc
        .array(fc.tuple(name, tie('json')), { maxLength: 4 })
        .map((members) => JSON.parse(JSON.stringify(Object.fromEntries(members))) as Json),
    ),
  }))
  return json
}

function freeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value)
    for (const member of Object.values(value)) freeze(member)
  }
  return value
}

describe.each(Object.keys(words) as readonly Wire[])('%s', (wire) => {
  it('takes any events without failing, and never changes a state it was given', () => {
    const { reduce, read } = decoders[wire]
    fc.assert(
      fc.property(fc.array(anyEvent(words[wire]), { maxLength: 6 }), (events) => {
        let state = freeze({ ...emptyAnswer })
        for (const data of events) state = freeze(reduce(state, { data: freeze(data) }))
        const answer = read(state)
        expect(answer.wire).toBe(wire)
        expect(read(state)).toEqual(answer)
      }),
      { numRuns: 400 },
    )
  })

  it('takes any request without failing', () => {
    const names = [
      'messages',
      'contents',
      'input',
      'role',
      'tool',
      'tools',
      'parts',
      'content',
      'type',
      'tool_result',
      'function',
      'system',
      'stop',
    ]
    fc.assert(
      fc.property(anyEvent(names), (request) => {
        expect(Array.isArray(toolResultsOf(request, wire))).toBe(true)
        expect(Array.isArray(settingsOf({ wire, url: urlOf(wire), request }).tools)).toBe(true)
      }),
      { numRuns: 150 },
    )
  })
})
