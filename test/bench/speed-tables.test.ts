import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { rows } from '../../bench/rows.mjs'
import type { Figure, Results } from '../../bench/run.mjs'
import { median, spread } from '../../bench/statistics.mjs'
import { committedSpeed, speedTables, unmetRows } from '../../scripts/docs/speed-tables.ts'

const once = (value: number): { median: number; low: number; high: number; count: number } => ({
  median: value,
  low: value,
  high: value,
  count: 1,
})

const stream: Figure = {
  id: 'stream-200',
  group: 'Replay',
  what: '200 chunks',
  unit: '×',
  goal: '≤ 1.3 ×',
  ours: { median: 1.21, low: 1.1, high: 1.305, count: 7 },
  met: true,
  peers: [
    { name: 'nock', keepsChunks: true, spread: once(4.2) },
    { name: 'Polly', keepsChunks: false, spread: once(1.2) },
    { name: 'msw', keepsChunks: true, failed: 'Error: no' },
  ],
}
const opening: Figure = { ...stream, id: 'opening', group: 'Opening', what: '1 MB', met: false, peers: [] }
const { goal: _goal, met: _met, ...stated } = { ...opening, id: 'installed', unit: 'KB' as const }
const installed: Figure = { ...stated, note: '6 packages', ours: once(1980) }

function resultsOf(...figures: readonly Figure[]): Results {
  return { versions: { nock: '15.0.6' }, runs: [{ node: '24.21.0', cores: 2, quick: false, figures: [...figures] }] }
}

describe('the tables of docs/speed.md', () => {
  test('a row has its goal, our figure with the middle half, and the peers by what they do to chunks', () => {
    expect(
      speedTables(resultsOf(stream, installed), {}),
    ).toBe(`Node 24.21.0 on a machine of 2 cores. In brackets: the middle half of the rounds.

| what | goal | turntape | met | peers |
| --- | --- | --- | --- | --- |
| Replay: 200 chunks | ≤ 1.3 × | **1.21 ×** (1.1 to 1.31) | yes | chunks kept: nock 4.2 ×, msw –; chunks joined: Polly 1.2 × |
| Opening: 1 MB | stated | **1,980 KB**; 6 packages |  |  |

Every goal is met.

Peers: \`nock\` 15.0.6.`)
  })

  test('a goal that is not met stands below the table with its reason', () => {
    const text = speedTables(resultsOf(stream, opening), { opening: 'The file is read twice.' })
    expect(text).toContain('### Goals not met, and why\n\n- **Opening: 1 MB.** The file is read twice.\n')
    expect(speedTables(resultsOf(opening), {})).toContain('The reason is not written yet.')
  })

  test('a row that could not be measured says so', () => {
    const failed: Figure = { ...opening, ours: { failed: 'no end within 180 s' } }
    expect(speedTables(resultsOf(failed), {})).toContain('| failed: no end within 180 s | no |')
  })
})

describe('the committed results', () => {
  const { results, reasons } = committedSpeed()

  test('docs/speed.md says what they say', () => {
    const page = readFileSync(new URL('../../docs/speed.md', import.meta.url), 'utf8')
    expect(page).toContain(`<!-- generated:speed -->\n\n${speedTables(results, reasons)}\n\n<!-- /generated -->`)
  })

  test('hold rows of the bench in order, and all of them unless the run was a quick one', () => {
    const every = rows.flatMap(({ figures }) => figures)
    expect(results.runs.length).toBeGreaterThan(0)
    for (const [at, { figures, quick }] of results.runs.entries()) {
      const held = figures.map(({ id }) => id)
      expect(held).toEqual(every.filter((id) => held.includes(id)))
      if (at === 0 && !quick) expect(held).toEqual(every)
    }
  })

  test('every goal that is not met has a reason', () => {
    const unmet = results.runs.flatMap(unmetRows).map(({ id }) => id)
    expect(unmet.filter((id) => reasons[id] === undefined)).toEqual([])
  })

  test('name no folder of a machine', () => {
    expect(JSON.stringify(results)).not.toMatch(/"[^"]*(?:\/home\/|\/tmp\/|\/work\/|[A-Z]:\\\\)/)
  })
})

describe('statistics', () => {
  const values = fc.array(fc.double({ min: 0.001, max: 1e6, noNaN: true }), { minLength: 1, maxLength: 30 })

  test('half of the values are at or below the median, and half at or above it, in any order', () => {
    fc.assert(
      fc.property(values, (list) => {
        const middle = median(list)
        expect(list.filter((value) => value <= middle).length * 2).toBeGreaterThanOrEqual(list.length)
        expect(list.filter((value) => value >= middle).length * 2).toBeGreaterThanOrEqual(list.length)
        expect(median([...list].reverse())).toBe(middle)
      }),
      { numRuns: 50 },
    )
  })

  test('the middle half lies around the median', () => {
    expect(spread([9, 1, 5, 7, 3])).toEqual({ median: 5, low: 3, high: 7, count: 5 })
    expect(spread([2])).toEqual({ median: 2, low: 2, high: 2, count: 1 })
  })
})
