/** Vitest looks for the line of every test only where it is asked to, which costs each of them a quarter of a millisecond. */
import { beforeAll, expect, test } from 'vitest'
import { type Model, startModel } from '../life/model.ts'
import { createReportProject } from './report-project.ts'

let model: Model
beforeAll(async () => {
  model = await startModel()
})

const files = {
  'test/a.test.js': `import { test } from 'vitest'
test('one', ({ task }) => console.log('line', task.location?.line))
`,
}

test('Vitest is asked for the lines of tests by a report that says them and by a blob, and by nothing else', async () => {
  const { project, node } = await createReportProject('Vitest', { model, files })
  const lineIn = async (args: readonly string[], variables: Record<string, string>): Promise<string | undefined> => {
    const env = { MODEL_URL: model.url, CI: '1', ...variables }
    const { output } = await project.vitest(['--reporter=default', ...args], { env, node })
    return /^line (.*)$/m.exec(output)?.[1]
  }
  const report = { TURNTAPE_REPORT: 'report.json' }
  expect(await lineIn([], {})).toBe('undefined')
  expect(await lineIn([], report)).toBe('2')
  expect(await lineIn(['--reporter=blob'], {})).toBe('2')
  expect(await lineIn(['--includeTaskLocation=false'], report)).toBe('undefined')
}, 60_000)
