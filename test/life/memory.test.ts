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

/** The report of a test goes with the runner's own record of it, until its file has ended. */
const maxBytesInFile = 4096

interface Layout {
  readonly files: number
  /** Tests of a file after which the heap is measured; the last of them is its last. */
  readonly measured: readonly number[]
  readonly args: readonly string[]
}

const oneFile: Layout = { files: 1, measured: [count / 5, count], args: [] }

/** One after the other, in one worker that keeps what it has loaded. */
const manyFiles: Layout = { files: 50, measured: [count / 50], args: ['--no-isolate', '--maxWorkers=1'] }

const sourceOf = ({ measured }: Layout): string => `import { plain, test } from '../runner.js'
import { ask } from '../client.js'
import { appendFileSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc')
const settle = () => new Promise((resolve) => setTimeout(resolve, 50))
const kind = process.env.WITHOUT ? plain : test
for (let number = 1; number <= Number(process.env.COUNT ?? ${measured.at(-1)}); number++) {
  kind('number ' + number, async () => {
    await ask('the same question')
    if (!${JSON.stringify(measured)}.includes(number)) return
    await settle()
    collect()
    await settle()
    collect()
    appendFileSync('heap.txt', process.memoryUsage().heapUsed + '\\n')
  })
}
`

/** Bytes that the worker keeps of each test, from the first fifth of them on. */
async function bytesATest(
  runner: (typeof runnerNames)[number],
  layout: Layout,
): Promise<{ readonly withTape: number; readonly without: number }> {
  const names = Array.from({ length: layout.files }, (_, index) => `many-${index + 1}`)
  const files = Object.fromEntries(names.map((name) => [`test/${name}.test.js`, sourceOf(layout)]))
  const { project, run } = await createReportProject(runner, { model, files })
  const perTest = async (env: Readonly<Record<string, string>>): Promise<number> => {
    project.write({ 'heap.txt': '' })
    const { code, output } = await run(['--silent', ...layout.args], { CI: '1', ...env })
    expect(code, output.slice(-2000)).toBe(0)
    const heap = project.read('heap.txt').trim().split('\n').map(Number)
    expect(heap).toHaveLength(layout.files * layout.measured.length)
    const first = Math.ceil(heap.length / 5) - 1
    return ((heap.at(-1) as number) - (heap[first] as number)) / (0.8 * count)
  }
  const without = await perTest({ WITHOUT: '1' })
  const recorded = await run(['test/many-1.test.js'], { COUNT: '1' })
  expect(recorded.counts, recorded.output).toBe('1 written')
  const cassette = project.read('cassettes/test/many-1.test/number-1.json')
  const last = layout.measured.at(-1) as number
  const numbers = Array.from({ length: last }, (_, index) => index + 1)
  for (const name of names) {
    project.write(
      Object.fromEntries(numbers.map((number) => [`cassettes/test/${name}.test/number-${number}.json`, cassette])),
    )
  }
  const withTape = await perTest({})
  if (process.env.TURNTAPE_MEMORY !== undefined) {
    console.log(
      `${runner}, files: ${layout.files}: ${Math.round(withTape)} bytes a test, ${Math.round(without)} without`,
    )
  }
  return { withTape, without }
}

test.for(runnerNames)(
  '%s: within a file, a worker keeps of a test little more than its report',
  {
    timeout: 600_000,
  },
  async (runner) => {
    const { withTape, without } = await bytesATest(runner, oneFile)
    expect(withTape - without).toBeLessThan(maxBytesInFile)
  },
)

test('Vitest: a worker keeps next to nothing of a test once its file has ended', { timeout: 600_000 }, async () => {
  const { withTape, without } = await bytesATest('Vitest', manyFiles)
  expect(withTape - without).toBeLessThan(1024)
})
