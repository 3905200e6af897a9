import fc from 'fast-check'
import { expect, test } from 'vitest'
import { elide, elideMiddle } from '../../src/errors/elide.ts'
import { printable } from '../../src/errors/printable.ts'

test('a text that fits is left as it is', () => {
  expect(elide('a 👩‍👩‍👧 name', 40)).toBe('a 👩‍👩‍👧 name')
})

test('a longer one loses its end or its middle', () => {
  expect(elide('abcdefghij', 5)).toBe('abcd…')
  expect(elideMiddle('abcdefghij', 5)).toBe('ab…ij')
})

test('what a terminal would act on, or nobody could see, is written out', () => {
  expect(printable('a\u001b[31m\r\n\t\u0007\u200b\u202e\u00a0\ud800')).toBe(
    'a\\u{1b}[31m\\r\\n\\t\\u{7}\\u{200b}\\u{202e}\\u{a0}\\u{d800}',
  )
})

test('no result is longer than the limit, cut inside a character, or unprintable', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 60 }), fc.integer({ min: 5, max: 40 }), (text, limit) => {
      for (const shown of [elide(text, limit), elideMiddle(text, limit)]) {
        expect(shown.length).toBeLessThanOrEqual(limit)
        expect(shown).toBe(printable(shown))
      }
    }),
  )
})
