/** Facts of a run in few words, and the report made of them. */

import type { StrayCall } from '../../src/session/calls/stray-call.ts'
import type { Paint } from '../../src/session/run/paint.ts'
import type { RunExtent, RunTest } from '../../src/session/run/run-facts.ts'
import { type ObsoleteCassette, type RunReport, reportRun } from '../../src/session/run/run-report.ts'
import type { SessionOutcome, SessionReport } from '../../src/session/session-report.ts'

const same = (text: string): string => text

export const plainPaint: Paint = { bold: same, dim: same, red: same, green: same, yellow: same }

export function sessionReport(name: string, outcome: SessionOutcome, more: Partial<SessionReport> = {}): SessionReport {
  return {
    test: name,
    cassette: `cassettes/${name}.json`,
    mode: 'auto',
    outcome,
    served: 0,
    live: 0,
    turns: 0,
    notes: [],
    ...more,
  }
}

export interface RunDetails {
  /** Names of tests that failed, for whatever reason. */
  readonly failing?: readonly string[]
  readonly updateIgnored?: boolean
  readonly strays?: readonly StrayCall[]
  readonly obsolete?: readonly ObsoleteCassette[]
  readonly obsoleteFails?: boolean
  readonly extent?: RunExtent
}

/** The attempts of each test, in one file `a.test.ts`, each test on the line after the one before. */
export function reportOf(tests: readonly (readonly SessionReport[])[], details: RunDetails = {}): RunReport {
  const { failing = [], updateIgnored = false, strays = [], obsolete = [], obsoleteFails = false } = details
  const run = tests.map((attempts, at): RunTest => {
    const names = [attempts[0]?.test ?? '']
    const failed = failing.includes(names[0] ?? '') || attempts.at(-1)?.failure !== undefined
    return { names, state: failed ? 'failed' : 'passed', line: at + 1, attempts, updateIgnored }
  })
  const first = { names: ['first'], state: 'passed', line: undefined, attempts: [], updateIgnored } as const
  return reportRun({
    facts: {
      runner: { name: 'vitest', version: '4.1.12' },
      folder: '/project',
      files: [{ path: '/project/a.test.ts', broken: false, tests: [first, ...run], strays }],
      extent: details.extent ?? 'whole',
      hasErrors: false,
    },
    obsolete,
    obsoleteFails,
    relative: (path) => path.replace('/project/', ''),
    cassetteOf: (cassette) => cassette,
    redact: (text) => text.replace(/sk-ant-[\w-]+/, '<redacted>'),
  })
}
