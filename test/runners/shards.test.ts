/** A run in shards: what each of them says, and the one report that comes of Vitest's blobs. */
import { beforeAll, expect, test } from 'vitest'
import type { RunReport } from '../../src/session/run/run-report.ts'
import { type Model, startModel } from '../life/model.ts'
import { createReportProject, runnerNames } from './report-project.ts'

let model: Model
beforeAll(async () => {
  model = await startModel()
})

const letters = ['a', 'b', 'c', 'd']

const files = Object.fromEntries(
  letters.map((letter) => [
    `test/${letter}.test.js`,
    `import { test } from '../runner.js'
import { ask } from '../client.js'
test('one', async () => { await ask('${letter} one' + (process.env.CHANGED && '${letter}' === 'b' ? ' changed' : '')) })
if (!process.env.GONE) test('gone', async () => { await ask('${letter} two') })
`,
  ]),
)
const env = { CI: '1', GONE: '1' }
const shards = ['--shard=1/2', '--shard=2/2']

test.for(runnerNames)('%s: a shard reports its part and judges no cassette', { timeout: 60_000 }, async (runner) => {
  const { project, node, run } = await createReportProject(runner, { model, files })
  expect((await run()).counts).toBe('8 written')
  for (const shard of shards) {
    const { code, counts, notes, output } = await run([shard], { ...env, TURNTAPE_REPORT: 'report.json' })
    expect([code, counts], output).toEqual([0, '2 replayed'])
    expect(notes).toEqual([expect.stringContaining('obsolete cassettes are not looked for in a shard')])
    const report: RunReport = JSON.parse(project.read('report.json'))
    expect([report.extent, report.tests.length, report.obsolete]).toEqual(['shard', 2, []])
  }
  const pruned = await project.turntape(['prune', '--dry-run'], { env, node })
  expect([pruned.code, pruned.stdout.split('\n').at(-2)], pruned.output).toEqual([
    1,
    '4 to remove, 0 kept in doubt, 4 in use',
  ])
})

test('Vitest: merged blobs give one report of the whole run', { timeout: 60_000 }, async () => {
  const { project, node, run } = await createReportProject('Vitest', { model, files })
  await run()
  const inCI = { MODEL_URL: model.url, ...env, CHANGED: '1' }
  for (const shard of shards) await project.vitest([shard, '--reporter=blob'], { env: inCI, node })
  const merge = { node, env: { ...inCI, TURNTAPE_REPORT: 'report.json' } }
  const { code, output } = await project.vitest(['--merge-reports', '--reporter=default'], merge)
  expect(code, output).toBe(1)
  expect(output).toContain('  Cassettes  3 replayed | 1 diverged | 4 obsolete\n')
  expect(output).toContain('   Not paid  3 model calls | 45 tokens\n')
  expect(output).not.toContain('in a shard')
  const report: RunReport = JSON.parse(project.read('report.json'))
  expect([report.extent, report.red]).toEqual(['whole', true])
  expect(report.tests.map(({ file, line, verdict }) => [file, line, verdict]).sort()).toEqual([
    ['test/a.test.js', 3, 'passed'],
    ['test/b.test.js', 3, 'diverged'],
    ['test/c.test.js', 3, 'passed'],
    ['test/d.test.js', 3, 'passed'],
  ])
  expect(report.obsolete.map(({ cassette }) => cassette)).toEqual(
    letters.map((letter) => `cassettes/test/${letter}.test/gone.json`),
  )
})
