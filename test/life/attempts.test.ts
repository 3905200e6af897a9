import { beforeAll, expect, test } from 'vitest'
import { createLifeProject } from './life-project.ts'
import { type Model, startModel } from './model.ts'

let model: Model
beforeAll(async () => {
  model = await startModel()
})

const imports = `
import { describe, expect } from 'vitest'
import { test } from 'turntape/vitest'
import { ask } from '../client.js'
`

test('a retry pays again, only the attempt that passed is written, and it does not start from pending', async () => {
  await model.reset()
  const file = `${imports}
let attempt = 0
test('flaky', { retry: 2 }, async ({ tape }) => {
  attempt += 1
  await ask('question')
  await ask('of attempt ' + attempt)
  expect(attempt).toBe(2)
  expect(tape.turns).toHaveLength(2)
})
`
  const { project, run, statuses } = createLifeProject(model, { 'test/retry.test.js': file })
  const recording = await run()
  expect(statuses(recording), recording.output).toEqual({ flaky: 'passed' })
  expect(recording.report).toEqual(['Cassettes  1 written'])
  expect((await model.log()).map(({ body }) => body.messages[0].content)).toEqual([
    'question',
    'of attempt 1',
    'question',
    'of attempt 2',
  ])
  expect(project.read('cassettes/test/retry.test/flaky.json')).not.toContain('of attempt 1')
  expect(project.pending()).toEqual([])
})

test('an attempt that diverged before one that passed is listed in the report', async () => {
  await model.reset()
  const file = `${imports}
let attempt = 0
test('flaky', { retry: 1 }, async ({ tape }) => {
  attempt += 1
  await ask(process.env.DIVERGE && attempt === 1 ? 'another question' : 'question')
})
`
  const { run, statuses } = createLifeProject(model, { 'test/retry.test.js': file })
  expect((await run()).report).toEqual(['Cassettes  1 written'])
  const replay = await run([], { env: { CI: '1', DIVERGE: '1' } })
  expect([replay.code, statuses(replay)]).toEqual([0, { flaky: 'passed' }])
  expect(replay.report).toEqual([
    'Cassettes  1 replayed | 1 diverged before passing',
    'flaky: an attempt failed before: Turn 1 is not as recorded: messages[0].content changed [TURNTAPE_DIVERGED]',
  ])
  expect(await model.count()).toBe(1)
})

test('of repeats the first pass records and later ones replay it, with -u too', async () => {
  await model.reset()
  const file = `${imports}
test('repeated', { repeats: 2 }, async ({ tape }) => {
  await ask('question')
  expect(tape.turns).toHaveLength(1)
})
`
  const { project, run } = createLifeProject(model, { 'test/repeats.test.js': file })
  const recording = await run()
  expect(recording.report, recording.output).toEqual(['Cassettes  1 written'])
  expect(await model.count()).toBe(1)
  const cassette = project.read('cassettes/test/repeats.test/repeated.json')
  expect((await run([], { env: { CI: '1' } })).report).toEqual(['Cassettes  1 replayed'])
  expect((await run(['-u'])).report).toEqual(['Cassettes  1 replayed'])
  expect(project.read('cassettes/test/repeats.test/repeated.json')).toBe(cassette)
  expect(await model.count()).toBe(1)
  const anew = await run([], { env: { TURNTAPE_MODE: 'record' } })
  expect(anew.report).toEqual(['Cassettes  1 unchanged'])
  expect(await model.count()).toBe(2)
})

test('a test that timed out commits nothing, and the call it left behind is its own', async () => {
  await model.reset()
  const file = `${imports}
test('slow', { timeout: 300 }, async ({ tape }) => {
  await ask('quick')
  await ask('slow', { switches: 'wait=700' })
})
test('next', async ({ tape }) => {
  await new Promise((resolve) => setTimeout(resolve, 900))
  await ask('next')
  expect(tape.turns).toHaveLength(1)
})
`
  const { project, run, statuses } = createLifeProject(model, { 'test/slow.test.js': file })
  const recording = await run()
  expect(statuses(recording)).toEqual({ slow: 'failed', next: 'passed' })
  expect(project.cassettes()).toEqual(['test/slow.test/next.json'])
  expect(project.read('cassettes/test/slow.test/next.json')).not.toContain('slow')
  expect(recording.report, recording.output).toEqual([
    'Cassettes  1 written | 1 pending',
    expect.stringMatching(/^pending: the next local run/),
  ])
})

