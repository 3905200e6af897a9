import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { normalDecimal } from '../../src/core/cassette/decimal-text.ts'
import { findFault, isExactNumber, locate } from '../../src/core/cassette/exact-json.ts'
import { parseJson } from '../../src/core/cassette/json-text.ts'

const pieces = [
  '{',
  '}',
  '[',
  ']',
  ':',
  ',',
  '"a"',
  '"\\u00e9"',
  '"\\x"',
  '"\n"',
  '"',
  '1',
  '-0',
  '01',
  '1.',
  '1e',
  'true',
  'nul',
  ' ',
  '\t',
  '\u00a0',
]

describe('F19 the exact parse', () => {
  test('law: takes exactly the texts that the language takes', () => {
    let taken = 0
    const text = fc.oneof(
      fc.array(fc.constantFrom(...pieces), { maxLength: 9 }).map((all) => all.join('')),
      fc.json().chain((json) => fc.nat(json.length).map((at) => json.slice(0, at) + json.slice(at + 1))),
      fc.json(),
    )
    fc.assert(
      fc.property(text, (candidate) => {
        const isJson = parseJson(candidate) !== undefined
        if (isJson) taken += 1
        expect(findFault(candidate) === undefined, candidate).toBe(isJson)
      }),
      { numRuns: 600 },
    )
    expect(taken).toBeGreaterThan(50)
  })

  test.each([
    ['{"a":1,}', 1, 8, 'it is no JSON: unexpected }'],
    ['{"a" 1}', 1, 6, 'it is no JSON: unexpected number'],
    ['{\n  "a": x1\n}', 2, 8, 'it is no JSON: unexpected x1'],
    ['["a" "b"]', 1, 6, 'it is no JSON: unexpected string'],
    ['[1', 1, 3, 'it is no JSON: unexpected end of input'],
    ['["\\q"]', 1, 3, 'it is no JSON: there is no such escape'],
    ['[1] true', 1, 5, 'it is no JSON: unexpected true'],
  ])('says of %j where and what it is', (text, line, column, reason) => {
    expect(findFault(text)).toEqual({ line, column, reason })
  })

  test('law: finds a value by its path, and the nearest one above it where there is none', () => {
    const text = '{\n  "a": [10, { "b/c": "x", "d": [[]] }],\n  "e": null\n}'
    const at = (...path: readonly (string | number)[]): string => {
      const { line, column } = locate(text, path)
      return (text.split('\n')[line - 1] ?? '').slice(column - 1, column + 2)
    }
    expect([at(), at('a'), at('a', 0), at('a', 1), at('a', 1, 'b/c'), at('a', 1, 'd', 0), at('e')]).toEqual(
      ['{', '[10', '10,', '{ "', '"x"', '[]]', 'nul'].map((start) => expect.stringContaining(start)),
    )
    expect([at('a', 7), at('a', 1, 'z', 'y'), at('e', 'f'), at('z')]).toEqual(['[10', '{ "', 'nul', '{'])
  })
})

describe('F13 a decimal has one spelling', () => {
  /** With whole numbers of any length. */
  function slowly(token: string): string {
    const [, sign = '', whole = '', fraction = '', exponent = '0'] =
      /^(-?)(\d+)(?:\.(\d+))?(?:[eE](.+))?$/.exec(token) ?? []
    let digits = BigInt(whole + fraction)
    if (digits === 0n) return '0e0'
    let power = BigInt(exponent.replace('+', '')) - BigInt(fraction.length)
    for (; digits % 10n === 0n; power += 1n) digits /= 10n
    return `${sign}${digits}e${power}`
  }

  test('law: whatever its zeros, its point and its exponent', () => {
    const digits = fc
      .array(fc.constantFrom('0', '0', '9', '1'), { minLength: 1, maxLength: 24 })
      .map((all) => all.join(''))
    const token = fc
      .record({
        sign: fc.constantFrom('', '-'),
        whole: digits,
        fraction: fc.option(digits),
        exponent: fc.option(digits),
        power: fc.constantFrom('e', 'E-', 'e+'),
      })
      .map(
        ({ sign, whole, fraction, exponent, power }) =>
          `${sign}${whole}${fraction === null ? '' : `.${fraction}`}${exponent === null ? '' : power + exponent}`,
      )
    fc.assert(
      fc.property(token, (given) => {
        expect(normalDecimal(given)).toBe(slowly(given))
      }),
      { numRuns: 500 },
    )
  })

  test('numbers of a million digits are compared as quickly as they are read', () => {
    const zeros = '0'.repeat(1_000_000)
    expect(isExactNumber(`1${zeros}1`)).toBe(false)
    expect(isExactNumber(`1.${zeros}`)).toBe(true)
    expect(normalDecimal(`1e1${zeros}`)).toBe(`1e1${zeros}`)
    expect(normalDecimal(`10e-1${zeros}`)).toBe(`1e-${'9'.repeat(1_000_000)}`)
  })
})
