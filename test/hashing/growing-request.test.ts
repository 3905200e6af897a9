/** What the requests of a loop share is not read again, and changes no answer: F11, F13, promise 9. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { contentHash } from '../../src/core/cassette/content-hash.ts'
import type { HttpRequest, Json } from '../../src/core/cassette/document.ts'
import { GrowingRequest } from '../../src/core/hashing/growing-request.ts'
import { minSharedLength } from '../../src/core/hashing/json-pieces.ts'
import { canonicalRequest, hashRequest } from '../../src/core/hashing/request-hash.ts'

function requestOf(json: Json): HttpRequest {
  return { method: 'POST', url: 'https://api.openai.com/v1/chat/completions', headers: {}, body: { json } }
}

const letters = fc.constantFrom('a', '"', '\\', '\n', 'é', '鍵', '😀', '\ufffd', '\ud800', '\u2028', '/', ' ')
const text = fc.string({ unit: letters, maxLength: 6 })
const scalar = fc.oneof(text, fc.constantFrom<Json>(null, true, 0, -1.5, 1e21, 5e-324, 2 ** 53))
const names = ['role', 'content', 'a', 'Z', '10', '2', 'é', 'toJSON']
const part = fc.dictionary(fc.constantFrom(...names), fc.oneof(scalar, fc.array(scalar, { maxLength: 2 })))
const element: fc.Arbitrary<Json> = fc.oneof({ weight: 4, arbitrary: part as fc.Arbitrary<Json> }, scalar)
const members = ['model', 'messages', 'input', 'tools', 'zone', '7', 'toJSON'] as const
const member: fc.Arbitrary<Json> = fc.oneof(fc.array(element, { maxLength: 4 }), element)

type Step =
  | { readonly kind: 'append' | 'replace last'; readonly name: string; readonly elements: readonly Json[] }
  | { readonly kind: 'set'; readonly name: string; readonly value: Json }
  | { readonly kind: 'shrink' | 'unset'; readonly name: string }
  | { readonly kind: 'same' }

const name = fc.constantFrom<string>(...members)
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ kind: fc.constant('append' as const), name, elements: fc.array(element, { maxLength: 3 }) }),
  },
  fc.record({ kind: fc.constant('replace last' as const), name, elements: fc.array(element, { maxLength: 2 }) }),
  fc.record({ kind: fc.constant('set' as const), name, value: member }),
  fc.record({ kind: fc.constantFrom('shrink' as const, 'unset' as const), name }),
  fc.record({ kind: fc.constant('same' as const) }),
)

type Body = Readonly<Record<string, Json>>

/** As edits of a cassette do: what is not touched is the very same object. */
function stepped(body: Body, step: Step): Body {
  if (step.kind === 'same') return body
  const { name } = step
  const before = body[name]
  const items: readonly Json[] = Array.isArray(before) ? before : []
  switch (step.kind) {
    case 'append':
      return { ...body, [name]: [...items, ...step.elements] }
    case 'replace last':
      return { ...body, [name]: [...items.slice(0, -1), ...step.elements] }
    case 'set':
      return { ...body, [name]: step.value }
    case 'shrink':
      return { ...body, [name]: items.slice(0, items.length >> 1) }
    case 'unset':
      return Object.fromEntries(Object.entries(body).filter(([other]) => other !== name))
  }
}

const loop = fc
  .tuple(fc.dictionary(name, member), fc.array(step, { minLength: 1, maxLength: 9 }))
  .map(([first, steps]) => {
    const bodies: Body[] = [first]
    for (const step of steps) bodies.push(stepped(bodies.at(-1) as Body, step))
    return bodies
  })

/** A loop that is short up to one of its requests: from then on what its requests share is looked for. */
const growingLoop = fc
  .tuple(loop, fc.nat(4))
  .map(([bodies, short]) => bodies.map((body, at): Body => (at < short ? body : { filler, ...body })))

const filler = 'f'.repeat(minSharedLength)

