import { describe, expect, test } from 'vitest'
import { defaultCaps } from '../../src/core/cassette/caps.ts'
import { isReplayError } from '../../src/errors/replay-error.ts'
import { nothingAllowed, resolveOptions, type TapeOptions } from '../../src/session/tape-options.ts'

describe('layers of options', () => {
  test('the nearest one wins, member by member; undefined says nothing', () => {
    const layers = [
      { order: 'any', mode: 'live' },
      { mode: 'replay', realRetryAfter: true },
      { mode: undefined },
    ] as unknown as TapeOptions[]
    expect(resolveOptions(layers)).toMatchObject({ order: 'any', mode: 'replay', fastRetryAfter: false })
  })

  test('caps and allow merge one level deeper', () => {
    const { caps, allow } = resolveOptions([
      { caps: { maxInteractions: 5, maxChunks: 7 }, allow: { unused: true } },
      { caps: { maxChunks: 8 } },
    ])
    expect(caps).toEqual({ ...defaultCaps, maxInteractions: 5, maxChunks: 8 })
    expect(allow).toEqual({ ...nothingAllowed, unused: true })
  })

  test('strict: false allows all but repeated GETs', () => {
    const all = { unused: true, unhashed: true, incomplete: true, substitution: true, repeatedGets: false }
    expect(resolveOptions([{ strict: false }]).allow).toEqual(all)
    expect(resolveOptions([{ strict: false, allow: { unused: false } }]).allow).toEqual(all)
    expect(resolveOptions([{}]).allow).toEqual(nothingAllowed)
  })

  test('CU-04 a part is turns, 1-based, both ends included; by default all', () => {
    const parts = [{}, { from: 2 }, { upTo: 1 }, { from: 3, upTo: 3 }].map((layer) => resolveOptions([layer]).part)
    expect(parts).toEqual([
      { from: 1, upTo: Infinity },
      { from: 2, upTo: Infinity },
      { from: 1, upTo: 1 },
      { from: 3, upTo: 3 },
    ])
  })
})

test.for<[Record<string, unknown>, string, string]>([
  [{ recordMode: 'auto' }, 'recordMode', 'an unknown name'],
  [{ strict: 'yes' }, 'strict', '"yes"'],
  [{ order: 'strict' }, 'order', '"strict"'],
  [{ chunks: 'one' }, 'chunks', '"one"'],
  [{ normalise: () => {} }, 'normalise', 'function'],
  [{ normalise: ['dates'] }, 'normalise', 'an array with other elements'],
  [{ ignore: ['host'] }, 'ignore', 'an array with other elements'],
  [{ caps: null }, 'caps', 'null'],
  [{ allow: { unsued: true } }, 'allow', 'object'],
  [{ allow: { unused: 'yes' } }, 'allow', 'object'],
  [{ from: 0 }, 'from', '0'],
  [{ from: 1.5 }, 'from', '1.5'],
  [{ upTo: 'end' }, 'upTo', '"end"'],
  [{ from: 3, upTo: 2 }, 'upTo', '2'],
  [{ path: '../outside.json' }, 'path', '"../outside.json"'],
  [{ path: '/absolute.json' }, 'path', '"/absolute.json"'],
  [{ path: 'C:\\absolute.json' }, 'path', '"C:\\\\absolute.json"'],
  [{ path: 'cassettes/no-extension' }, 'path', '"cassettes/no-extension"'],
])('CU-04 %j is refused by name', ([options, option, given]) => {
  try {
    resolveOptions([options as TapeOptions])
    expect.unreachable()
  } catch (error) {
    expect(isReplayError(error) && [error.code, error.details]).toEqual([
      'TURNTAPE_INVALID_OPTION',
      { option, given, expected: expect.any(String) },
    ])
  }
})
