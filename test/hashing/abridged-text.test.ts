/** Bytes that are the text of a long value are told by its parts, and its canonical text is taken from them (F13). */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Json } from '../../src/core/cassette/document.ts'
import { AbridgedText } from '../../src/core/hashing/abridged-text.ts'
import { canonicalJson } from '../../src/core/hashing/canonical-json.ts'

const letters = fc.constantFrom('a', '"', '\\', '\n', 'é', '鍵', '😀', '\ud800', '\ufffd', '\u0001', '\u2028')
const text = fc.oneof(
  fc.string({ unit: letters, maxLength: 6 }),
  fc.string({ unit: letters, minLength: 99, maxLength: 130 }),
)
const name = fc.constantFrom('role', 'content', 'a', 'Z', 'é', '10', 'toJSON')
const { value } = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.oneof(text, fc.constantFrom<Json>(null, true, 0, -1.5)),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(name, tie('value'), { maxKeys: 4 }),
  ),
}))

function canonicalOf(json: Json, sent: string | Buffer): string | undefined {
  return AbridgedText.of(json, Buffer.from(sent))?.canonical().toString()
}

test('the text of a value has the canonical text of that value', () => {
  fc.assert(
    fc.property(value, (json) => {
      expect(canonicalOf(json, JSON.stringify(json))).toBe(canonicalJson(json))
    }),
    { numRuns: 1000 },
  )
})

test('other bytes are not its text, wherever they differ', () => {
  fc.assert(
    fc.property(value, fc.nat(), fc.constantFrom('x', '', 'é', '\ufffd'), (json, place, put) => {
      const sent = Buffer.from(JSON.stringify(json))
      const at = place % (sent.length + 1)
      const other = Buffer.concat([sent.subarray(0, at), Buffer.from(put), sent.subarray(at + 1)])
      expect(canonicalOf(json, other) === undefined).toBe(!other.equals(sent))
      expect(canonicalOf(json, Buffer.concat([sent, Buffer.from(' ')]))).toBeUndefined()
    }),
    { numRuns: 500 },
  )
})

test('a value that is longer than what came is not its text', () => {
  for (const json of ['l'.repeat(500), ['é'.repeat(500), 1], { a: 'l'.repeat(99), b: 'l'.repeat(9) }]) {
    const sent = Buffer.from(JSON.stringify(json))
    for (let length = 0; length < sent.length; length += 1) {
      expect(AbridgedText.of(json, sent.subarray(0, length))).toBeUndefined()
    }
  }
})

test.each(['\u00010', '\u00017', 'a"\u00010', '\u0001'])(
  'a short string that is written like a mark, %j, is none',
  (short) => {
    const json = { z: ['l'.repeat(500), short], [short]: short, a: ['m'.repeat(500)] }
    expect(canonicalOf(json, JSON.stringify(json))).toBe(canonicalJson(json))
    expect(canonicalOf(json, JSON.stringify({ ...json, z: ['l'.repeat(500), 'other'] }))).toBeUndefined()
  },
)