describe('F13 the requests of a loop', () => {
  test('have the hash of their canonical text, however they grow, shrink and change', () => {
    fc.assert(
      fc.property(loop, (bodies) => {
        const growing = new GrowingRequest()
        for (const body of bodies) {
          const expected = contentHash(canonicalRequest(requestOf(body)))
          expect(growing.hash(requestOf(body))).toBe(expected)
          expect(hashRequest(requestOf(body))).toBe(expected)
        }
      }),
      { numRuns: 400 },
    )
  })

  test('are known by their text, to the byte, and then have the same hash', () => {
    fc.assert(
      fc.property(growingLoop, fc.nat(), fc.constantFrom('changed', 'shorter', 'longer'), (bodies, at, how) => {
        const growing = new GrowingRequest()
        for (const body of bodies) {
          const sent = Buffer.from(JSON.stringify(body))
          expect(growing.isText(body, otherThan(sent, how, at))).toBe(false)
          expect(growing.isText(body, sent)).toBe(true)
          expect(growing.hash(requestOf(body))).toBe(hashRequest(requestOf(body)))
        }
      }),
      { numRuns: 400 },
    )
  })

  test('are looked at anew where a value only looks like the one before', () => {
    const growing = new GrowingRequest()
    for (const content of ['one', 'two', 'one']) {
      const body = { messages: [{ role: 'user', content }], model: 'm' }
      expect(growing.hash(requestOf(body))).toBe(hashRequest(requestOf(body)))
      expect(growing.isText(body, Buffer.from(JSON.stringify(body)))).toBe(true)
    }
  })

  test('bytes that are no UTF-8 are not the text that decoding makes of them', () => {
    const body = { messages: [{ content: '\ufffd' }] }
    const sent = Buffer.from(JSON.stringify(body))
    const broken = Buffer.concat([sent.subarray(0, 25), Buffer.from([0xf0, 0x9f, 0x98]), sent.subarray(28)])
    expect(broken.toString()).toBe(sent.toString())
    expect(new GrowingRequest().isText(body, broken)).toBe(false)
    expect(new GrowingRequest().isText(body, sent)).toBe(true)
  })
})

test('F13 a body that is a scalar, a list, empty, text or absent has its hash as well', () => {
  const growing = new GrowingRequest()
  const list: Json = [{ a: 1 }, 'é']
  for (const json of [null, 'x', 1, {}, [], list, list, { a: [] }, { b: list, a: list }] as Json[]) {
    expect(growing.hash(requestOf(json))).toBe(contentHash(canonicalRequest(requestOf(json))))
    expect(growing.isText(json, Buffer.from(JSON.stringify(json)))).toBe(true)
  }
  for (const body of [{ text: '{"a": 1}' }, { sha256: 'a'.repeat(64), bytes: 1 }]) {
    expect(growing.hash({ ...requestOf(null), body })).toBe(hashRequest({ ...requestOf(null), body }))
  }
})

test('F13 a request that is longer than what is hashed together has the same hash, and is known by its text', () => {
  const body = {
    messages: Array.from({ length: 9 }, (_, at) => ({ role: 'user', content: 'é鍵x'[at % 3]?.repeat(40_000) ?? '' })),
  }
  const growing = new GrowingRequest()
  expect(growing.hash(requestOf(body))).toBe(contentHash(canonicalRequest(requestOf(body))))
  expect(growing.isText(body, Buffer.from(JSON.stringify(body)))).toBe(true)
})

test('promise 9: of a loop that has grown only what is new is read, as often in the last turn as in the third', () => {
  let reads = 0
  const readsOfTurn: number[] = []
  const message = (content: string): Json => {
    const get = (): string => {
      reads += 1
      return content
    }
    return Object.defineProperty({ role: 'user' }, 'content', { enumerable: true, get }) as Json
  }
  const growing = new GrowingRequest()
  const tools = [message('a tool')]
  let messages: readonly Json[] = [message('first')]
  for (let turn = 0; turn < 40; turn += 1) {
    const body = { model: 'm', filler, messages, tools }
    const sent = Buffer.from(JSON.stringify({ ...body, messages: messages.map(plain), tools: tools.map(plain) }))
    reads = 0
    expect(growing.isText(body, sent)).toBe(true)
    growing.hash(requestOf(body))
    readsOfTurn.push(reads)
    messages = [...messages, message(`turn ${turn}`), message('answer')]
  }
  expect(readsOfTurn.at(-1)).toBeGreaterThan(0)
  expect(new Set(readsOfTurn.slice(2)).size).toBe(1)
})

function plain(message: Json): Json {
  const { role, content } = message as { role: string; content: string }
  return { role, content }
}

function otherThan(sent: Buffer, how: string, at: number): Buffer {
  if (how === 'shorter') return sent.subarray(0, -1)
  if (how === 'longer') return Buffer.concat([sent, Buffer.from(' ')])
  const other = Buffer.from(sent)
  const index = at % other.length
  other[index] = (other[index] as number) ^ 1
  return other
}
