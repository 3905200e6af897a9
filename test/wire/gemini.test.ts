import { expect, it } from 'vitest'
import type { Json } from '../../src/core/cassette/document.ts'
import type { DecodedAnswer } from '../../src/wire/block.ts'
import { decodeEvents, decodeText, decodeWhole } from './stream-of.ts'

const wire = 'gemini'

function chunk(parts: readonly Json[], others: { readonly [name: string]: Json } = {}): Json {
  return { candidates: [{ content: { role: 'model', parts }, ...others }], modelVersion: 'gemini-3', responseId: 'r1' }
}

function decodeParts(...parts: readonly Json[]): DecodedAnswer['blocks'] {
  return decodeEvents(
    wire,
    parts.map((part) => chunk([part])),
  ).blocks
}

it('joins text with text and thoughts with thoughts, whole or in chunks, as events or as one array', () => {
  const parts = [
    { text: 'Hm', thought: true },
    { text: '.', thought: true },
    { text: 'A' },
    { text: 'B' },
    { text: '' },
  ]
  const blocks = [
    { kind: 'thinking', text: 'Hm.' },
    { kind: 'text', text: 'AB' },
  ]
  const chunks = parts.map((part) => chunk([part]))
  expect(decodeEvents(wire, chunks).blocks).toEqual(blocks)
  expect(decodeWhole(wire, chunk(parts)).blocks).toEqual(blocks)
  expect(decodeText(wire, `[${chunks.map((event) => JSON.stringify(event)).join('\n,\r\n')}\n]`).blocks).toEqual(blocks)
})

it('keeps a signature with its part, text going on after it, and a second one apart', () => {
  const parts = [
    { text: 'A' },
    { text: '', thoughtSignature: 's1' },
    { text: 'B' },
    { text: 'C', thoughtSignature: 's2' },
  ]
  expect(decodeParts(...parts)).toEqual([
    { kind: 'text', text: 'AB', signature: 's1' },
    { kind: 'text', text: 'C', signature: 's2' },
  ])
  expect(decodeParts({ functionCall: { name: 'f', args: {} }, thoughtSignature: 's2' })).toEqual([
    { kind: 'tool call', name: 'f', arguments: { json: {} }, signature: 's2' },
  ])
})

it('reads calls without ids, parallel ones of one name included', () => {
  const call = (city: string): Json => ({ functionCall: { name: 'weather', args: { city } } })
  expect(decodeParts(call('Oslo'), call('Rome'), { functionCall: { id: 'i', name: 'now' } })).toEqual([
    { kind: 'tool call', name: 'weather', arguments: { json: { city: 'Oslo' } } },
    { kind: 'tool call', name: 'weather', arguments: { json: { city: 'Rome' } } },
    { kind: 'tool call', id: 'i', name: 'now', arguments: { json: {} } },
  ])
})

it('puts streamed arguments together, and keeps them as text while they go on', () => {
  const partial = (jsonPath: string, value: { readonly [name: string]: Json }): Json => ({
    functionCall: { partialArgs: [{ jsonPath, ...value }], willContinue: true },
  })
  const fragments = [
    { functionCall: { name: 'book', willContinue: true } },
    partial('$.city.name', { stringValue: 'Os', willContinue: true }),
    partial('$.city.name', { stringValue: 'lo', willContinue: true }),
    partial('$.city.name', { stringValue: '' }),
    partial('$.tags[0]', { stringValue: 'a' }),
    partial('$.tags[1]', { stringValue: 'b' }),
    partial("$['the count']", { numberValue: 2 }),
    partial('$.sure', { boolValue: true }),
    partial('$.note', { nullValue: 'NULL_VALUE' }),
  ]
  const json = { city: { name: 'Oslo' }, tags: ['a', 'b'], 'the count': 2, sure: true, note: null }
  expect(decodeParts(...fragments, { functionCall: {} })).toEqual([
    { kind: 'tool call', name: 'book', arguments: { json } },
  ])
  expect(decodeParts(...fragments)).toEqual([
    { kind: 'tool call', name: 'book', arguments: { text: JSON.stringify(json) } },
  ])
})

it('survives a path deeper than any value', () => {
  const path = `$${'.a'.repeat(50_000)}`
  const [block] = decodeParts({ functionCall: { name: 'f', partialArgs: [{ jsonPath: path, stringValue: 'x' }] } })
  expect(block).toEqual({ kind: 'tool call', name: 'f', arguments: { json: {} } })
})

it('reads media, code and its result, unknown parts as markers, sources on the last text', () => {
  const code = { language: 'PYTHON', code: '1+1' }
  const result = { outcome: 'OUTCOME_OK', output: '2' }
  const grounding = { webSearchQueries: ['q'] }
  const parts = [
    { executableCode: code },
    { codeExecutionResult: result },
    { text: 'Two' },
    { inlineData: { mimeType: 'image/png', data: 'AAAA' } },
    { fileData: { mimeType: 'video/mp4', fileUri: 'gs://a' } },
    { novelty: 1 },
  ]
  expect(decodeWhole(wire, chunk(parts, { finishReason: 'STOP', groundingMetadata: grounding })).blocks).toEqual([
    { kind: 'tool call', name: 'code_execution', arguments: { json: code }, byProvider: true },
    { kind: 'tool result', name: 'code_execution', output: result },
    { kind: 'text', text: 'Two', citations: [grounding] },
    { kind: 'media', type: 'image/png', data: 'AAAA' },
    { kind: 'media', type: 'video/mp4', url: 'gs://a' },
    { kind: 'marker', event: { novelty: 1 } },
  ])
})

it('is finished by a finish reason, and by a prompt that was refused', () => {
  expect(decodeEvents(wire, [chunk([{ text: 'A' }])])).toMatchObject({ finished: false })
  expect(decodeEvents(wire, [chunk([{ text: 'A' }], { finishReason: 'MAX_TOKENS' })])).toMatchObject({
    finishReason: 'MAX_TOKENS',
    finished: true,
  })
  const blocked = { promptFeedback: { blockReason: 'PROHIBITED_CONTENT' }, usageMetadata: { promptTokenCount: 4 } }
  expect(decodeWhole(wire, blocked)).toMatchObject({
    blocks: [{ kind: 'refusal', text: 'PROHIBITED_CONTENT' }],
    finishReason: 'PROHIBITED_CONTENT',
    usage: { inputTokens: 4, outputTokens: 0 },
    finished: true,
  })
})

it('counts thoughts as output and tool prompts as input, so that the sum is the total', () => {
  const usageMetadata = {
    promptTokenCount: 6,
    toolUsePromptTokenCount: 4,
    candidatesTokenCount: 3,
    thoughtsTokenCount: 2,
    totalTokenCount: 15,
  }
  expect(decodeEvents(wire, [{ usageMetadata: { trafficType: 'X' } }, { usageMetadata }]).usage).toEqual({
    inputTokens: 10,
    outputTokens: 5,
    reasoningTokens: 2,
    totalTokens: 15,
    raw: { trafficType: 'X', ...usageMetadata },
  })
})

it('reads an error, alone, in an array, and after text', () => {
  const error = { error: { code: 503, message: 'Overloaded', status: 'UNAVAILABLE' } }
  const expected = { type: 'UNAVAILABLE', code: 503, message: 'Overloaded' }
  expect(decodeWhole(wire, error).error).toMatchObject(expected)
  expect(decodeWhole(wire, [error]).error).toMatchObject(expected)
  expect(decodeEvents(wire, [chunk([{ text: 'A' }]), error])).toMatchObject({
    blocks: [{ kind: 'text', text: 'A' }],
    error: expected,
    finished: true,
  })
})
