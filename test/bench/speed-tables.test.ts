import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { Profiler, Runtime } from 'node:inspector'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { partsOf } from '../../bench/measure/profile.mjs'
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

  test('beside the reason stands the least that keeps the promises, where it was measured', () => {
    const least = { what: 'a read and a walk', spread: once(1.15) }
    const text = speedTables(resultsOf(stream, { ...opening, least }), { opening: 'The file is read twice.' })
    expect(text).toContain(
      'twice. The least that keeps the promises, measured beside: **1.15 ×** (a read and a walk).\n',
    )
    const failed = { ...opening, least: { what: 'a read', spread: { failed: 'no end within 180 s' } } }
    expect(speedTables(resultsOf(failed), { opening: 'The file is read twice.' })).not.toContain('The least')
  })

  test('a goal that is not met stands below the table with its reason', () => {
    const text = speedTables(resultsOf(stream, opening), { opening: 'The file is read twice.' })
    expect(text).toContain('### Goals not met, and why\n\n- **Opening: 1 MB.** The file is read twice.\n')
    expect(speedTables(resultsOf(opening), {})).toContain('The reason is not written yet.')
  })

  test('the reason is followed by where a profile found the time, in the unit of the figure', () => {
    const parts = [
      { name: 'core/cassette/json-text', amount: 0.6 },
      { name: 'collecting garbage', amount: 0.21 },
    ]
    const text = speedTables(resultsOf({ ...opening, profile: { of: 1.21, parts } }), {
      opening: 'The file is read twice.',
    })
    expect(text).toContain(
      'The file is read twice. In a profile, of 1.21 ×: `core/cassette/json-text` 0.6, collecting garbage 0.21.\n',
    )
    expect(speedTables(resultsOf({ ...stream, profile: { of: 1.21, parts } }), {})).not.toContain('profile')
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

describe('the parts of a profile', () => {
  const frame = (functionName: string, url = ''): Runtime.CallFrame => ({
    functionName,
    url,
    scriptId: '1',
    lineNumber: 0,
    columnNumber: 0,
  })
  const node = (id: number, callFrame: Runtime.CallFrame, ...children: number[]): Profiler.ProfileNode => ({
    id,
    callFrame,
    children,
  })

  test('are shares of the time that was not waited, largest first, a native call counted for the file that made it', () => {
    const folder = mkdtempSync(join(tmpdir(), 'parts-'))
    const bundle = join(folder, 'bundle.js')
    writeFileSync(bundle, '// src/core/a.ts\nfunction a() {}\n// src/store/b.ts\nfunction b() {}\n')
    const url = pathToFileURL(bundle).href
    const nodes = [
      node(1, frame('(root)'), 2, 3, 4, 6),
      node(2, frame('(idle)')),
      node(3, frame('(garbage collector)')),
      node(4, { ...frame('b', url), lineNumber: 3 }, 5),
      node(5, frame('readFileUtf8'), 8),
      node(8, frame('test', 'file:///project/a.test.js')),
      node(6, frame('enqueue', 'node:internal/webstreams'), 7),
      node(7, { ...frame('a', url), lineNumber: 1 }),
    ]
    const profile = {
      nodes,
      startTime: 0,
      endTime: 200,
      samples: [2, 3, 4, 5, 6, 7],
      timeDeltas: [100, 10, 20, 40, 5, 25],
    }
    try {
      expect(partsOf(profile)).toEqual([
        { name: 'store/b', share: 0.6 },
        { name: 'core/a', share: 0.25 },
        { name: 'collecting garbage', share: 0.1 },
        { name: 'Node and the caller', share: 0.05 },
      ])
    } finally {
      rmSync(folder, { recursive: true })
    }
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
