import { describe, expect, it } from 'vitest'
import { capUsage, checkCap, defaultCaps, resolveCaps } from '../../src/core/cassette/caps.ts'
import { isReplayError } from '../../src/errors/replay-error.ts'

function failure(run: () => unknown): object {
  try {
    run()
  } catch (error) {
    if (isReplayError(error)) return { code: error.code, details: error.details }
    throw error
  }
  return {}
}

describe('caps', () => {
  it('have the documented defaults', () => {
    expect(defaultCaps).toEqual({
      maxCassetteBytes: 8_388_608,
      maxBodyBytes: 16_777_216,
      maxInteractions: 2000,
      maxChunks: 65_536,
      maxBlocks: 4096,
    })
  })

  it('are given in part, the defaults fill the rest', () => {
    expect(resolveCaps(undefined)).toEqual(defaultCaps)
    expect(resolveCaps({ maxChunks: 3 })).toEqual({ ...defaultCaps, maxChunks: 3 })
  })

  it.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, '8MB' as unknown as number])(
    'refuse %s as a limit',
    (limit) => {
      expect(failure(() => resolveCaps({ maxBodyBytes: limit }))).toEqual({
        code: 'TURNTAPE_INVALID_OPTION',
        details: { option: 'caps.maxBodyBytes', given: String(limit), expected: 'a positive integer' },
      })
    },
  )

  it('refuse a name that is no cap', () => {
    expect(failure(() => resolveCaps({ maxBytes: 1 } as object))).toMatchObject({
      details: { option: 'caps.maxBytes' },
    })
  })

  it('are fine exactly at the limit and refuse one over', () => {
    const check = { cassette: 'cassettes/a.json', cap: 'maxChunks', limit: 10, when: 'recording' } as const
    expect(failure(() => checkCap({ ...check, found: 10 }))).toEqual({})
    expect(failure(() => checkCap({ ...check, found: 11, atLeast: true }))).toEqual({
      code: 'TURNTAPE_CAP_EXCEEDED',
      details: { ...check, found: 11, atLeast: true },
    })
  })

  it('CU-17 are near from nine tenths on', () => {
    const none = { maxCassetteBytes: 0, maxBodyBytes: 0, maxInteractions: 0, maxChunks: 0, maxBlocks: 0 }
    expect(capUsage({ ...none, maxInteractions: 1799 }, defaultCaps).nearCap).toBeUndefined()
    expect(capUsage({ ...none, maxInteractions: 1800, maxBlocks: 4096 }, defaultCaps).nearCap).toBe('maxInteractions')
  })
})
