import { describe, expect, it } from 'vitest'
import type { Json } from '../../src/core/cassette/document.ts'
import { parseMemberPath } from '../../src/core/matching/member-path.ts'
import type { Wire } from '../../src/wire/block.ts'
import { decodeAnswer } from '../../src/wire/decode-answer.ts'
import { decoders, volatileMembers } from '../../src/wire/decoders.ts'
import { sameContent } from '../../src/wire/same-content.ts'
import { hasCorpus } from '../corpus/corpus.ts'
import { answerText, corpusAnswers, isText } from './corpus-answers.ts'
import { decodeWhole } from './stream-of.ts'

const wires = Object.keys(decoders) as readonly Wire[]

interface Twins {
  readonly wire: Wire
  /** The answer with one of its texts, ids and dates replaced. */
  readonly answer: (said: { readonly text: string; readonly id: string; readonly cached: number }) => Json
}

const twins: readonly Twins[] = [
  {
    wire: 'openai-chat',
    answer: ({ text, id, cached }) => ({
      ...{ id, created: id.length, system_fingerprint: id, service_tier: id, model: 'm' },
      choices: [
        {
          index: 0,
          finish_reason: 'stop',
          message: { content: text, tool_calls: [{ id, function: { name: 'f', arguments: '{}' } }] },
        },
      ],
      usage: {
        prompt_tokens: 5,
        completion_tokens: 5,
        total_time: cached,
        prompt_tokens_details: { cached_tokens: cached },
      },
    }),
  },
  {
    wire: 'openai-responses',
    answer: ({ text, id, cached }) => ({
      ...{ id, object: 'response', created_at: id.length, status: 'completed', model: 'm' },
      output: [
        { type: 'reasoning', id, summary: [], encrypted_content: id },
        { type: 'function_call', id, call_id: id, name: 'f', arguments: '{}' },
        { type: 'message', id, role: 'assistant', content: [{ type: 'output_text', text }] },
        { type: 'novelty', id, encrypted_content: id },
      ],
      usage: { input_tokens: 5, output_tokens: 5, input_tokens_details: { cached_tokens: cached } },
    }),
  },
  {
    wire: 'anthropic-messages',
    answer: ({ text, id, cached }) => ({
      ...{ id, type: 'message', role: 'assistant', model: 'm', stop_reason: 'tool_use', container: { id } },
      content: [
        { type: 'thinking', thinking: 't', signature: id },
        { type: 'text', text, citations: [{ url: 'u', encrypted_index: id }] },
        { type: 'tool_use', id, name: 'f', input: {} },
        { type: 'web_search_tool_result', tool_use_id: id, content: [{ url: 'u', encrypted_content: id }] },
      ],
      usage: { input_tokens: 100 - cached, cache_read_input_tokens: cached, output_tokens: 5 },
    }),
  },
  {
    wire: 'gemini',
    answer: ({ text, id, cached }) => ({
      ...{ responseId: id, modelVersion: 'm', createTime: id },
      candidates: [
        {
          finishReason: 'STOP',
          content: { parts: [{ text, thoughtSignature: id }, { functionCall: { id, name: 'f', args: {} } }] },
        },
      ],
      usageMetadata: { promptTokenCount: 5, candidatesTokenCount: 5, cachedContentTokenCount: cached },
    }),
  },
  {
    wire: 'cohere',
    answer: ({ text, id, cached }) => ({
      ...{ id, finish_reason: 'TOOL_CALL' },
      message: {
        content: [{ type: 'text', text }],
        citations: [{ start: 0, end: 1, text, sources: [{ type: 'tool', id: `${id}:0` }] }],
        tool_calls: [{ id, function: { name: 'f', arguments: '{}' } }],
      },
      usage: { tokens: { input_tokens: 5, output_tokens: 5 }, cached_tokens: cached },
    }),
  },
  {
    wire: 'ollama',
    answer: ({ text, id, cached }) => ({
      ...{ model: 'm', created_at: id, done: true, done_reason: 'stop', total_duration: cached, load_duration: cached },
      message: { content: text, tool_calls: [{ id, function: { name: 'f', arguments: {} } }] },
      ...{ prompt_eval_count: 5, eval_count: 5 },
    }),
  },
]

describe.each(twins)('F17 two answers of $wire', ({ wire, answer }) => {
  const first = decodeWhole(wire, answer({ text: 'A', id: 'id_1', cached: 0 }))

  it('are the same where only ids, dates, signatures, timings and cache hits differ', () => {
    expect(sameContent(first, decodeWhole(wire, answer({ text: 'A', id: 'id_22', cached: 3 })))).toBe(true)
  })

  it('differ where a word, a model, a finish reason or a token count does', () => {
    expect(sameContent(first, decodeWhole(wire, answer({ text: 'B', id: 'id_1', cached: 0 })))).toBe(false)
    expect(sameContent(first, { ...first, model: 'other' })).toBe(false)
    expect(sameContent(first, { ...first, finishReason: 'other' })).toBe(false)
    expect(sameContent(first, { ...first, finished: false })).toBe(false)
    expect(sameContent(first, { ...first, usage: { inputTokens: 100, outputTokens: 6, raw: null } })).toBe(false)
    expect(sameContent(first, { ...first, error: { message: 'M', raw: null } })).toBe(false)
  })
})

it.each(wires)('F17 the volatile members of %s are paths that can be read, each once', (wire) => {
  const paths = volatileMembers(wire)
  expect(paths.map(parseMemberPath)).toHaveLength(new Set(paths).size)
})

it.skipIf(!hasCorpus)(
  'F17 real answers with other ids and dates are the same (skipped where there is no corpus)',
  async () => {
    let compared = 0
    for (const { bytes, url, ...answer } of (await corpusAnswers()).filter(isText)) {
      const first = decodeAnswer({ url, body: [bytes] })
      if (first === undefined || first.blocks[0]?.kind === 'marker' || bytes.length > 100_000) continue
      const text = answerText({ ...answer, bytes, url })
      const renewed = text.replace(
        /"(id|item_id|responseId|system_fingerprint|obfuscation)":\s*"([^"]+)"/g,
        '"$1":"renewed_$2"',
      )
      const later = renewed.replace(/"(created|created_at)":\s*\d+/g, '"$1":1')
      const second = decodeAnswer({ url, body: [new TextEncoder().encode(later)] })
      expect(second !== undefined && sameContent(first, second), answer.name).toBe(true)
      compared += later === text ? 0 : 1
    }
    expect(compared).toBeGreaterThan(150)
  },
)
