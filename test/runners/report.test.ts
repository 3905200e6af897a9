/** The report at the end of a run, in both runners: the block, the file, the annotations, and what makes a run red. */
import { beforeAll, describe, expect, test } from 'vitest'
import type { RunReport } from '../../src/session/run/run-report.ts'
import { type Model, startModel } from '../life/model.ts'
import { createReportProject, runnerNames, runners } from './report-project.ts'

let model: Model
beforeAll(async () => {
  model = await startModel()
})

const imports = `
import { beforeAll, describe, expect, plain, replay, retrying, test } from '../runner.js'
import { ask, askQuietly } from '../client.js'
const changed = process.env.CHANGED ? ' changed' : ''
`

const everything = {
  'test/a.test.js': `${imports}
test('replays', async () => {
  await ask('one')
  await ask('two')
})
test('diverges', async () => { await askQuietly('three' + changed) })
test('asks for less', async () => {
  await ask('four')
  if (!changed) await ask('five')
})
test('fails by itself', async () => {
  await ask('six')
  expect(changed).toBe('')
})
if (changed) test('is new', async () => { await askQuietly('seven') })
else test('is gone', async () => { await ask('seven') })
let attempt = 0
retrying('retried', 1, () => {
  test('passes at last', async () => {
    attempt += 1
    await askQuietly(changed && attempt === 1 ? 'another' : 'eight')
  })
})
const mayBeCovered = changed ? plain : test
mayBeCovered('is no longer covered', async () => { if (!changed) await ask('nine') })
replay(plain, { caps: { maxInteractions: 1 } })('is near a cap', async () => { await ask('ten') })
replay(plain, { maxAge: 30 })('is old', async () => { await ask('eleven') })
`,
  'test/b.test.js': `${imports}
beforeAll(async () => { if (changed) await askQuietly('before all') })
test('leaves one behind', async () => {
  await ask('twelve')
  if (changed) setTimeout(() => askQuietly('late'), 50)
})
test('waits', async () => {
  await ask('thirteen')
  if (changed) await new Promise((resolve) => setTimeout(resolve, 300))
})
`,
}

const stray = {
  'test/stray.test.js': `${imports}
const { LATE, LATE_TOOL, OUTSIDE } = process.env
beforeAll(async () => { if (OUTSIDE) await askQuietly('before all') })
test('leaves one behind', async ({ tape }) => {
  await ask('one')
  if (LATE) setTimeout(() => askQuietly('late'), 50)
  const book = tape.tool('book', async () => 'booked')
  if (LATE_TOOL) setTimeout(() => Promise.resolve().then(book).catch(() => {}), 60)
})
test('waits', async () => {
  await ask('two')
  if (LATE) await new Promise((resolve) => setTimeout(resolve, 300))
})
`,
}

