import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { createLifeProject } from '../life/life-project.ts'
import { type Model, startModel } from '../life/model.ts'
import { createCliProject } from './cli-project.ts'

let model: Model
beforeAll(async () => {
  model = await startModel()
})

const agentTest = `import { describe, expect } from 'vitest'
import { test } from 'turntape/vitest'
import { ask } from '../client.js'
describe('an agent', () => {
  test('asks (once) > and again', async () => { await ask('first') })
  test('asks (once) > and again, later', async () => { await ask('second') })
})
`

test('records exactly the test it is given, in CI as well', async () => {
  await model.reset()
  const { project } = createLifeProject(model, {
    'test/agent.test.js': agentTest,
    'test/agent.test.jsx': agentTest.replaceAll('first', 'of jsx'),
    'sub/test/agent.test.js': agentTest.replaceAll('first', 'of sub').replace('../client', '../../client'),
  })
  const env = { MODEL_URL: model.url, CI: '1' }
  const name = 'test/agent.test.js > an agent > asks (once) > and again'
  const first = await project.turntape(['record', name], { env })
  expect(first.code, first.output).toBe(0)
  expect(first.output).toContain('Cassettes  1 written')
  const asked = async () => (await model.log()).map(({ body }) => body.messages[0].content)
  expect(await asked()).toEqual(['first'])
  expect(project.cassettes()).toEqual(['test/agent.test/an-agent__asks-once-and-again.json'])

  const prefix = await project.turntape(['record', `${name}{...}`], { env })
  expect(prefix.code, prefix.output).toBe(0)
  expect(await asked()).toEqual(['first', 'first', 'second'])
})

const plainTest = `import { describe, expect, test } from 'vitest'
import { test as taped } from 'turntape/vitest'
import { ask } from '../client.js'
describe('outer', () => {
  taped('passes', async ({ tape }) => {
    await ask('question')
    expect(tape.mode).toBe(process.env.WANTED)
  })
  test('fails', () => expect(1).toBe(2))
  taped('asks nothing', () => {})
})
test.skip('is skipped', () => {})
`

test('takes a file or the whole suite, and gives back the exit code of the runner', async () => {
  const { project } = createLifeProject(model, {
    'test/a.test.js': plainTest.replace('toBe(2)', 'toBe(1)'),
    'test/b.test.js': plainTest,
  })
  const run = async (...args: string[]) => {
    const env = { MODEL_URL: model.url, WANTED: args.at(-1) ?? '' }
    const { code, output } = await project.turntape(['record', ...args], { env })
    return [code, /Test Files.*/.exec(output)?.[0], /Tests {2}.*/.exec(output)?.[0]]
  }
  expect(await run('test/a.test.js', '--mode', 'record')).toEqual([
    0,
    'Test Files  1 passed (1)',
    'Tests  3 passed | 1 skipped (4)',
  ])
  expect(await run('test/b.test.js > outer > passes', '--mode', 'update')).toEqual([
    0,
    'Test Files  1 passed (1)',
    'Tests  1 passed | 3 skipped (4)',
  ])
  expect(await run('--all', '--mode', 'rebase')).toEqual([
    1,
    'Test Files  1 failed | 1 passed (2)',
    'Tests  1 failed | 5 passed | 2 skipped (8)',
  ])
})

test('a green run that records nothing fails, and says how a test is covered', async () => {
  const { project } = createLifeProject(model, { 'test/a.test.js': plainTest.replace('toBe(2)', 'toBe(1)') })
  const run = async (name: string): Promise<string> => {
    const { code, stderr } = await project.turntape(['record', name], { env: { MODEL_URL: model.url } })
    return `${stderr.slice(stderr.indexOf('Nothing was recorded'))}--- exit code ${code}`
  }
  expect(await run('test/a.test.js > outer > fails')).toMatchInlineSnapshot(`
    "Nothing was recorded, no tape covers what ran: "outer > fails" [TURNTAPE_NOTHING_RECORDED]

    What a test calls is recorded where the test has a tape.

    Use the covered test function:  import { test } from 'turntape/vitest'
    Or call, in the test or its describe:  useReplay()
    Or cover files as they are:  replayPlugin({ include: ['test/agents/**'] })
    --- exit code 1"
  `)
  expect(await run('test/a.test.js > outer > asks nothing')).toMatchInlineSnapshot(`
    "Nothing was recorded, no captured call was made: "outer > asks nothing" [TURNTAPE_NOTHING_RECORDED]

    Captured are model calls, and calls to every host but this machine. The options capture and models
    add more; what ignore, passthrough and a mock of the test answer is not recorded.
    --- exit code 1"
  `)
})

test('says which names there are instead of running nothing', async () => {
  const { run } = createCliProject({ 'test/a.test.ts': plainTest, 'client.js': '', 'other.ts': '' })
  const outputs: string[] = []
  for (const name of [
    'test/a.test.ts > outer > pases',
    'test/a.test.ts > is skipped',
    'test/z.test.ts > a',
    'other.ts > a',
  ]) {
    outputs.push(await run(['record', name]))
  }
  expect(outputs.join('\n')).toMatchInlineSnapshot(`
    "--- stderr
    test/a.test.ts has no test "outer > pases" [TURNTAPE_USAGE]

    Nearest: "test/a.test.ts > outer > passes", "test/a.test.ts > outer > fails".
    --- exit code 2
    --- stderr
    The test "is skipped" is skipped, so there is nothing to record [TURNTAPE_USAGE]

    By skip, todo, or the only of another test.
    --- exit code 2
    --- stderr
    There is no test file test/z.test.ts [TURNTAPE_USAGE]

    Paths are relative to the current folder or to the package root; the name comes after " > ".
    --- exit code 2
    --- stderr
    Vitest does not list other.ts [TURNTAPE_USAGE]

    Is it among the files of its configuration? See npx vitest list --filesOnly.
    --- exit code 2"
  `)
})

test('says that Vitest is missing', async () => {
  const { project, run } = createCliProject({ 'test/a.test.ts': plainTest })
  rmSync(join(project.folder, 'node_modules', 'vitest'))
  expect(await run(['record', '--all'])).toMatchInlineSnapshot(`
    "--- stderr
    Vitest is not installed in this project [TURNTAPE_USAGE]

    Run npm install --save-dev vitest, or go to the project that has it.
    --- exit code 2"
  `)
})
