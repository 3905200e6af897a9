/** Divergences of 5 MB, retried, concurrent, wrapped and behind other failures: what a reader, a JSON file and JUnit get to see. */
import { beforeAll, expect, test } from 'vitest'
import { maxMessageLines } from '../../src/errors/messages/compose-message.ts'
import { createReportProject, runnerNames } from '../runners/report-project.ts'
import { type Model, startModel } from './model.ts'

let model: Model
beforeAll(async () => {
  model = await startModel()
})

const source = `import { afterEach, describe, expect, plain, retrying, test, useReplay } from '../runner.js'
const promptOf = (half) => half + (process.env.CHANGED ? 'changed' : 'recorded') + half
const huge = promptOf('lorem ipsum '.repeat(215_000))
const prompt = promptOf('lorem ipsum '.repeat(10_000))
const headers = { 'content-type': 'application/json', authorization: 'Bearer x' }
const ask = async (content) => {
  const body = JSON.stringify({ model: 'small', messages: [{ role: 'user', content }] })
  const response = await fetch(process.env.MODEL_URL + '/with/words=2/v1/chat/completions', { method: 'POST', headers, body })
  const text = await response.text()
  if (!response.ok) throw new Error('the model answered ' + response.status + ': ' + text)
}
const askQuietly = (content) => ask(content).catch(() => {})
test('swallowed', async () => { await askQuietly(huge) })
test('thrown again', async () => {
  await ask(prompt).catch((error) => { throw new Error('the agent failed: ' + error.message, { cause: error }) })
})
describe('in a hook', () => {
  useReplay()
  afterEach(async () => { await askQuietly(prompt) })
  plain('behind an assertion', async () => {
    await ask('first')
    expect(process.env.CHANGED).toBe(undefined)
  })
})
test('before an assertion', async () => {
  await askQuietly(prompt)
  expect(process.env.CHANGED).toBe(undefined)
})
retrying('retried', 2, () => {
  test('each time', async () => { await askQuietly(prompt) })
})
for (const number of [1, 2]) {
  test.concurrent('concurrent ' + number, async () => {
    await Promise.all([askQuietly(number + prompt), askQuietly('other' + number)])
  })
}
`

/** Our message, without the stack under it. */
function shownText(message: string): string {
  const lines = message.slice(message.indexOf('DivergenceError: ')).split('\n')
  const stack = lines.findIndex((line) => /^\s+at /.test(line))
  return lines
    .slice(0, stack === -1 ? undefined : stack)
    .join('\n')
    .trimEnd()
}

interface JsonResult {
  readonly testResults: readonly {
    readonly assertionResults: readonly { readonly title: string; readonly failureMessages: readonly string[] }[]
  }[]
}

const first = 'DivergenceError: Turn 1 is not as recorded: messages[0].content changed [TURNTAPE_DIVERGED]'
const second = first.replace('Turn 1', 'Turn 2')

test.for(runnerNames)(
  'promise 2, promise 3: %s shows each divergence once, short, behind what came first',
  async (runner) => {
    const { project, run } = await createReportProject(runner, { model, files: { 'test/load.test.js': source } })
    const recorded = await run()
    expect(recorded.counts, recorded.output.slice(0, 4000)).toBe('7 written')
    const junit = runner === 'Vitest' ? ['--reporter=junit', '--outputFile.junit=junit.xml'] : []
    const replayed = await run(junit, { CI: '1', CHANGED: '1' })
    expect(replayed.counts, replayed.output.slice(0, 4000)).toBe('7 diverged')

    const results = (JSON.parse(project.read('result.json')) as JsonResult).testResults[0]?.assertionResults ?? []
    expect(results).toHaveLength(7)
    for (const { title, failureMessages } of results) {
      const ours = failureMessages.filter((message) => message.includes('[TURNTAPE_'))
      expect(ours, title).toHaveLength(1)
      const text = shownText(ours[0] ?? '')
      expect(text.split('\n')[0], title).toBe(title === 'behind an assertion' ? second : first)
      expect(text.split('\n').length, text).toBeLessThanOrEqual(maxMessageLines)
      expect(Buffer.byteLength(text), title).toBeLessThanOrEqual(4096)
      const isBehind = title === 'behind an assertion'
      expect(
        failureMessages.findIndex((message) => message.includes('[TURNTAPE_')),
        title,
      ).toBe(isBehind ? 1 : 0)
    }
    const printed = replayed.output.match(/DivergenceError: Turn \d/g) ?? []
    expect(printed.length).toBe(7)
    const megabyte = 'lorem ipsum '.repeat(100)
    for (const text of [
      project.read('result.json'),
      replayed.output,
      junit.length > 0 ? project.read('junit.xml') : '',
    ]) {
      expect(text).not.toContain(megabyte)
      expect(text.length).toBeLessThan(100_000)
    }
  },
)