describe.for(runnerNames)('%s', (runner) => {
  test('one run of everything is told in the block, in the file, and to GitHub', { timeout: 60_000 }, async () => {
    const { project, run } = await createReportProject(runner, { model, files: everything })
    const recording = await run()
    expect([recording.code, recording.counts], recording.output).toEqual([0, '11 written | 1 near cap'])
    const old = 'cassettes/test/a.test/is-old.json'
    const text = project.read(old)
    project.write({ [old]: text.replace(/"recordedAt": "20\d\d/, '"recordedAt": "2020') })

    const asked = await model.count()
    const env = { CI: '1', CHANGED: '1', GITHUB_ACTIONS: 'true', TURNTAPE_REPORT: 'out/report.json' }
    const ended = await run([], { ...env, GITHUB_WORKSPACE: project.folder })
    expect(await model.count()).toBe(asked)
    expect([ended.code, ended.counts], ended.output).toEqual([
      1,
      '6 replayed | 1 diverged | 1 diverged before passing | 1 unused | 1 errored | 1 failed | 2 obsolete | 1 near cap | 1 too old',
    ])
    const call = `POST ${model.url}/v1/chat/completions`
    const outside = `A call was made outside of any test: test/b.test.js [TURNTAPE_OUTSIDE_TEST]: ${call}, refused`
    const late = `A call started after its test had ended: "leaves one behind" [TURNTAPE_LATE_CALL]: ${call}, refused`
    const hidden = 'Turn 1 is not as recorded: messages[0].content changed [TURNTAPE_DIVERGED]'
    // The new test begins with the request of the one that is gone.
    const move = 'npx turntape move "cassettes/test/a.test/is-gone.json" "test/a.test.js > is new"'
    const renamed = `its test is gone from test/a.test.js; if "is new" is its new name: ${move}`
    const unasked = 'its test passed and made no use of it, it is not covered: delete it, or -u on a full run'
    expect(ended.notes).toEqual([
      outside,
      late,
      'refused calls fail the run: make them inside a test, and await them',
      `retried > passes at last: an attempt failed before: ${hidden}`,
      'cassettes/test/a.test/is-near-a-cap.json: near its cap maxInteractions',
      expect.stringMatching(/^cassettes\/test\/a\.test\/is-old\.json: recorded \d{4} days ago, over maxAge: 30$/),
      `obsolete cassettes/test/a.test/is-gone.json: ${renamed}`,
      `obsolete cassettes/test/a.test/is-no-longer-covered.json: ${unasked}`,
      expect.stringContaining('obsolete cassettes fail a run in CI'),
    ])
    // Retries of Jest are those of the whole file: four tests that failed asked twice.
    const notPaid = runner === 'Jest' ? { modelCalls: 11, totalTokens: 165 } : { modelCalls: 9, totalTokens: 135 }
    const { modelCalls, totalTokens } = notPaid
    expect(ended.output).toMatch(
      new RegExp(`^\\s*Not paid:? +${modelCalls} model calls(?: \\| |, )${totalTokens} tokens$`, 'm'),
    )

    const place = (line: number, title: string): string => `file=test/a.test.js,line=${line},title=${title}::`
    const commands = ended.output.split('\n').filter((line) => /^::(?:error|warning) /.test(line))
    expect(commands.map((line) => line.split('%0A')[0])).toEqual([
      `::error file=cassettes/test/a.test/is-gone.json,line=1,title=Obsolete cassette::${renamed}`,
      expect.stringContaining('::error file=cassettes/test/a.test/is-no-longer-covered.json,line=1,'),
      `::error file=test/b.test.js,line=1,title=A call outside of a running test::${outside}`,
      `::error file=test/b.test.js,line=7,title=A call outside of a running test::${late}`,
      `::error ${place(10, 'diverges')}${hidden}`,
      `::error ${place(11, 'asks for less')}1 recorded call was not made: "asks for less" [TURNTAPE_UNUSED]`,
      `::error ${place(19, 'is new')}No cassette for "is new" [TURNTAPE_MISSING_CASSETTE]`,
      `::warning ${place(23, 'retried > passes at last')}An attempt failed before one that passed: ${hidden}`,
      expect.stringContaining(`::warning ${place(30, 'is near a cap')}`),
      expect.stringContaining(`::warning ${place(31, 'is old')}`),
    ])
    expect(commands[4]).toContain('%0A  - "three"%0A  + "three changed"%0A')

    const report: RunReport = JSON.parse(project.read('out/report.json'))
    const { name, version } = runners[runner]
    expect(report).toMatchObject({
      format: 'turntape-report/1',
      runner: { name, version },
      extent: 'whole',
      red: true,
      notPaid: { ...notPaid, byModel: { small: { totalTokens } } },
    })
    expect(report.tests).toHaveLength(10)
    expect(report.tests.find(({ test }) => test === 'diverges')).toMatchObject({
      file: 'test/a.test.js',
      line: 10,
      cassette: 'cassettes/test/a.test/diverges.json',
      mode: 'replay',
      outcome: 'failed',
      verdict: 'diverged',
      failure: { code: 'TURNTAPE_DIVERGED', message: hidden },
    })
    expect(report.tests.find(({ test }) => test === 'replays')).toMatchObject({ served: 2, live: 0, turns: 2 })
    expect(report.obsolete.map(({ removed }) => removed)).toEqual([false, false])
  })

  test('a refused call that no test failed for makes the run red', { timeout: 60_000 }, async () => {
    const { project, run } = await createReportProject(runner, { model, files: stray })
    const green = { 'leaves one behind': 'passed', waits: 'passed' }
    const recording = await run([], { LATE: '1' })
    expect([recording.code, recording.counts, recording.statuses], recording.output).toEqual([0, '2 written', green])
    expect(recording.notes).toEqual([expect.stringMatching(/LATE_CALL\]: POST .*, not stored, replay will refuse it$/)])
    const late = await run([], { LATE: '1', LATE_TOOL: '1', CI: '1' })
    expect([late.code, late.counts, late.statuses], late.output).toEqual([1, '2 replayed', green])
    expect(late.notes[0]).toMatch(/LATE_CALL\]: POST .*, refused$/)
    expect(late.notes[1]).toMatch(/LATE_CALL\]: tool book, refused$/)
    for (const mode of ['replay', 'record']) {
      const outside = await run([], { OUTSIDE: '1', TURNTAPE_MODE: mode })
      expect([outside.code, outside.statuses], outside.output).toEqual([1, green])
      expect(outside.notes[0]).toMatch(/OUTSIDE_TEST\]: POST .*, refused$/)
    }
    const quiet = await run([], { CI: '1', TURNTAPE_REPORT: 'package.json/report.json' })
    expect([quiet.code, quiet.counts], quiet.output).toEqual([1, '2 replayed'])
    expect(quiet.output).toContain('The report could not be written to')
    expect(project.has('package.json')).toBe(true)
  })
})

test('of Vitest, which annotates failed tests itself, only what it does not show is annotated', async () => {
  const { project, node, run } = await createReportProject('Vitest', { model, files: everything })
  await run()
  const env = { MODEL_URL: model.url, CI: '1', CHANGED: '1', GITHUB_ACTIONS: 'true' }
  const { output } = await project.vitest([], { env, node })
  const titles = [...output.matchAll(/^::(?:error|warning) .*?title=([^,:]*)/gm)].map(([, title]) => title)
  expect(
    titles.filter((title) => title?.endsWith('diverges')),
    output,
  ).toEqual(['test/a.test.js > diverges'])
  expect(titles).toContain('Obsolete cassette')
  expect(titles).toContain('retried > passes at last')
})

test('a run in which nothing happened says nothing, and writes the report that was asked for', async () => {
  const files = { 'test/plain.test.js': `import { plain } from '../runner.js'\nplain('asks nothing', () => {})\n` }
  for (const runner of runnerNames) {
    const { project, run } = await createReportProject(runner, { model, files })
    const ended = await run([], { CI: '1', TURNTAPE_REPORT: 'report.json', GITHUB_ACTIONS: 'true' })
    expect([ended.code, ended.counts, /Cassettes|^::/m.test(ended.output)], ended.output).toEqual([0, undefined, false])
    expect(JSON.parse(project.read('report.json'))).toMatchObject({ red: false, tests: [], obsolete: [], strays: [] })
  }
})
