/**
 * Many tests with as many cassettes on two workers: the report counts all of them, in both runners. Two hundred in every run
 * of the tests, a thousand by `node scripts/many-tests.mjs`.
 */
import { beforeAll, expect, test } from 'vitest'
import type { RunReport } from '../../src/session/run/run-report.ts'
import { type Model, startModel } from '../life/model.ts'
import { createReportProject, runnerNames } from './report-project.ts'

let model: Model
beforeAll(async () => {
  model = await startModel()
})

const fileCount = 4
const testsOfFile = Number(process.env.TURNTAPE_MANY ?? 200) / fileCount
const total = fileCount * testsOfFile

const files = Object.fromEntries(
  Array.from({ length: fileCount }, (_, at) => [
    `test/f${at}.test.js`,
    `import { test } from '../runner.js'
import { askQuietly } from '../client.js'
for (let number = 1; number <= ${testsOfFile}; number++) {
  const changed = process.env.CHANGED && number === 1 ? ' changed' : ''
  test('number ' + number, async () => { await askQuietly('${at}, ' + number + changed) })
}
`,
  ]),
)

test.for(runnerNames)('%s', { timeout: 300_000 }, async (runner) => {
  const { project, run } = await createReportProject(runner, { model, files })
  const recorded = await run(['--maxWorkers=2'])
  expect([recorded.code, recorded.counts], recorded.output).toEqual([0, `${total} written`])
  expect(project.cassettes()).toHaveLength(total)
  const env = { CI: '1', CHANGED: '1', TURNTAPE_REPORT: 'report.json' }
  const replayed = await run(['--maxWorkers=2'], env)
  expect(replayed.counts, replayed.output.slice(-2000)).toBe(`${total - fileCount} replayed | ${fileCount} diverged`)
  const report: RunReport = JSON.parse(project.read('report.json'))
  expect([report.extent, report.red, report.obsolete, report.strays]).toEqual(['whole', false, [], []])
  expect(report.notPaid).toMatchObject({ modelCalls: total - fileCount, totalTokens: (total - fileCount) * 15 })
  expect(new Set(report.tests.map(({ cassette }) => cassette)).size).toBe(total)
  expect(report.tests.filter(({ verdict }) => verdict === 'diverged').map(({ test }) => test)).toEqual(
    Array.from({ length: fileCount }, () => 'number 1'),
  )
})
