import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type CadenceBounds,
  type CadencePosition,
  cadenceStart,
  isCadence,
  nextDue,
  type ResolvedCadence,
  resolveCadence,
} from '../../src/core/cadence/cadence.ts'
import { resolveOptions, type TapeOptions } from '../../src/session/tape-options.ts'

/** When each of `count` chunks is due, and what the bounds took off. */
function plan(gapsMs: readonly number[], bounds: CadenceBounds | 'recorded' = {}, count = gapsMs.length) {
  const cadence = resolveCadence(bounds) as NonNullable<ResolvedCadence>
  const positions: CadencePosition[] = []
  for (let index = 0; index < count; index += 1)
    positions.push(nextDue(positions.at(-1) ?? cadenceStart, { gapMs: gapsMs[index], cadence }))
  const { compressedGaps, compressedMs } = positions.at(-1) ?? cadenceStart
  return { dueMs: positions.map(({ dueMs }) => dueMs), compressedGaps, compressedMs }
}

describe('a cadence', () => {
  test('TH-01 makes each chunk due at the sum of the gaps up to it', () => {
    expect(plan([0, 10, 5, 7]).dueMs).toEqual([0, 10, 15, 22])
  })

  test('TH-02 counts a negative or missing gap as none', () => {
    expect(plan([0, -40, 10]).dueMs).toEqual([0, 0, 10])
    expect(plan([0, 10], {}, 3).dueMs).toEqual([0, 10, 10])
    expect(plan([], {}, 2).dueMs).toEqual([0, 0])
  })

  test.each([
    ['raises what is shorter than the floor', { minGapMs: 8 }, [0, 3, 20], [8, 16, 36]],
    ['cuts what is longer than the ceiling', { maxGapMs: 100 }, [0, 30_000], [0, 100]],
    ['lets the ceiling win over a floor above it', { minGapMs: 500, maxGapMs: 100 }, [10, 300], [100, 200]],
    ['takes a negative floor for none', { minGapMs: -5 }, [0, 3], [0, 3]],
    [
      'keeps everything under a ceiling without end',
      { maxGapMs: Number.POSITIVE_INFINITY },
      [0, 600_000],
      [0, 600_000],
    ],
    ['has a ceiling of 2,000 ms where none is given', {}, [0, 30_000], [0, 2000]],
  ] as const)('TH-03 %s', (_what, bounds, gapsMs, dueMs) => {
    expect(plan(gapsMs, bounds).dueMs).toEqual(dueMs)
  })

  test('TH-03 bounds recorded time, and the speed divides what is left', () => {
    expect(plan([0, 30_000, 10], { minGapMs: 20, maxGapMs: 1000, speed: 4 }).dueMs).toEqual([5, 255, 260])
  })

  test('TH-04 reports what the ceiling removed, and no gap that the floor raised', () => {
    expect(plan([0, 30_000, 10], { maxGapMs: 500 })).toMatchObject({ compressedGaps: 1, compressedMs: 29_500 })
    expect(plan([0, 3], { minGapMs: 50 })).toMatchObject({ compressedGaps: 0, compressedMs: 0 })
    expect(plan([0, 500], { maxGapMs: 500 })).toMatchObject({ compressedGaps: 0, compressedMs: 0 })
    expect(plan([0, 30_000], { minGapMs: 500, maxGapMs: 100, speed: 2 })).toMatchObject({ compressedMs: 29_900 })
  })

  test('CU-15 is instant by default, and as recorded with the default bounds', () => {
    expect(resolveOptions([]).cadence).toBe(undefined)
    expect(resolveOptions([{ cadence: 'recorded' }]).cadence).toEqual({ minGapMs: 0, maxGapMs: 2000, speed: 1 })
    expect(resolveOptions([{ cadence: 'recorded' }, { cadence: 'instant' }]).cadence).toBe(undefined)
  })

  test('is refused, with what it may be, where it is neither a word nor bounds', () => {
    const options = { cadence: { speed: 0 } } as TapeOptions
    expect(() => resolveOptions([options])).toThrow("Expected: 'instant', 'recorded' or an object such as")
  })

  test('never goes back in time, and what it waits and what it removed are what was recorded, without a floor', () => {
    const gap = fc.integer({ min: 0, max: 100_000 })
    fc.assert(
      fc.property(fc.array(gap, { maxLength: 20 }), gap, (gapsMs, maxGapMs) => {
        const { dueMs, compressedMs } = plan(gapsMs, { maxGapMs })
        expect(dueMs).toEqual(dueMs.toSorted((one, other) => one - other))
        expect((dueMs.at(-1) ?? 0) + compressedMs).toBe(gapsMs.reduce((sum, one) => sum + one, 0))
      }),
      { numRuns: 50 },
    )
  })

  test.each([
    ...['instant', 'recorded', {}, { speed: 0.5 }, { minGapMs: -1, maxGapMs: Number.POSITIVE_INFINITY }],
    { maxGapMs: 0 },
  ])('may be %j', (cadence) => {
    expect(isCadence(cadence)).toBe(true)
  })

  test.each([
    ...['fast', null, [], 3, { speed: 0 }, { speed: -1 }, { speed: Number.POSITIVE_INFINITY }, { maxGapMs: -1 }],
    ...[{ minGapMs: Number.NaN }, { minGapMs: Number.POSITIVE_INFINITY }, { gapMs: 3 }, { speed: '2' }],
  ])('may not be %j', (cadence) => {
    expect(isCadence(cadence)).toBe(false)
  })
})
