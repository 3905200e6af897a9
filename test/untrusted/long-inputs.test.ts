/** Inputs of one thing over and over: each of these once took time with the square of its length, and would not end here. */
import { deflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { mediaText } from '../../src/cli/show/outline-media.ts'
import type { Json } from '../../src/core/cassette/document.ts'
import { encodeBody } from '../../src/core/cassette/encode-body.ts'
import { formsOfBytes } from '../../src/redaction/decoded-forms.ts'
import { emptyAnswer } from '../../src/wire/answer-state.ts'
import type { Wire } from '../../src/wire/block.ts'
import { wireOfPath } from '../../src/wire/choose-wire.ts'
import { decodeAnswer } from '../../src/wire/decode-answer.ts'
import { decoders } from '../../src/wire/decoders.ts'
import { urlOf } from '../wire/stream-of.ts'

test.each(['openai-chat', 'openai-responses', 'anthropic-messages', 'gemini'] as const)(
  'an answer of 400,000 events that %s does not know is read',
  (wire) => {
    const answer = decodeAnswer({ url: urlOf(wire), body: { json: Array.from({ length: 400_000 }, () => 0) } })
    expect(answer?.blocks.length).toBe(400_000)
  },
)

test('a path of a million slashes has no wire', () => {
  expect(wireOfPath(`https://a.test/${'/'.repeat(1_000_000)}x`)).toBe(undefined)
})

test('a data URL without an end is shown as a URL', () => {
  const url = `data:${';a'.repeat(500_000)}`
  expect(mediaText({ type: 'image_url', image_url: { url } })?.length).toBeGreaterThan(url.length)
})

/** As many as a stream may have events (F9), each for a place of its own, from the last to the first. */
const places = Array.from({ length: 262_144 }, (_, index) => 262_143 - index)

test.each([
  [
    'openai-responses',
    (index) => ({
      type: 'response.output_item.done',
      output_index: index,
      item: { type: 'message', content: [{ type: 'output_text', text: 'a' }] },
    }),
  ],
  [
    'anthropic-messages',
    (index) => ({ type: 'content_block_start', index, content_block: { type: 'text', text: 'a' } }),
  ],
  ['openai-chat', (index) => ({ choices: [{ index, delta: { content: 'a' } }] })],
  ['gemini', (index) => ({ candidates: [{ index, content: { parts: [{ text: 'a' }] } }] })],
] as const satisfies readonly (readonly [Wire, (index: number) => Json])[])(
  'F9 a stream of %s in which every event is about another place is read',
  (wire, eventOf) => {
    const { reduce, read } = decoders[wire]
    const state = places.reduce((state, index) => reduce(state, { data: eventOf(index) }), emptyAnswer)
    const { blocks, alternatives = [] } = read(state)
    expect(blocks.length + alternatives.length).toBeGreaterThanOrEqual(places.length)
  },
)

test('F9 an array of events that stops inside a string full of quotes is recorded as it came', () => {
  const bytes = Buffer.from(`[{"a":"${'x\\"'.repeat(500_000)}`)
  const { stored } = encodeBody(
    { chunks: [{ bytes, gapMs: 0 }], end: { kind: 'complete' } },
    { contentType: 'application/json' },
  )
  expect(stored).toHaveProperty('text')
})

test('a path of an argument that is a million letters long is not looked into', () => {
  const partial = { jsonPath: `]${'a0'.repeat(500_000)}]`, stringValue: 'x' }
  const event = { candidates: [{ content: { parts: [{ functionCall: { name: 'a', partialArgs: [partial] } }] } }] }
  const { reduce, read } = decoders.gemini
  expect(read(reduce(emptyAnswer, { data: event })).blocks).toMatchObject([{ kind: 'tool call', name: 'a' }])
})

test('promise 7 a page of a PDF that is half a million open brackets is read', () => {
  const page = deflateSync(`Tj ${'(\\'.repeat(500_000)}`)
  const pdf = Buffer.concat([Buffer.from('%PDF-1.7 \xff\nstream\n', 'latin1'), page])
  expect(formsOfBytes(pdf).length).toBeGreaterThan(1)
})
