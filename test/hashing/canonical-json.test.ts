import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { canonicalize } from 'json-canonicalize'
import { describe, expect, it } from 'vitest'
import type { Json } from '../../src/core/cassette/document.ts'
import { canonicalJson } from '../../src/core/hashing/canonical-json.ts'
import { canonicalText } from '../../src/core/hashing/canonical-text.ts'
import { serialiseLossless } from '../../src/core/hashing/serialise-lossless.ts'

interface Vectors {
  readonly numbers: readonly { readonly bits: string; readonly text: string }[]
  readonly samples: readonly { readonly name: string; readonly json: string; readonly canonical: string }[]
}

const vectors = JSON.parse(readFileSync(new URL('../formats/rfc8785-vectors.json', import.meta.url), 'utf8')) as Vectors

describe('canonicalJson', () => {
  it('has the 24 numbers of RFC 8785 appendix B', () => {
    expect(vectors.numbers).toHaveLength(24)
    for (const { bits, text } of vectors.numbers) {
      const double = Buffer.from(bits, 'hex').readDoubleBE(0)
      expect([bits, canonicalJson(double), serialiseLossless(double)]).toEqual([bits, text, text])
    }
  })

  it.each(vectors.samples)('gives the RFC 8785 text of $name', ({ json, canonical }) => {
    const value = JSON.parse(json) as Json
    expect(canonicalJson(value)).toBe(canonical)
    expect(serialiseLossless(value)).toBe(canonical)
  })

  it.each([5_000, 100_000])('serialises a value nested %i deep', (depth) => {
    const array = '['.repeat(depth) + ']'.repeat(depth)
    expect(canonicalJson(JSON.parse(array) as Json) === array).toBe(true)
    const object = `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`
    expect(canonicalJson(JSON.parse(object) as Json) === object).toBe(true)
  })

  it('writes an object that is reachable on two paths twice', () => {
    const shared = { x: [1] }
    expect(canonicalJson({ a: shared, ab: shared })).toBe('{"a":{"x":[1]},"ab":{"x":[1]}}')
  })

  it('keeps two lone surrogates apart', () => {
    expect(canonicalJson('\ud800')).toBe('"\\ud800"')
    expect(canonicalJson('\udead')).toBe('"\\udead"')
    expect(canonicalJson('\\ud800')).toBe('"\\\\ud800"')
  })

  it.each([
    ['NaN', { a: Number.NaN }, /holds NaN/],
    ['an infinity', [Number.POSITIVE_INFINITY], /holds Infinity/],
    ['a cycle', cycle(), /holds a cycle/],
    ['a bigint', { a: 10n } as unknown as Json, /holds a bigint/],
  ])('refuses %s, which is not JSON', (_, value, message) => {
    expect(() => canonicalJson(value)).toThrow(expect.objectContaining({ code: 'TURNTAPE_USAGE' }))
    expect(() => canonicalJson(value)).toThrow(message)
  })

  it('gives the same text through the language, through our own serialiser and through a library', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'binary' }), (value) => {
        const canonical = canonicalJson(value as Json)
        expect(serialiseLossless(value as Json)).toBe(canonical)
        // Of a member of this name it has another opinion.
        if (!canonical.includes('"toJSON":')) expect(canonicalize(value)).toBe(canonical)
      }),
      { numRuns: 200 },
    )
  })

  it.each([
    ['{"b":1,"10":2,"9":3}', '{"10":2,"9":3,"b":1}'],
    ['{"z":{"__proto__":1,"a":2}}', '{"z":{"__proto__":1,"a":2}}'],
    ['{"b":{"toJSON":"x","a":1},"a":2}', '{"a":2,"b":{"a":1,"toJSON":"x"}}'],
    ['{"b":[{"d":1,"c":-0}],"a":[]}', '{"a":[],"b":[{"c":0,"d":1}]}'],
  ])('sorts names that objects keep in an order of their own: %s', (json, canonical) => {
    expect(canonicalJson(JSON.parse(json) as Json)).toBe(canonical)
  })

  it('leaves the value as it was, in its own order', () => {
    const value = { b: [{ d: 1, c: 2 }], a: { x: 1 } }
    expect(canonicalJson(value)).toBe('{"a":{"x":1},"b":[{"c":2,"d":1}]}')
    expect(JSON.stringify(value)).toBe('{"b":[{"d":1,"c":2}],"a":{"x":1}}')
  })

  it('is a fixed point: the canonical text of a canonical text is itself', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'grapheme' }), (value) => {
        const canonical = canonicalJson(value as Json)
        expect(canonicalText(canonical)).toEqual({ kind: 'json', canonical })
      }),
      { numRuns: 200 },
    )
  })
})

function cycle(): Json {
  const value: { self?: Json } = {}
  value.self = value as Json
  return value as Json
}
