/** Cassettes without a test, at the end of a run in both runners: found under filters, red in CI, removed by `-u` alone. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { type Model, startModel } from '../life/model.ts'
import { createReportProject, obsoleteOf, runnerNames } from './report-project.ts'

let model: Model
beforeAll(async () => {
  model = await startModel()
})

const imports = `
import { afterAll, describe, expect, test } from '../runner.js'
import { ask } from '../client.js'
const { GONE, BROKEN, ONLY, FAILS, HOOK } = process.env
`

const files = {
  'vitest.config.mjs': `import { replayPlugin } from 'turntape/vitest'
const { OBSOLETE: obsolete } = process.env
export default { plugins: [replayPlugin({ obsolete })], test: { include: ['test/**/*.test.js'], allowOnly: true } }
`,
  'test/a.test.js': `${imports}
test('stays', async () => {
  await ask('one')
  if (FAILS) expect(1).toBe(2)
})
if (!GONE) test('gone', async () => { await ask('two') })
;(GONE ? test.skip : test)('is skipped now', async () => { await ask('three') })
describe('outer', () => {
  test.each(GONE ? [1] : [1, 2])('row %i', async (row) => { await ask('row ' + row) })
  test.concurrent('concurrent', async () => { await ask('four') })
})
`,
  'test/b.test.js': `${imports}
;(ONLY ? test.only : test)('stays', async () => { await ask('five') })
if (!GONE) test('gone', async () => { await ask('six') })
test('beside only', async () => { await ask('seven') })
`,
  'test/broken.test.js': `${imports}
if (BROKEN) throw new Error('cannot be collected')
if (HOOK) afterAll(() => { throw new Error('after all') })
test('in a file that breaks', async () => { await ask('eight') })
`,
  'test/removed.test.js': `${imports}
test('of a file', async () => { await ask('nine') })
`,
}

const inA = ['a.test/gone', 'a.test/outer__row-2']
const everywhere = [...inA, 'b.test/gone', 'removed.test/of-a-file']

test.for(runnerNames)('%s', { timeout: 120_000 }, async (runner) => {
  const { project, run, only } = await createReportProject(runner, { model, files })
  if (runner === 'Jest') withOptionOfReporter(project)
  const recording = await run()
  expect(recording.counts, recording.output).toBe('11 written')
  rmSync(join(project.folder, 'test/removed.test.js'))
  const side = `cassettes/test/a.test/gone.files/${'a'.repeat(64)}.bin`
  project.write({ [side]: 'x' })
  const all = project.cassettes()
  const CI = { CI: '1', GONE: '1' }

  // A file that cannot be collected and tests left out by `only` keep their cassettes.
  const broken = await run([], { ...CI, BROKEN: '1', ONLY: '1' })
  expect([broken.code, obsoleteOf(broken)], broken.output).toEqual([1, everywhere])

  // Of files that were left out nothing is said; what is red is red by itself, and only in CI.
  const filtered = await run(only('test/b.test.js'), CI)
  expect([filtered.code, obsoleteOf(filtered)], filtered.output).toEqual([1, ['b.test/gone']])
  expect(Object.values(filtered.statuses)).toEqual(['passed', 'passed'])
  const warned = await run(only('test/b.test.js'), { ...CI, OBSOLETE: 'warn' })
  expect([warned.code, obsoleteOf(warned)], warned.output).toEqual([0, ['b.test/gone']])

  // `-u` removes nothing where tests were picked, where one or a hook failed, and in CI.
  const picked = await run(['-u', '-t', 'stays'], { GONE: '1' })
  expect([picked.code, obsoleteOf(picked)], picked.output).toEqual([0, everywhere])
  const failed = await run(['-u'], { GONE: '1', FAILS: '1' })
  expect([failed.code, obsoleteOf(failed)], failed.output).toEqual([1, everywhere])
  const hooked = await run(['-u'], { GONE: '1', HOOK: '1' })
  expect([hooked.code, obsoleteOf(hooked)], hooked.output).toEqual([1, everywhere])
  const inCI = await run(['-u'], CI)
  expect([inCI.code, obsoleteOf(inCI)], inCI.output).toEqual([1, everywhere])
  expect(project.cassettes()).toEqual(all)

  const removed = await run(['-u'], { GONE: '1' })
  expect([removed.code, removed.counts], removed.output).toEqual([0, '6 replayed | 4 removed'])
  const left = all.filter((path) => !everywhere.some((name) => path.startsWith(`test/${name}.`)))
  expect(project.cassettes()).toEqual(left)
  expect([all.length, left.length, project.has(side)]).toEqual([12, 7, false])
  const green = await run([], CI)
  expect([green.code, green.counts], green.output).toEqual([0, '6 replayed'])
})

function withOptionOfReporter(project: {
  write(files: Readonly<Record<string, string>>): void
  readonly folder: string
}) {
  rmSync(join(project.folder, 'jest.config.json'))
  project.write({
    'jest.config.js': `const { OBSOLETE: obsolete } = process.env
module.exports = {
  preset: 'turntape/jest', transform: {}, testMatch: ['<rootDir>/test/**/*.test.js'],
  reporters: ['default', ['turntape/jest/reporter', { obsolete }]],
}
`,
  })
}
