/** The blocks of a stream that is read from a file are counted by kinds of events; there must be as many as there are in its events, one by one. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { defaultCaps } from '../../src/core/cassette/caps.ts'
import type { HttpInteraction, Json, ResponseBody } from '../../src/core/cassette/document.ts'
import { parseCassette } from '../../src/core/cassette/parse-cassette.ts'
import { writeCassette } from '../../src/core/cassette/write-cassette.ts'
import { countBlocks } from '../../src/core/turns/count-blocks.ts'
import { cassetteOf, httpInteraction } from '../cassette/sample-cassette.ts'

/** Written to a file and read again. */
function fromFile(body: ResponseBody): ResponseBody {
  const cassette = writeCassette(cassetteOf(httpInteraction(1, body)))
  const { interactions } = parseCassette(cassette, { cassette: 'cassettes/a.json', caps: defaultCaps })
  return (interactions[0] as HttpInteraction).response?.body as ResponseBody
}

function blocksOf(body: ResponseBody): number {
  return countBlocks({ kind: 'model', response: { status: 200, headers: [], body } })
}

/** What a reader of blocks looks at, with values that vary from event to event. */
const text = fc.constantFrom('', 'a', 'bc')
const content = fc.oneof({ weight: 4, arbitrary: text }, { weight: 1, arbitrary: fc.constant<Json>(null) })
const event: fc.Arbitrary<Json> = fc.oneof(
  content.map((own): Json => ({ choices: [{ index: 0, delta: { content: own } }] })),
  fc
    .record({ index: fc.nat(3), arguments: text })
    .map(
      (call): Json => ({ choices: [{ delta: { tool_calls: [{ index: call.index, arguments: call.arguments }] } }] }),
    ),
  fc.constantFrom('content_block_start', 'content_block_delta', 'x').map((type): Json => ({ type, delta: 'd' })),
  fc
    .record({ done: fc.boolean(), content })
    .map(({ done, content: own }): Json => ({ done, message: { content: own } })),
  text.map((own): Json => ({ candidates: [{ content: { parts: [{ text: own }, { functionCall: own }] } }] })),
)
const runOf = (one: fc.Arbitrary<Json>) => fc.array(one, { minLength: 3, maxLength: 12 })
const streams = fc.array(fc.oneof(runOf(event), ...[0, 1, 2].map(() => runOf(event))), { maxLength: 3 })

test('maxBlocks law: a stream has the blocks of its events, folded in a file or not', () => {
  fc.assert(
    fc.property(streams, (parts) => {
      const body: ResponseBody = { framing: 'sse', events: parts.flat().map((data) => ({ data })) }
      const read = fromFile(body)
      expect(blocksOf(read)).toBe(blocksOf(body))
      expect(read).toEqual(body)
    }),
    { numRuns: 300 },
  )
})

const longRuns: readonly (readonly [string, (index: number) => Json, number])[] = [
  ['texts of one choice', (index) => ({ choices: [{ index: 0, delta: { content: `w${index}` } }] }), 1],
  ['calls of one event each', (index) => ({ choices: [{ delta: { tool_calls: [{ index, arguments: '' }] } }] }), 40],
  ['starts that count themselves', (index) => ({ type: 'content_block_start', index }), 40],
  ['texts that are sometimes none', (index) => ({ choices: [{ delta: { content: index % 2 ? null : 'a' } }] }), 1],
  ['function calls', (index) => ({ candidates: [{ content: { parts: [{ functionCall: `f${index}` }] } }] }), 40],
]

test.each(longRuns)('a run is counted as its events: %s', (_what, dataOf, blocks) => {
  const events = Array.from({ length: 40 }, (_, index) => ({ data: dataOf(index) }))
  expect(blocksOf(fromFile({ framing: 'sse', events }))).toBe(blocks)
})

test('a stream of texts is counted without being unfolded', () => {
  const events = Array.from({ length: 40 }, (_, index) => ({
    data: { choices: [{ delta: { content: `w${index}` } }] },
  }))
  const read = fromFile({ framing: 'sse', events })
  blocksOf(read)
  expect(Object.getOwnPropertyDescriptor(read, 'events')?.get).toBeTypeOf('function')
})
