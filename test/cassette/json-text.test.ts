/** F6, F13: a text is stored as a value only where nothing is lost by that, told quickly and told slowly alike. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findLoss } from '../../src/core/cassette/exact-json.ts'
import { parseExact } from '../../src/core/cassette/json-text.ts'

const losses = new Set(['duplicate name', 'prototype name', 'inexact number', 'name order'] as const)

const numbers = ['0', '-0', '1.0', '1e3', '1E400', '9007199254740993', '0.1', '12345678901234567', '5e-324', '1e21']
const strings = ['"a"', '"\\u0061"', '"\\/"', '"é"', '"😀"', '"1"', '""', '"\\ud83d\\ude00"']
const names = ['"a"', '"b"', '"\\u0061"', '"2"', '"1"', '"01"', '"é"', '"constructor"']
const blank = fc.constantFrom('', '', ' ', '\n\t')

/** JSON written in all the ways there are. */
const { text } = fc.letrec<{ text: string; array: string; object: string }>((tie) => ({
  array: fc.array(tie('text'), { maxLength: 3 }).map((items) => `[${items.join(',')}]`),
  object: fc
    .array(fc.tuple(fc.constantFrom(...names), blank, tie('text')), { maxLength: 4 })
    .map((all) => `{${all.map(([name, space, value]) => `${space}${name}:${space}${value}`).join(',')}}`),
  text: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom(...numbers, ...strings, 'true', 'null'),
    tie('array'),
    tie('object'),
    fc.tuple(blank, tie('object'), blank).map((all) => all.join('')),
  ),
}))

test('F13 a parse that lost something is known by what was lost, in any spelling, with and without the bytes', () => {
  const seen = new Set<string>()
  fc.assert(
    fc.property(text, (written) => {
      const loss = findLoss(written, losses)
      const expected = loss === undefined ? { ok: true, value: JSON.parse(written) } : { ok: false, reason: loss.kind }
      seen.add(loss?.kind ?? 'none')
      expect(parseExact(written)).toEqual(expected)
      expect(parseExact(written, Buffer.from(written))).toEqual(expected)
    }),
    { numRuns: 3000 },
  )
  expect([...seen].sort()).toEqual(['duplicate name', 'inexact number', 'name order', 'none'])
})

test.each([
  ['{"a": "\\ud800"}', 'lone surrogate'],
  ['{"a": "\\uDfff"}', 'lone surrogate'],
  ['{"\\ud800": 1}', 'lone surrogate'],
  ['{"a": {"__proto__": 1}}', 'prototype name'],
  ['{"a": {"\\u005f_proto__": 1}}', 'prototype name'],
  [`${'['.repeat(257)}${']'.repeat(257)}`, 'too deep'],
  ['{"a": 1', 'not json'],
  ['{"a": "\u0007"}', 'not json'],
])('F19 %s is not stored as a value: %s', (written, reason) => {
  expect(parseExact(written)).toEqual({ ok: false, reason })
  expect(parseExact(written, Buffer.from(written))).toEqual({ ok: false, reason })
})

test('F19 half a surrogate pair that stands in the text itself is seen where the text was no bytes', () => {
  expect(parseExact('{"a": "\ud800"}')).toEqual({ ok: false, reason: 'lone surrogate' })
  expect(parseExact('{"a": "\ud83d\ude00"}')).toEqual({ ok: true, value: { a: '😀' } })
})
