import fc from 'fast-check'
import { expect, test } from 'vitest'
import { defaultCaps } from '../../src/core/cassette/caps.ts'
import { decodeBody } from '../../src/core/cassette/decode-body.ts'
import type {
  Failure,
  HttpRequest,
  Interaction,
  Json,
  JsonLayout,
  ResponseBody,
} from '../../src/core/cassette/document.ts'
import { encodeBody } from '../../src/core/cassette/encode-body.ts'
import { renderJson } from '../../src/core/cassette/json-layout.ts'
import { parseCassette } from '../../src/core/cassette/parse-cassette.ts'
import { writeCassette } from '../../src/core/cassette/write-cassette.ts'
import { cassetteOf } from './sample-cassette.ts'
import { wordsFrom } from './tool-loop.ts'

const long = wordsFrom(5)(260)

/** Some texts come again and are large: those are said once. */
const text = fc.oneof(
  fc.constantFrom(long, `${long}!`, '…', 'request 1', ''),
  fc.string({ unit: 'binary', maxLength: 12 }),
)
const name = fc.constantFrom('a', 'b', 'like', 'same', 'run', '/', '~', '1', '')

const value = fc.letrec<{ json: Json }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 4 },
    { weight: 4, arbitrary: text },
    { weight: 2, arbitrary: fc.constantFrom<Json>(null, true, 0, -1.5, 1e21) },
    { weight: 1, arbitrary: fc.array(tie('json'), { maxLength: 4 }) },
    { weight: 1, arbitrary: fc.dictionary(name, tie('json'), { maxKeys: 4 }) },
  ),
})).json as fc.Arbitrary<Json>

const failure: fc.Arbitrary<Failure> = fc.record({
  stage: fc.constantFrom('connect', 'headers', 'body'),
  name: text,
  message: text,
  cause: fc.constant({ stage: 'connect', name: 'Error', message: 'inner', code: 'ECONNRESET', details: { errno: 1 } }),
} as const)

/** A conversation that grows, shrinks and repeats itself. */
const request: fc.Arbitrary<HttpRequest> = fc
  .record({
    url: fc.constantFrom('https://a.test/v1/messages', 'https://b.test/'),
    headers: fc.option(fc.constant({ 'content-type': 'application/json' }), { nil: undefined }),
    body: fc.oneof(
      fc
        .array(fc.record({ role: fc.constantFrom('user', 'tool'), content: text }), { maxLength: 5 })
        .map((messages) => ({
          json: { model: 'm', system: long, messages },
        })),
      value.map((json) => ({ json })),
      fc.array(text, { minLength: 2, maxLength: 4 }).map((lines) => ({ lines })),
      fc.constant({ sha256: 'b'.repeat(64), bytes: 7 }),
    ),
  })
  .map(({ url, headers, body }) => ({ method: 'POST', url, ...(headers && { headers }), body }))

/** A stream of two kinds of events, cut anywhere. */
const stream = fc
  .array(fc.tuple(fc.nat(1), text), { maxLength: 12 })
  .map((events) =>
    events
      .map(([kind, delta]) => `data: ${JSON.stringify(kind === 0 ? { delta } : { type: 'b', delta, n: 1 })}\n\n`)
      .join(''),
  )
const body: fc.Arbitrary<ResponseBody | undefined> = fc
  .record({
    content: fc.oneof(
      stream,
      value.map((json) => JSON.stringify(json)),
      text,
    ),
    cuts: fc.array(fc.record({ at: fc.nat(400), gapMs: fc.nat(9) }), { maxLength: 8 }),
    type: fc.constantFrom('text/event-stream', 'application/json', 'text/plain'),
  })
  .map(({ content, cuts, type }) => {
    const bytes = new TextEncoder().encode(content)
    const places = [...cuts].sort((one, other) => one.at - other.at)
    const chunks = [...places, { at: bytes.byteLength, gapMs: 2 }].map(({ at, gapMs }, index) => {
      return { bytes: bytes.slice(places[index - 1]?.at ?? 0, at), gapMs }
    })
    return encodeBody({ chunks, end: { kind: 'complete' } }, { contentType: type }).stored
  })

const placed = { hash: 'a'.repeat(64), timing: { startMs: 3 } } as const
const interaction: fc.Arbitrary<Omit<Interaction, 'number'>> = fc.oneof(
  fc
    .record({ request, body, lane: fc.constantFrom(undefined, 'one', 'two') })
    .map(({ request: asked, body: answer, lane }) => ({
      ...{ kind: 'model', ...(lane !== undefined && { lane }), ...placed, request: asked },
      response: { status: 200, headers: [['content-type', 'x']], ...(answer !== undefined && { body: answer }) },
    })),
  fc.record({ request, failure }).map((both) => ({ kind: 'http', ...placed, ...both })),
  fc.record({ input: value, output: value }).map(({ input, output }) => ({
    ...{ kind: 'tool', ...placed, callId: 'call_1' },
    ...{ request: { name: 'look', input }, result: { value: output, sync: true } },
  })),
  fc
    .record({ input: value, elements: fc.array(value, { maxLength: 3 }), error: failure })
    .map(({ input, elements, error }) => ({
      ...{ kind: 'call', ...placed, request: { name: 'rows', input }, result: { elements, error } },
    })),
) as fc.Arbitrary<Omit<Interaction, 'number'>>

test('F2 law: any cassette that is read and written is the same bytes, and holds what was put in', () => {
  fc.assert(
    fc.property(fc.array(interaction, { maxLength: 7 }), (unnumbered) => {
      const interactions = unnumbered.map((one, index) => ({
        ...one,
        number: index + 1,
        ...(index > 1 && { overlaps: [index] }),
      })) as readonly Interaction[]
      const written = writeCassette(cassetteOf(...interactions))
      const parsed = parseCassette(written, { cassette: 'cassettes/a.json', caps: defaultCaps })
      expect(writeCassette(parsed)).toBe(written)
      expect(parsed).toEqual(cassetteOf(...interactions))
    }),
    { numRuns: 120 },
  )
})

test('F5 law: JSON in any layout that the format knows is stored as a value, and comes back as it was written', () => {
  const blank = fc.constantFrom('', ' ', '  ')
  const layout: fc.Arbitrary<JsonLayout> = fc.record(
    {
      indent: fc.constantFrom(1, 2, 4, 10, '\t'),
      comma: fc.constant(' '),
      colon: fc.constantFrom(' ', ''),
      pad: fc.constantFrom(1, 3, 256),
      escape: fc.constant('ascii' as const),
      escapeAlso: fc.constantFrom('/', '<>'),
      hex: fc.constant('upper' as const),
      tail: fc.constantFrom('\n', '  \r\n'),
    },
    { requiredKeys: [] },
  )
  // Enough of everything that a layout can show in.
  const sample = fc.record({
    list: fc.array(value, { minLength: 2, maxLength: 3 }),
    note: text,
    mark: fc.constant('</é🛫>'),
  })
  fc.assert(
    fc.property(sample, layout, blank, (json, given, tail) => {
      const written = renderJson(json, { ...given, tail: `${given.tail ?? ''}${tail}` })
      const bytes = new TextEncoder().encode(written)
      const chunks = [{ bytes, gapMs: 0 }]
      const { stored } = encodeBody({ chunks, end: { kind: 'complete' } }, { contentType: 'application/json' })
      expect(Object.keys(stored ?? {})[0], written).toBe('json')
      expect(decodeBody(stored as ResponseBody, new Map()).chunks).toEqual(chunks)
    }),
    { numRuns: 120 },
  )
})
