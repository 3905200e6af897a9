import { describe, expect, test } from 'vitest'
import { summarise } from '../../src/session/run/summarise.ts'
import { plainPaint, reportOf, sessionReport } from './report-facts.ts'

const diverged = {
  failure: {
    code: 'TURNTAPE_DIVERGED',
    message: 'Turn 1 is not as recorded',
    text: 'Turn 1 is not as recorded\n\nmore',
  },
}

function linesOf(...input: Parameters<typeof reportOf>): readonly string[] {
  return summarise({ report: reportOf(...input), style: 'vitest', paint: plainPaint })
}

describe('the block at the end of a run', () => {
  test('is empty where nothing happened', () => {
    expect(linesOf([])).toEqual([])
    expect(linesOf([[sessionReport('idle', 'idle')]])).toEqual([])
  })

  test('counts each test once, by its last attempt', () => {
    const tests = [
      [sessionReport('a', 'written')],
      [sessionReport('b', 'replayed')],
      [sessionReport('c', 'pending'), sessionReport('c', 'written')],
      [sessionReport('d', 'failed', diverged)],
    ]
    expect(linesOf(tests)).toEqual(['  Cassettes  2 written | 1 replayed | 1 diverged'])
  })

  test('counts a repeated test by the pass that wrote, not by those that replayed it', () => {
    const passes = [sessionReport('a', 'updated'), sessionReport('a', 'replayed'), sessionReport('a', 'replayed')]
    expect(linesOf([passes])).toEqual(['  Cassettes  1 updated'])
  })

  test('names an attempt that diverged before one that passed, and counts it', () => {
    expect(linesOf([[sessionReport('a', 'failed', diverged), sessionReport('a', 'replayed')]])).toEqual([
      '  Cassettes  1 replayed | 1 diverged before passing',
      '             a: an attempt failed before: Turn 1 is not as recorded',
    ])
  })

  test('D-39: counts what the harness refused apart from what the test failed by itself', () => {
    const missing = { failure: { code: 'TURNTAPE_MISSING_CASSETTE', message: 'No cassette', text: 'No cassette' } }
    const tests = [[sessionReport('a', 'failed', missing)], [sessionReport('b', 'idle', { served: 2 })]]
    expect(linesOf(tests, { failing: ['a', 'b'] })).toEqual(['  Cassettes  1 errored | 1 failed'])
  })

  test('leaves a test that failed before it asked anything to the runner', () => {
    expect(linesOf([[sessionReport('a', 'idle')]], { failing: ['a'] })).toEqual([])
  })

  test('leaves the words of a failure that the runner shows to the runner, and counts what was kept as well', () => {
    const attempts = [sessionReport('a', 'failed', diverged), sessionReport('a', 'pending', diverged)]
    expect(linesOf([attempts])).toEqual([
      '  Cassettes  1 pending | 1 diverged',
      '             pending: the next local run goes on from it; where a cassette is committed, npx turntape accept --list',
    ])
  })

  test('says which cap is near, and which recording is too old', () => {
    const near = sessionReport('a', 'written', { nearCap: 'maxChunks' })
    const old = sessionReport('b', 'replayed', { age: { days: 40, maxDays: 30 } })
    expect(linesOf([[near], [old]])).toEqual([
      '  Cassettes  1 written | 1 replayed | 1 near cap | 1 too old',
      '             cassettes/a.json: near its cap maxChunks',
      '             cassettes/b.json: recorded 40 days ago, over maxAge: 30',
    ])
  })

  test('says what was not paid for, over all attempts', () => {
    const small = { inputTokens: 590, outputTokens: 10, totalTokens: 600, cachedInputTokens: 0, reasoningTokens: 0 }
    const twice = [2, 3].map((modelCalls) =>
      sessionReport('a', 'replayed', { notPaid: { modelCalls, byModel: { small }, uncountedTurns: 0 } }),
    )
    expect(linesOf([twice])).toEqual(['  Cassettes  1 replayed', '   Not paid  5 model calls | 1,200 tokens'])
    const partly = {
      modelCalls: 2,
      byModel: { small: { ...small, totalTokens: 1, inputTokens: 1 } },
      uncountedTurns: 1,
    }
    expect(linesOf([[sessionReport('a', 'replayed', { notPaid: partly })]])[1]).toBe(
      '   Not paid  2 model calls | 1 token (1 answer without usage)',
    )
    const silent = { modelCalls: 1, byModel: {}, uncountedTurns: 1 }
    expect(linesOf([[sessionReport('a', 'replayed', { notPaid: silent })]])[1]).toBe('   Not paid  1 model call')
  })

  test('says that -u in CI touched snapshots only', () => {
    expect(linesOf([[sessionReport('a', 'replayed')]], { updateIgnored: true })[1]).toBe(
      '             -u touched snapshots only: in CI nothing is recorded unless TURNTAPE_MODE says so',
    )
  })

  test('names refused calls first, equal ones once, and says that they fail the run', () => {
    const strays = [
      { kind: 'late', call: 'POST https://a.example/', test: 'a', refused: false },
      ...Array.from(
        { length: 3 },
        () => ({ kind: 'outside', call: 'POST https://b.example/', refused: true }) as const,
      ),
    ] as const
    expect(linesOf([], { strays })).toEqual([
      '  Cassettes  none',
      '             A call was made outside of any test: a.test.ts [TURNTAPE_OUTSIDE_TEST]: POST https://b.example/, refused (3 times)',
      '             A call started after its test had ended: "a" [TURNTAPE_LATE_CALL]: POST https://a.example/, not stored, replay will refuse it',
      '             refused calls fail the run: make them inside a test, and await them',
    ])
  })

  test('lists obsolete cassettes with what removes them, and removed ones', () => {
    const obsolete = [
      { cassette: 'cassettes/a.json', reason: 'its test file is gone', removed: false },
      { cassette: 'cassettes/b.json', reason: 'its test file is gone', removed: true },
    ]
    expect(linesOf([], { obsolete })).toEqual([
      '  Cassettes  1 obsolete | 1 removed',
      '             obsolete cassettes/a.json: its test file is gone',
      '             removed cassettes/b.json: its test file is gone',
      '             npx turntape prune, or -u on a full run that passes, removes them',
    ])
    expect(linesOf([], { obsolete, obsoleteFails: true }).at(-1)).toBe(
      "             obsolete cassettes fail a run in CI, unless obsolete: 'warn'; locally npx turntape prune, or -u on a full run that passes, removes them",
    )
  })

  test('holds at most ten lines of detail and ten obsolete cassettes, and every rebased one', () => {
    const strays = Array.from(
      { length: 13 },
      (_, at) => ({ kind: 'late', call: `call ${at}`, test: 'a', refused: false }) as const,
    )
    const obsolete = Array.from({ length: 12 }, (_, at) => ({
      cassette: `c${at}.json`,
      reason: 'gone',
      removed: false,
    }))
    const rebased = Array.from({ length: 15 }, (_, at) => [sessionReport(`r${at}`, 'rebased')])
    const lines = linesOf(rebased, { strays, obsolete })
    expect(lines).toHaveLength(1 + 11 + 12 + 15)
    expect(lines[11]).toBe('             and 3 more')
    expect(lines[22]).toBe('             and 2 more: npx turntape prune --dry-run lists them')
    expect(lines.slice(24)).toEqual(rebased.map(([one]) => `             rebased ${one?.cassette}`))
  })

  test('says once that a shard does not look for obsolete cassettes', () => {
    const lines = linesOf([[sessionReport('a', 'replayed')], [sessionReport('b', 'replayed')]], { extent: 'shard' })
    expect(lines).toHaveLength(2)
    expect(lines[1]).toContain('obsolete cassettes are not looked for in a shard')
    expect(linesOf([], { extent: 'shard' })).toEqual([])
  })

  test('prints no long or invisible text, and no secret', () => {
    const name = `\u001b[31m${'x'.repeat(4000)}sk-ant-api03-${'a'.repeat(90)}`
    const [, line = ''] = linesOf([[sessionReport(name, 'failed', diverged), sessionReport(name, 'replayed')]])
    expect(line.length).toBeLessThan(500)
    expect(line).not.toContain('\u001b')
    const key = `sk-ant-api03-${'a'.repeat(90)}`
    const [, secret = ''] = linesOf([[sessionReport(key, 'failed', diverged), sessionReport(key, 'replayed')]])
    expect(secret).toBe('             <redacted>: an attempt failed before: Turn 1 is not as recorded')
  })

  test("stands in each runner's own column", () => {
    const report = reportOf([
      [sessionReport('a', 'written')],
      [sessionReport('b', 'replayed', { nearCap: 'maxChunks' })],
    ])
    expect(summarise({ report, style: 'jest', paint: plainPaint })).toEqual([
      'Cassettes:   1 written, 1 replayed, 1 near cap',
      '             cassettes/b.json: near its cap maxChunks',
    ])
  })
})
