import { describe, expect, test } from 'vitest'
import { defaultCaps } from '../../src/core/cassette/caps.ts'
import { isReplayError } from '../../src/errors/replay-error.ts'
import { resolveOptions, type TapeOptions } from '../../src/session/tape-options.ts'

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
    const { caps, allowUnused } = resolveOptions([
      { caps: { maxInteractions: 5, maxChunks: 7 }, allow: { unused: true } },
      { caps: { maxChunks: 8 } },
    ])
    expect(caps).toEqual({ ...defaultCaps, maxInteractions: 5, maxChunks: 8 })
    expect(allowUnused).toBe(true)
  })

  test('strict: false allows unused interactions', () => {
    expect(resolveOptions([{ strict: false }]).allowUnused).toBe(true)
    expect(resolveOptions([]).allowUnused).toBe(false)
  })
})

test.for<[Record<string, unknown>, string, string]>([
  [{ recordMode: 'auto' }, 'recordMode', 'an unknown name'],
  [{ strict: 'yes' }, 'strict', '"yes"'],
  [{ order: 'strict' }, 'order', '"strict"'],
  [{ normalise: () => {} }, 'normalise', 'function'],
  [{ normalise: ['dates'] }, 'normalise', 'an array with other elements'],
  [{ ignore: ['host'] }, 'ignore', 'an array with other elements'],
  [{ caps: null }, 'caps', 'null'],
  [{ path: '../outside.json' }, 'path', '"../outside.json"'],
  [{ path: '/absolute.json' }, 'path', '"/absolute.json"'],
  [{ path: 'C:\\absolute.json' }, 'path', '"C:\\\\absolute.json"'],
  [{ path: 'cassettes/no-extension' }, 'path', '"cassettes/no-extension"'],
])('%j is refused by name', ([options, option, given]) => {
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