test('options: a call wins over a test, a test over a describe, a describe over the plugin', async () => {
  const file = `
import { describe, expect, test as plain } from 'vitest'
import { replay, useReplay } from 'turntape/vitest'
const mode = (tape) => expect(tape.mode + ' ' + tape.caps.limits.maxInteractions + ' ' + tape.caps.limits.maxChunks)
describe('group', () => {
  useReplay({ mode: 'replay', caps: { maxInteractions: 20 } })
  const test = replay(plain, { mode: 'update', caps: { maxInteractions: 30 } })
  plain('of the describe', () => { mode(useReplay()).toBe('replay 20 11') })
  test('of the test', ({ tape }) => { mode(tape).toBe('update 30 11') })
  test('of the call', () => { mode(useReplay({ mode: 'live' })).toBe('live 30 11') })
})
replay(plain)('of the plugin', ({ tape }) => { mode(tape).toBe('rebase 10 11') })
plain('too late', async () => {
  const tape = useReplay()
  tape.turns
  expect(() => useReplay({ order: 'any' })).toThrow('TURNTAPE_USAGE')
})
`
  const config = `import { replayPlugin } from 'turntape/vitest'
export default { plugins: [replayPlugin({ mode: 'rebase', caps: { maxInteractions: 10, maxChunks: 11 } })] }
`
  const { run, statuses } = createLifeProject(model, { 'test/options.test.js': file, 'vitest.config.ts': config })
  const result = await run()
  expect(statuses(result), result.output).toEqual({
    'group of the describe': 'passed',
    'group of the test': 'passed',
    'group of the call': 'passed',
    'of the plugin': 'passed',
    'too late': 'passed',
  })
})

test('functions reach the workers by optionsModule, and are refused in the plugin itself', async () => {
  await model.reset()
  const file = `${imports}
test('asks', async ({ tape }) => { await ask('question number ' + (process.env.NUMBER ?? 1)) })
`
  const options = `export default {
  normalise: [(request) => ({ ...request, body: JSON.parse(JSON.stringify(request.body).replace(/number \\d+/, 'number N')) })],
  beforeRecord: (interaction) => ({ ...interaction, lane: undefined }),
}
`
  const config = (given: string): string => `import { replayPlugin } from 'turntape/vitest'
export default { plugins: [replayPlugin(${given})] }
`
  const { project, run, statuses } = createLifeProject(model, {
    'test/module.test.js': file,
    'turntape.options.js': options,
    'vitest.config.ts': config(`{ optionsModule: './turntape.options.js' }`),
  })
  const recording = await run()
  expect(recording.report, recording.output).toEqual(['Cassettes  1 written'])
  const replaying = await run([], { env: { CI: '1', NUMBER: '22' } })
  expect(statuses(replaying), replaying.output).toEqual({ asks: 'passed' })
  expect(await model.count()).toBe(1)

  project.write({ 'vitest.config.ts': config(`{ optionsModule: './config/nowhere.js' }`) })
  const missing = await run()
  expect(missing.code).toBe(1)
  expect(missing.output).toContain(`The option "optionsModule" is not valid [TURNTAPE_INVALID_OPTION]

given       config/nowhere.js

Expected: a module, named by its path from the project's root, whose default export is an object of
options. Importing it failed: Cannot find module './config/nowhere.js'.
`)

  project.write({ 'vitest.config.ts': config('{ ignore: () => true }') })
  const refused = await run()
  expect(refused.code).toBe(1)
  expect(refused.output).toContain(
    'The option "ignore" is not valid [TURNTAPE_INVALID_OPTION]\n\ngiven       a function\n',
  )
  project.write({ 'vitest.config.ts': config('{ recordMode: "auto" }') })
  const unknown = await run()
  expect(unknown.code).toBe(1)
  expect(unknown.output).toContain(
    'The option "recordMode" is not valid [TURNTAPE_INVALID_OPTION]\n\ngiven       an unknown name\n',
  )
})
