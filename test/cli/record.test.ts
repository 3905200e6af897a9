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
describe('outer', () => {
  test('passes', () => expect(process.env.TURNTAPE_MODE).toBe(process.env.WANTED))
  test('fails', () => expect(1).toBe(2))
})
test.skip('is skipped', () => {})
`

test('takes a file or the whole suite, and gives back the exit code of the runner', async () => {
  const { project } = createCliProject({
    'test/a.test.ts': plainTest.replace('toBe(2)', 'toBe(1)'),
    'test/b.test.ts': plainTest,
  })
  const run = async (...args: string[]) => {
    const { code, output } = await project.turntape(['record', ...args], { env: { WANTED: args.at(-1) ?? '' } })
    return [code, /Test Files.*/.exec(output)?.[0], /Tests {2}.*/.exec(output)?.[0]]
  }
  expect(await run('test/a.test.ts', '--mode', 'record')).toEqual([
    0,
    'Test Files  1 passed (1)',
    'Tests  2 passed | 1 skipped (3)',
  ])
  expect(await run('test/b.test.ts > outer > passes', '--mode', 'rebase')).toEqual([
    0,
    'Test Files  1 passed (1)',
    'Tests  1 passed | 2 skipped (3)',
  ])
  expect(await run('--all', '--mode', 'update')).toEqual([
    1,
    'Test Files  1 failed | 1 passed (2)',
    'Tests  1 failed | 3 passed | 2 skipped (6)',
  ])
})

test('says which names there are instead of running nothing', async () => {
  const { run } = createCliProject({ 'test/a.test.ts': plainTest, 'other.ts': '' })
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
