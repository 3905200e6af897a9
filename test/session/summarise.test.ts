import { describe, expect, test } from 'vitest'
import type { SessionOutcome, SessionReport } from '../../src/session/session-report.ts'
import { summarise } from '../../src/session/summarise.ts'

function report(name: string, outcome: SessionOutcome, more: Partial<SessionReport> = {}): SessionReport {
  return {
    test: name,
    cassette: `cassettes/${name}.json`,
    mode: 'auto',
    outcome,
    served: 0,
    live: 0,
    notes: [],
    ...more,
  }
}

const diverged = { failure: { code: 'TURNTAPE_DIVERGED', message: 'Turn 1 is not as recorded' } }
const quiet = { updateIgnored: false, late: [] }

describe('the block at the end of a run', () => {
  test('is empty where nothing happened', () => {
    expect(summarise({ attempts: [], ...quiet })).toEqual([])
    expect(summarise({ attempts: [[report('idle', 'idle')]], ...quiet })).toEqual([])
  })

  test('counts each test once, by its last attempt', () => {
    const attempts = [
      [report('a', 'written')],
      [report('b', 'replayed')],
      [report('c', 'pending'), report('c', 'written')],
      [report('d', 'failed', diverged)],
    ]
    expect(summarise({ attempts, ...quiet })).toEqual(['  Cassettes  2 written | 1 replayed | 1 failed'])
  })

  test('counts a repeated test by the pass that wrote, not by those that replayed it', () => {
    const attempts = [[report('a', 'updated'), report('a', 'replayed'), report('a', 'replayed')]]
    expect(summarise({ attempts, ...quiet })).toEqual(['  Cassettes  1 updated'])
  })

  test('names an attempt that failed before one that passed', () => {
    const attempts = [[report('a', 'failed', diverged), report('a', 'replayed')]]
    expect(summarise({ attempts, ...quiet })).toEqual([
      '  Cassettes  1 replayed',
      '             a: an attempt failed before: Turn 1 is not as recorded',
    ])
  })

  test('leaves a failure that the runner shows to the runner', () => {
    const attempts = [[report('a', 'failed', diverged), report('a', 'pending', diverged)]]
    expect(summarise({ attempts, ...quiet })).toEqual(['  Cassettes  1 pending'])
  })

  test('says that -u in CI touched snapshots only', () => {
    expect(summarise({ attempts: [[report('a', 'replayed')]], updateIgnored: true, late: [] })[1]).toBe(
      '             -u touched snapshots only: in CI nothing is recorded unless TURNTAPE_MODE says so',
    )
  })

  test('holds at most ten lines of detail and says how many more there are', () => {
    const late = Array.from({ length: 13 }, (_, at) => `call ${at + 1}`)
    const lines = summarise({ attempts: [], updateIgnored: false, late })
    expect(lines).toHaveLength(12)
    expect(lines.slice(-2)).toEqual(['             call 10', '             and 3 more'])
  })
})
