import { describe, expect, test } from 'vitest'
import { ReplayError } from '../../src/errors/replay-error.ts'
import { createConcealer } from '../../src/redaction/concealer.ts'
import { concealError } from '../../src/session/calls/conceal-error.ts'
import { openaiKey } from './secret-samples.ts'

const value = 'q7"Rw2/Xn9+Kd4 é'
const facts = { secretValues: [{ name: 'SHOP_PASSWORD', value }], userNames: [], hostNames: [] }
const concealer = createConcealer(facts)

describe('promise 7: what is printed', () => {
  test.each([
    ['as it is', value],
    ['in JSON', JSON.stringify(value).slice(1, -1)],
    ['in JSON in a string', JSON.stringify(JSON.stringify(value)).slice(1, -1).slice(2, -2)],
    ['in a URL', encodeURIComponent(value)],
  ])('has no value of a secret variable %s', (_, spelling) => {
    expect(concealer.text(`a ${spelling} b ${spelling}`)).toBe('a <value of SHOP_PASSWORD> b <value of SHOP_PASSWORD>')
  })

  test('has no key of a known shape', () => {
    expect(concealer.text(`use ${openaiKey(1)}.`)).toBe('use <redacted>.')
    expect(concealer.values(`use ${openaiKey(1)}.`)).toBe(`use ${openaiKey(1)}.`)
  })

  test('is the same object where nothing was found, and else a copy with every string and name concealed', () => {
    const data = { a: [1, 'b', { c: null }], date: new Date(0) }
    expect(concealer.deep(data)).toBe(data)
    expect(concealer.deep({ [value]: ['x', { y: `z ${value}` }], n: 1 })).toEqual({
      '<value of SHOP_PASSWORD>': ['x', { y: 'z <value of SHOP_PASSWORD>' }],
      n: 1,
    })
  })

  test('an error loses them in its message, its first line, its details and its stack, and stays the same error', () => {
    const request = `POST https://x.test/${encodeURIComponent(value)}`
    const error = new ReplayError('TURNTAPE_MISSING_KEY', { variable: 'SHOP_KEY', request })
    concealError(error, facts)
    const { message, shortMessage, details, stack } = error
    for (const text of [message, shortMessage, JSON.stringify(details), stack ?? '']) {
      expect(text).not.toContain('Rw2')
    }
    expect(message).toContain('<value of SHOP_PASSWORD>')
    expect(error.code).toBe('TURNTAPE_MISSING_KEY')
  })
})
