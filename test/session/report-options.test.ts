import { expect, onTestFinished, test, vi } from 'vitest'
import { runsInGitHubActions } from '../../src/session/ci.ts'
import { saysLines } from '../../src/session/run/report-options.ts'

test('the line of a test is looked for where a report will say it, and nowhere else', () => {
  onTestFinished(() => void vi.unstubAllEnvs())
  vi.stubEnv('TURNTAPE_REPORT', '')
  expect(saysLines({ obsolete: 'warn' })).toBe(runsInGitHubActions())
  expect(saysLines({ reportFile: 'report.json' })).toBe(true)
  vi.stubEnv('TURNTAPE_REPORT', 'report.json')
  expect(saysLines({})).toBe(true)
})
