/**
 * What a worker keeps of a test that is over: of 1,250 in every run of the tests, of 10,000 by `node scripts/memory-run.mjs`.
 * The runners keep something of each test themselves; so the same tests run without a tape beside it.
 */
import { beforeAll, expect, test } from 'vitest'
import { createReportProject, runnerNames } from '../runners/report-project.ts'
import { type Model, startModel } from './model.ts'

let model: Model
beforeAll(async () => {
  model = await startModel()
})

const count = Number(process.env.TURNTAPE_MEMORY ?? 1250)
const first = count / 5

/** The report of a test goes with the runner's own record of it, until its file has ended. */
const maxBytesKept = 4096

const source = `import { plain, test } from '../runner.js'
import { ask } from '../client.js'
import { appendFileSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc')
const settle = () => new Promise((resolve) => setTimeout(resolve, 50))
const kind = process.env.WITHOUT ? plain : test
for (let number = 1; number <= Number(process.env.COUNT); number++) {
  kind('number ' + number, async () => {
    await ask('the same question')
    if (number !== ${first} && number !== ${count}) return
    await settle()
    collect()
    await settle()
    collect()
    appendFileSync('heap.txt', process.memoryUsage().heapUsed + '\\n')
  })
}
`

test.for(runnerNames)(
  '%s: a worker keeps next to nothing of a test that has replayed',
  { timeout: 600_000 },
  async (runner) => {
    const { project, run } = await createReportProject(runner, { model, files: { 'test/many.test.js': source } })
    const bytesATest = async (env: Readonly<Record<string, string>>): Promise<number> => {
      project.write({ 'heap.txt': '' })
      const { code, output } = await run(['--silent'], { CI: '1', COUNT: String(count), ...env })
      expect(code, output.slice(-2000)).toBe(0)
      const [before = 0, after = 0] = project.read('heap.txt').trim().split('\n').map(Number)
      return (after - before) / (count - first)
    }
    const without = await bytesATest({ WITHOUT: '1' })
    const recorded = await run([], { COUNT: '1' })
    expect(recorded.counts, recorded.output).toBe('1 written')
    const cassette = project.read('cassettes/test/many.test/number-1.json')
    project.write(
      Object.fromEntries(
        Array.from({ length: count }, (_, at) => [`cassettes/test/many.test/number-${at + 1}.json`, cassette]),
      ),
    )
    const withTape = await bytesATest({})
    if (process.env.TURNTAPE_MEMORY !== undefined)
      console.log(`${runner}: ${Math.round(withTape)} bytes a test, ${Math.round(without)} without a tape`)
    expect(withTape - without).toBeLessThan(maxBytesKept)
  },
)
