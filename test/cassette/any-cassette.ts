/** Any cassette that could be recorded: conversations that grow and repeat themselves, streams cut anywhere, values of every form. */
import fc from 'fast-check'
import { wordsFrom } from '../../scripts/made-up-words.mjs'
import type {
  Cassette,
  Failure,
  HttpRequest,
  Interaction,
  Json,
  ResponseBody,
} from '../../src/core/cassette/document.ts'
import { encodeBody } from '../../src/core/cassette/encode-body.ts'
import { cassetteOf } from './sample-cassette.ts'

const long = wordsFrom(5)(260)

/** Some texts come again and are large: those are said once. */
export const anyText = fc.oneof(
  fc.constantFrom(long, `${long}!`, '…', 'request 1', ''),
  fc.string({ unit: 'binary', maxLength: 12 }),
)
const name = fc.constantFrom('a', 'b', 'like', 'same', 'run', '/', '~', '1', '')

/** JSON in which some texts come again and are large. */
export const anyJson = fc.letrec<{ json: Json }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 4 },
    { weight: 4, arbitrary: anyText },
    { weight: 2, arbitrary: fc.constantFrom<Json>(null, true, 0, -1.5, 1e21) },
    { weight: 1, arbitrary: fc.array(tie('json'), { maxLength: 4 }) },
    { weight: 1, arbitrary: fc.dictionary(name, tie('json'), { maxKeys: 4 }) },
  ),
})).json as fc.Arbitrary<Json>

const failure: fc.Arbitrary<Failure> = fc.record({
  stage: fc.constantFrom('connect', 'headers', 'body'),
  name: anyText,
  message: anyText,
  cause: fc.constant({ stage: 'connect', name: 'Error', message: 'inner', code: 'ECONNRESET', details: { errno: 1 } }),
} as const)

/** A conversation that grows, shrinks and repeats itself. */
const request: fc.Arbitrary<HttpRequest> = fc
  .record({
    url: fc.constantFrom('https://a.test/v1/messages', 'https://b.test/'),
    headers: fc.option(fc.constant({ 'content-type': 'application/json' }), { nil: undefined }),
    body: fc.oneof(
      fc
        .array(fc.record({ role: fc.constantFrom('user', 'tool'), content: anyText }), { maxLength: 5 })
        .map((messages) => ({
          json: { model: 'm', system: long, messages },
        })),
      anyJson.map((json) => ({ json })),
      fc.array(anyText, { minLength: 2, maxLength: 4 }).map((lines) => ({ lines })),
      fc.constant({ sha256: 'b'.repeat(64), bytes: 7 }),
    ),
  })
  .map(({ url, headers, body }) => ({ method: 'POST', url, ...(headers && { headers }), body }))

/** A stream of two kinds of events, cut anywhere. */
const stream = fc
  .array(fc.tuple(fc.nat(1), anyText), { maxLength: 12 })
  .map((events) =>
    events
      .map(([kind, delta]) => `data: ${JSON.stringify(kind === 0 ? { delta } : { type: 'b', delta, n: 1 })}\n\n`)
      .join(''),
  )
const body: fc.Arbitrary<ResponseBody | undefined> = fc
  .record({
    content: fc.oneof(
      stream,
      anyJson.map((json) => JSON.stringify(json)),
      anyText,
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
  fc.record({ input: anyJson, output: anyJson }).map(({ input, output }) => ({
    ...{ kind: 'tool', ...placed, callId: 'call_1' },
    ...{ request: { name: 'look', input }, result: { value: output, sync: true } },
  })),
  fc
    .record({ input: anyJson, elements: fc.array(anyJson, { maxLength: 3 }), error: failure })
    .map(({ input, elements, error }) => ({
      ...{ kind: 'call', ...placed, request: { name: 'rows', input }, result: { elements, error } },
    })),
) as fc.Arbitrary<Omit<Interaction, 'number'>>

export const anyCassette: fc.Arbitrary<Cassette> = fc.array(interaction, { maxLength: 7 }).map((unnumbered) =>
  cassetteOf(
    ...(unnumbered.map((one, index) => ({
      ...one,
      number: index + 1,
      ...(index > 1 && { overlaps: [index] }),
    })) as readonly Interaction[]),
  ),
)
