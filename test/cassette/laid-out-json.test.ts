/** JSON in another layout than the compact one is told by its value, where parsing it loses nothing (F13). */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Json } from '../../src/core/cassette/document.ts'
import { isLaidOut, isLaidOutJsonOf } from '../../src/core/cassette/laid-out-json.ts'
import { canonicalJson } from '../../src/core/hashing/canonical-json.ts'

const asked: Json = { model: 'm', n: 1.5, messages: [{ role: 'user', content: 'Größe “x” 😀' }] }

function says(text: string, value: Json = asked): boolean {
  return isLaidOutJsonOf(value, Buffer.from(text))
}

describe('a layout', () => {
  test.each(['{ "a":1}', '{\n  "a": 1\n}', '[ 1]', '{"a": 1, "b": 2}', '{"long_name_of_a_member": [1]}'])(
    'is told near the start of %j',
    (text) => {
      expect(isLaidOut(Buffer.from(text))).toBe(true)
    },
  )

  test.each([
    '{"a":1}',
    '[1, 2]',
    '"a b"',
    '{}',
    '[]',
    '{',
    '',
    '1',
    ' {"a":1}',
    '{"a',
    '{"":1}',
    '{"a\\": ":1}',
    `{"${'n'.repeat(99)}": 1}`,
  ])('is not looked for further in %j', (text) => {
    expect(isLaidOut(Buffer.from(text))).toBe(false)
  })
})

describe('F13 a laid out text', () => {
  test('is that of the value it says, in whatever order and spelling', () => {
    expect(says(JSON.stringify(asked, null, 2))).toBe(true)
    expect(says('{ "n":1.50,"messages":[{"content":"Gr\\u00f6ße “x” 😀","role":"user"}],"model":"m"}')).toBe(true)
  })

  test('is that of no other value', () => {
    const value = fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<Json>
    fc.assert(
      fc.property(value, value, (one, other) => {
        const text = JSON.stringify({ one }, null, 1)
        expect(says(text, { one: other })).toBe(canonicalJson(one) === canonicalJson(other))
        expect(says(text, JSON.parse(text))).toBe(!text.includes('\\ud'))
      }),
      { numRuns: 300, examples: [[0, 0]] },
    )
  })

  test.each([
    ['its compact text', JSON.stringify({ a: 'x' })],
    ['a name that stands twice', '{ "a":"sk-secret","a":"x"}'],
    ['a name that stands twice in another spelling', '{ "\\u0061":"sk-secret","a":"x"}'],
    ['an escaped surrogate', '{ "a":"\\ud83d"}'],
    ['what is cut off', '{ "a":"x"'],
  ])('is not %s', (_, text) => {
    const parsed = text.endsWith('}') ? (JSON.parse(text) as Json) : null
    expect(says(text, parsed)).toBe(false)
    expect(says(text, { a: 'x' })).toBe(false)
  })

  test('is not a number that a double does not hold, nor bytes that are no UTF-8', () => {
    expect(says('{ "a":9007199254740993}', { a: 9007199254740992 })).toBe(false)
    expect(isLaidOutJsonOf({ a: '\ufffd' }, Buffer.from('{ "a":"\xff"}', 'latin1'))).toBe(false)
  })
})
