import { describe, expect, it } from 'vitest'
import type { Json } from '../../src/core/cassette/document.ts'
import { decodeAnswer } from '../../src/wire/decode-answer.ts'
import { settingsOf, toolResultsOf } from '../../src/wire/read-request.ts'
import { sameContent } from '../../src/wire/same-content.ts'
import { StreamPartReader } from '../../src/wire/stream-parts.ts'
import { chunkFrame, converseFrames, eventFrame } from './amazon-codec.ts'

const model = 'https://bedrock-runtime.us-east-1.amazonaws.com/model/us.amazon.nova-lite-v1%3A0'

function decode(frames: readonly Uint8Array[], url = `${model}/converse-stream`, request?: Json) {
  return decodeAnswer({ url, ...(request !== undefined && { request }), body: frames })
}

const whole = {
  output: {
    message: {
      role: 'assistant',
      content: [
        { reasoningContent: { reasoningText: { text: 'Look it up.', signature: 'c2lnbmVk' } } },
        { text: 'Oslo is 89 euros 🛫' },
        { toolUse: { toolUseId: 'tooluse_2', name: 'book', input: { city: 'Oslo' } } },
      ],
    },
  },
  stopReason: 'tool_use',
  usage: { inputTokens: 10, outputTokens: 5, totalTokens: 18, cacheReadInputTokens: 3, cacheWriteInputTokens: 0 },
  metrics: { latencyMs: 40 },
}

describe('ConverseStream', () => {
  it('is decoded: thinking, text, tool call, usage with what was cached, stop reason', () => {
    expect(decode(converseFrames())).toMatchInlineSnapshot(`
      {
        "blocks": [
          {
            "kind": "thinking",
            "signature": "c2lnbmVk",
            "text": "Look it up.",
          },
          {
            "kind": "text",
            "text": "Oslo is 89 euros 🛫",
          },
          {
            "arguments": {
              "json": {
                "city": "Oslo",
              },
            },
            "id": "tooluse_1",
            "kind": "tool call",
            "name": "book",
          },
        ],
        "finishReason": "tool_use",
        "finished": true,
        "usage": {
          "cachedInputTokens": 3,
          "inputTokens": 13,
          "outputTokens": 5,
          "raw": {
            "cacheReadInputTokens": 3,
            "cacheWriteInputTokens": 0,
            "inputTokens": 10,
            "outputTokens": 5,
            "totalTokens": 18,
          },
          "totalTokens": 18,
        },
        "wire": "bedrock-converse",
      }
    `)
  })

  it('says the same as Converse without streaming', () => {
    const plain = decodeAnswer({ url: `${model}/converse`, body: { json: whole } })
    const streamed = decode(converseFrames())
    expect(plain?.wire).toBe('bedrock-converse')
    expect(plain && streamed && sameContent(plain, streamed)).toBe(true)
  })

  it('gives its parts one by one to who steps through it', () => {
    const reader = new StreamPartReader()
    const parts = converseFrames().flatMap((frame) => reader.push(frame))
    expect(parts.filter(({ kind }) => kind !== 'marker').map(({ kind, text }) => [kind, text])).toEqual([
      ['reasoning', 'Look it '],
      ['reasoning', 'up.'],
      ['text', 'Oslo '],
      ['text', 'is '],
      ['text', '89 euros 🛫'],
      ['tool-args', '{"city":'],
      ['tool-args', '"Oslo"}'],
    ])
    expect(parts[0]).toEqual({ kind: 'marker', text: '', type: 'messageStart' })
  })

  it('that an exception ends tells of it, with what came before', () => {
    const frames = [
      ...converseFrames().slice(0, 6),
      eventFrame('throttlingException', { message: 'Too many tokens' }, 'exception'),
    ]
    expect(decode(frames)).toMatchObject({
      finished: true,
      error: { type: 'throttlingException', message: 'Too many tokens' },
      blocks: [
        { kind: 'thinking', text: 'Look it up.' },
        { kind: 'text', text: 'Oslo ' },
      ],
    })
  })

  it('that was cut is not finished, and says what the cut event held', () => {
    const bytes = Buffer.concat(converseFrames().slice(0, 6))
    expect(decode([bytes.subarray(0, bytes.length - 30)])).toMatchObject({
      finished: false,
      blocks: [{ kind: 'thinking' }],
      torn: expect.stringMatching(/^\{"contentBlockIndex":1/),
    })
  })

  it('keeps an event and a block that it does not know', () => {
    const frames = [
      eventFrame('messageStart', { role: 'assistant' }),
      eventFrame('contentBlockDelta', { contentBlockIndex: 0, delta: { hologram: { bytes: 'AA==' } } }),
      eventFrame('somethingNew', { value: 1 }),
      eventFrame('messageStop', { stopReason: 'end_turn' }),
    ]
    expect(decode(frames)?.blocks).toEqual([
      { kind: 'marker', event: { contentBlockIndex: 0, delta: { hologram: { bytes: 'AA==' } } } },
      { kind: 'marker', event: { somethingNew: { value: 1 } } },
    ])
  })

  it('has citations beside their text, redacted thinking, tools of the provider and pictures', () => {
    const delta = (contentBlockIndex: number, value: Json) =>
      eventFrame('contentBlockDelta', { contentBlockIndex, delta: value })
    const start = (contentBlockIndex: number, value: Json) =>
      eventFrame('contentBlockStart', { contentBlockIndex, start: value })
    const frames = [
      delta(0, { reasoningContent: { redactedContent: Buffer.from('one').toString('base64') } }),
      delta(0, { reasoningContent: { redactedContent: Buffer.from('two').toString('base64') } }),
      delta(1, { text: 'It rains' }),
      delta(1, { citation: { title: 'Forecast' } }),
      delta(1, { text: '.' }),
      start(2, { toolUse: { toolUseId: 't', name: 'nova_grounding', type: 'server_tool_use' } }),
      start(3, { toolResult: { toolUseId: 't', type: 'nova_grounding_result' } }),
      delta(3, { toolResult: [{ text: 'found' }] }),
      start(4, { image: { format: 'png' } }),
      delta(4, { image: { source: { bytes: 'AAAA' } } }),
    ]
    expect(decode(frames)?.blocks).toEqual([
      { kind: 'thinking', text: '', redacted: Buffer.from('onetwo').toString('base64') },
      { kind: 'text', text: 'It rains.', citations: [{ title: 'Forecast' }] },
      { kind: 'tool call', id: 't', name: 'nova_grounding', arguments: { json: {} }, byProvider: true },
      { kind: 'tool result', id: 't', output: [{ text: 'found' }] },
      { kind: 'media', type: 'image/png', data: 'AAAA' },
    ])
  })
})

describe('InvokeModelWithResponseStream', () => {
  const invoke = `${model}/invoke-with-response-stream`

  it('gives the events of the wire that the model speaks', () => {
    const claude = [
      { type: 'message_start', message: { id: 'msg_1', role: 'assistant', content: [], usage: { input_tokens: 4 } } },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hello' } },
      { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 2 } },
      { type: 'message_stop', 'amazon-bedrock-invocationMetrics': { invocationLatency: 3 } },
    ]
    expect(decode(claude.map(chunkFrame), invoke)).toMatchObject({
      wire: 'anthropic-messages',
      blocks: [{ kind: 'text', text: 'Hello' }],
      finishReason: 'end_turn',
      finished: true,
    })
  })

  it('of Nova has the events of Converse, each in an object of its name', () => {
    const nova = [
      { messageStart: { role: 'assistant' } },
      { contentBlockDelta: { delta: { text: 'Hel' }, contentBlockIndex: 0 } },
      { contentBlockDelta: { delta: { text: 'lo' }, contentBlockIndex: 0 } },
      { contentBlockStop: { contentBlockIndex: 0 } },
      { messageStop: { stopReason: 'end_turn' } },
      { metadata: { usage: { inputTokens: 1, outputTokens: 2 } }, 'amazon-bedrock-invocationMetrics': {} },
    ]
    expect(decode(nova.map(chunkFrame), invoke)).toMatchObject({
      wire: 'bedrock-converse',
      blocks: [{ kind: 'text', text: 'Hello' }],
      usage: { inputTokens: 1, outputTokens: 2 },
      finished: true,
    })
    const whole = { output: { message: { role: 'assistant', content: [{ text: 'Hi' }] } }, stopReason: 'end_turn' }
    expect(decodeAnswer({ url: `${model}/invoke`, body: { json: whole } })?.blocks).toEqual([
      { kind: 'text', text: 'Hi' },
    ])
  })

  it('is no answer of ours where the model speaks a wire that we do not know', () => {
    expect(decode([chunkFrame({ generation: 'Hi', stop_reason: null })], invoke)).toBeUndefined()
  })
})

