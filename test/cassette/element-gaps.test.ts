import { describe, expect, test } from 'vitest'
import { defaultCaps } from '../../src/core/cassette/caps.ts'
import type { Cassette, ValueInteraction } from '../../src/core/cassette/document.ts'
import { parseCassette } from '../../src/core/cassette/parse-cassette.ts'
import { writeCassette } from '../../src/core/cassette/write-cassette.ts'
import { cassetteOf } from './sample-cassette.ts'

const context = { cassette: 'cassettes/a.json', caps: defaultCaps }

function iterable(result: ValueInteraction['result']): Cassette {
  return cassetteOf({
    number: 1,
    kind: 'call',
    hash: 'a'.repeat(64),
    request: { name: 'numbers', input: null },
    result,
    timing: { startMs: 0, headMs: 4 },
  })
}

describe('the gaps of an iterable', () => {
  test('F8 stand beside its elements, equal ones as one, and come back', () => {
    const cassette = iterable({ elements: [1, 2, 3, 4, 5, 6], gapsMs: [7, 0, 0, 0, 0, 12] })
    const text = writeCassette(cassette)
    expect(text).toContain('"gapsMs": [7, "0 x 4", 12]')
    expect(parseCassette(text, context)).toEqual(cassette)
    expect(writeCassette(parseCassette(text, context))).toBe(text)
  })

  test('are absent where all are zero', () => {
    const cassette = iterable({ elements: [1] })
    expect(writeCassette(cassette)).not.toContain('gapsMs')
    expect(parseCassette(writeCassette(cassette), context)).toEqual(cassette)
  })

  test.each([
    ['too few', [7], 'it must have one gap an element, 2'],
    ['more than there are, folded', ['0 x 999999999'], 'it must have one gap an element, 2'],
    ['a negative one', [-1, 0], 'it must be a whole number, zero or more, found -1'],
  ])('F19 are refused where there are %s', (_what, gapsMs, reason) => {
    const text = writeCassette(iterable({ elements: [1, 2], gapsMs: [7, 8] }))
    const broken = text.replace('[7, 8]', JSON.stringify(gapsMs))
    expect(broken).not.toBe(text)
    expect(() => parseCassette(broken, context)).toThrow(reason)
  })
})
