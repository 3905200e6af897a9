import fc from 'fast-check'
import { expect, test } from 'vitest'
import { defaultCaps } from '../../src/core/cassette/caps.ts'
import { decodeBody } from '../../src/core/cassette/decode-body.ts'
import type { JsonLayout, ResponseBody } from '../../src/core/cassette/document.ts'
import { encodeBody } from '../../src/core/cassette/encode-body.ts'
import { renderJson } from '../../src/core/cassette/json-layout.ts'
import { parseCassette } from '../../src/core/cassette/parse-cassette.ts'
import { writeCassette } from '../../src/core/cassette/write-cassette.ts'
import { anyCassette, anyJson, anyText } from './any-cassette.ts'

test('F2 law: any cassette that is read and written is the same bytes, and holds what was put in', () => {
  fc.assert(
    fc.property(anyCassette, (cassette) => {
      const written = writeCassette(cassette)
      const parsed = parseCassette(written, { cassette: 'cassettes/a.json', caps: defaultCaps })
      expect(writeCassette(parsed)).toBe(written)
      expect(parsed).toEqual(cassette)
    }),
    { numRuns: 120 },
  )
})

test('F5 law: JSON in any layout that the format knows is stored as a value, and comes back as it was written', () => {
  const blank = fc.constantFrom('', ' ', '  ')
  const layout: fc.Arbitrary<JsonLayout> = fc.record(
    {
      indent: fc.constantFrom(1, 2, 4, 10, '\t'),
      comma: fc.constant(' '),
      colon: fc.constantFrom(' ', ''),
      pad: fc.constantFrom(1, 3, 256),
      escape: fc.constant('ascii' as const),
      escapeAlso: fc.constantFrom('/', '<>'),
      hex: fc.constant('upper' as const),
      tail: fc.constantFrom('\n', '  \r\n'),
    },
    { requiredKeys: [] },
  )
  // Enough of everything that a layout can show in.
  const sample = fc.record({
    list: fc.array(anyJson, { minLength: 2, maxLength: 3 }),
    note: anyText,
    mark: fc.constant('</é🛫>'),
  })
  fc.assert(
    fc.property(sample, layout, blank, (json, given, tail) => {
      const written = renderJson(json, { ...given, tail: `${given.tail ?? ''}${tail}` })
      const bytes = new TextEncoder().encode(written)
      const chunks = [{ bytes, gapMs: 0 }]
      const { stored } = encodeBody({ chunks, end: { kind: 'complete' } }, { contentType: 'application/json' })
      expect(Object.keys(stored ?? {})[0], written).toBe('json')
      expect(decodeBody(stored as ResponseBody, new Map()).chunks).toEqual(chunks)
    }),
    { numRuns: 120 },
  )
})
