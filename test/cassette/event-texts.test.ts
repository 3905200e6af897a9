/** A stream that is read from a file is rendered from its runs; it must be what its events, one by one, are rendered to. */
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { defaultCaps } from '../../src/core/cassette/caps.ts'
import { decodeBody, wholeChunk } from '../../src/core/cassette/decode-body.ts'
import type { HttpInteraction, Json, JsonLayout, ResponseBody, StreamEvent } from '../../src/core/cassette/document.ts'
import { encodeBody } from '../../src/core/cassette/encode-body.ts'
import { packedTexts } from '../../src/core/cassette/event-texts.ts'
import { parseCassette } from '../../src/core/cassette/parse-cassette.ts'
import { writeCassette } from '../../src/core/cassette/write-cassette.ts'
import { corpusAnswers } from '../wire/corpus-answers.ts'
import { cassetteOf, httpInteraction } from './sample-cassette.ts'

const context = { cassette: 'cassettes/a.json', caps: defaultCaps }

/** Written to a file and read again. */
function fromFile(body: ResponseBody): ResponseBody {
  const { interactions } = parseCassette(writeCassette(cassetteOf(httpInteraction(1, body))), context)
  return (interactions[0] as HttpInteraction).response?.body as ResponseBody
}

function bytesOf(body: ResponseBody): Buffer {
  return Buffer.concat(decodeBody(body, new Map()).chunks.map(({ bytes }) => bytes))
}

function joinedBytesOf(body: ResponseBody): Buffer {
  return Buffer.from(wholeChunk(body, new Map())(0) as Uint8Array)
}

const scalar = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 6 }),
  fc.constantFrom<Json>(
    '…',
    'turntapeFill0End',
    '\ud83d\ude00',
    'a\u2028b',
    '"',
    'x\ny',
    null,
    true,
    0,
    -1.5,
    [1, 2],
    ['a'],
  ),
)
const string = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 6 }),
  fc.constantFrom('", ', '",', ',"', '","', ',', '\\', '\\"', '\\",', '$&', "$'", '', '\ud83d', '\ude00', '😀'),
)
const pairs: fc.Arbitrary<readonly (readonly [Json, Json])[]> = fc.oneof(
  ...[fc.tuple(scalar, scalar), fc.tuple(string, string), fc.tuple(string, fc.constant('$&'))].map((pair) =>
    fc.array<[Json, Json]>(pair, { minLength: 6, maxLength: 24 }),
  ),
)
const head = fc.constantFrom<{ event?: string; id?: string }>({}, { event: 'delta' }, { event: 'delta', id: '7' })

const runs = fc
  .record({
    head,
    texts: pairs,
    isCounted: fc.boolean(),
    pads: fc.constantFrom('none', 'some'),
    break: fc.option(fc.nat(5), { nil: undefined }),
  })
  .map(({ head: named, texts, isCounted, pads, break: at }) => {
    const events: StreamEvent[] = texts.map(([text, other], index) => ({
      ...named,
      data: {
        type: 'delta',
        index: 0,
        id: isCounted ? `item_${index}_x` : 'item',
        delta: { text, other },
        ...(isCounted && { n: index }),
      },
      ...(pads === 'some' && index % 3 !== 0 && { layout: { pad: (index % 3) + 1 } }),
    }))
    if (at !== undefined) events.splice(at, 0, { event: 'ping', data: { type: 'ping' } })
    return events
  })

const layouts: readonly (JsonLayout | undefined)[] = [
  undefined,
  { comma: ' ', colon: ' ' },
  { escape: 'ascii', hex: 'upper' },
  { escapeAlso: '<>' },
]

test('F9 law: a run is rendered to the very bytes of its events', () => {
  let straight = 0
  const frame = fc.constantFrom(
    { framing: 'sse' } as const,
    { framing: 'sse', lineEnd: '\r\n', fieldBlank: '' } as const,
    { framing: 'ndjson' } as const,
  )
  fc.assert(
    fc.property(runs, fc.constantFrom(...layouts), frame, (events, layout, framing) => {
      const plain =
        framing.framing === 'ndjson' ? events.map((event) => ('data' in event ? { data: event.data } : event)) : events
      const body: ResponseBody = { ...framing, ...(layout !== undefined && { layout }), events: plain }
      const read = fromFile(body)
      if (packedTexts(read) !== undefined) straight += 1
      expect(read).toEqual(body)
      expect(bytesOf(read).toString()).toBe(bytesOf(body).toString())
      expect(joinedBytesOf(read).toString()).toBe(bytesOf(body).toString())
    }),
    { numRuns: 400 },
  )
  expect(straight).toBe(400)
})

test('F8 chunks of several events, and of none, come back as they were cut', () => {
  const events = Array.from({ length: 20 }, (_, index) => ({ data: { delta: `w${index}` } }))
  const body: ResponseBody = { framing: 'sse', events, cuts: { events: [1, 0, 3, 16] } }
  const chunks = decodeBody(fromFile(body), new Map()).chunks.map(({ bytes }) => Buffer.from(bytes).toString())
  expect(chunks.map((chunk) => chunk.split('\n\n').length - 1)).toEqual([1, 0, 3, 16])
})

test('F8 a long answer is the same bytes whole as in its chunks', () => {
  const events = Array.from({ length: 2_000 }, (_, index) => ({
    data: { delta: `word ${index} … and some more of it`, index },
  }))
  const read = fromFile({ framing: 'sse', events })
  expect(bytesOf(read).length).toBeGreaterThan(100_000)
  expect(joinedBytesOf(read).equals(bytesOf(read))).toBe(true)
})

test.skipIf(!existsSync(resolve('../shared/corpus')))(
  'every stream of the corpus is rendered to its bytes (skipped where there is none)',
  { timeout: 120_000 },
  async () => {
    let straight = 0
    for (const { name, bytes } of await corpusAnswers()) {
      const recorded = { chunks: [{ bytes, gapMs: 0 }], end: { kind: 'complete' } } as const
      const { stored } = encodeBody(recorded, { contentType: 'text/event-stream' })
      if (stored === undefined || !('events' in stored)) continue
      const read = fromFile(stored)
      if (packedTexts(read) !== undefined) straight += 1
      expect(bytesOf(read).equals(Buffer.from(bytes)), name).toBe(true)
      expect(joinedBytesOf(read).equals(Buffer.from(bytes)), name).toBe(true)
    }
    expect(straight).toBeGreaterThan(20)
  },
)