it('an error body is one, and of a request of Claude it is Anthropic’s', () => {
  const json = { message: 'The security token included in the request is invalid.' }
  const failed = decodeAnswer({ url: `${model}/converse`, request: {}, body: { json } })
  expect(failed).toMatchObject({ wire: 'bedrock-converse', finished: true, error: json })
  const request = { anthropic_version: 'bedrock-2023-05-31', messages: [] }
  expect(decodeAnswer({ url: `${model}/invoke`, request, body: { json } })?.wire).toBe('anthropic-messages')
})

const request = {
  system: [{ text: 'Be brief.' }, { cachePoint: { type: 'default' } }],
  messages: [
    { role: 'user', content: [{ text: 'Oslo?' }] },
    { role: 'assistant', content: [{ toolUse: { toolUseId: 't1', name: 'book', input: {} } }] },
    {
      role: 'user',
      content: [{ toolResult: { toolUseId: 't1', content: [{ json: { price: 89 } }], status: 'error' } }],
    },
  ],
  toolConfig: {
    tools: [
      { toolSpec: { name: 'book', description: 'Books', inputSchema: { json: { type: 'object' } } } },
      { systemTool: { name: 'nova_grounding' } },
      { cachePoint: { type: 'default' } },
    ],
    toolChoice: { auto: {} },
  },
  inferenceConfig: { maxTokens: 500, temperature: 0.2, topP: 0.9, stopSequences: ['END'] },
  additionalModelRequestFields: { thinking: { type: 'enabled', budget_tokens: 1024 } },
  guardrailConfig: { guardrailIdentifier: 'g' },
}

it('a request has its settings, the model of its path among them, and its tool results', () => {
  expect(settingsOf({ wire: 'bedrock-converse', url: `${model}/converse`, request })).toMatchObject({
    model: 'us.amazon.nova-lite-v1:0',
    instructions: 'Be brief.',
    tools: [{ name: 'book', description: 'Books', parameters: { type: 'object' } }, { name: 'nova_grounding' }],
    toolChoice: { auto: {} },
    temperature: 0.2,
    topP: 0.9,
    maxOutputTokens: 500,
    stopSequences: ['END'],
    reasoning: { type: 'enabled', budget_tokens: 1024 },
    others: { guardrailConfig: { guardrailIdentifier: 'g' } },
  })
  expect(toolResultsOf(request, 'bedrock-converse')).toEqual([
    { id: 't1', name: 'book', output: [{ json: { price: 89 } }], isError: true },
  ])
})
