/** What is Jest's alone; what every runner does is in the matrix. */
import { beforeAll, expect, test } from 'vitest'
import { type Model, startModel } from '../life/model.ts'
import { files as behaviours } from './behaviours.ts'
import { createRunnerProject, type Runner, type RunnerProject } from './runner-project.ts'

let model: Model
beforeAll(async () => {
  model = await startModel()
})

const runner: Runner = { name: 'jest', version: '30.5.2', form: 'cjs' }

async function createJestProject(
  files: Readonly<Record<string, string>>,
  config: Readonly<Record<string, unknown>> = {},
): Promise<{ readonly project: RunnerProject; readonly env: Readonly<Record<string, string>> }> {
  await model.reset()
  const project = await createRunnerProject(runner, process.versions.node)
  if ('missing' in project) throw new Error(project.missing)
  const whole = { preset: 'turntape/jest', transform: {}, ...config }
  project.write({ 'client.js': behaviours['client.js'] ?? '', 'jest.config.json': JSON.stringify(whole), ...files })
  return { project, env: { MODEL_URL: model.url } }
}

const start = `const { recordTools, replay, test: taped, useReplay } = require('turntape/jest')
const { ask, askQuietly } = require('../client.js')
`

test('callbacks, generators and hooks of every kind run in their test, with the arguments that Jest gives them', async () => {
  const { project, env } = await createJestProject({
    'test/kinds.test.js': `${start}
describe('covered', () => {
  const tape = useReplay()
  beforeEach((done) => { ask('before').then(() => done(), done) })
  afterEach(function* () { yield ask('after') })
  test('by callback', (done) => {
    ask('by callback').then(() => {
      expect(tape.turns).toHaveLength(2)
      done()
    }).catch(done)
  })
  test('by generator', function* () { yield ask('by generator') })
  test('at once', () => { expect(tape.turns).toHaveLength(1) })
})
taped.each\`
  word     | number
  \${'one'} | \${1}
\`('of a table: $word', async ({ word, number }) => { await ask(word + number) })
taped.concurrent.each([['a'], ['b']])('concurrent %s', async (letter) => { await ask(letter) })
taped.only.failing && taped.skip.each([[1]])('skipped %i', async () => { await ask('never') })
`,
  })
  const recorded = await project.run([], env)
  expect([recorded.code, recorded.counts], recorded.output).toEqual([0, '6 written'])
  const replayed = await project.run([], { ...env, CI: '1' })
  expect([replayed.code, replayed.counts], replayed.output).toEqual([0, '6 replayed'])
  expect((await model.log()).map(({ body }) => body.messages[0].content)).not.toContain('never')
})

test('defaults stand in `globals`: options, a module of functions, and files covered with no line in them changed', async () => {
  const { project, env } = await createJestProject(
    {
      'agents/untouched.test.js': `const { ask } = require('../client.js')
beforeEach(async () => { await ask('before') })
test('number one', async () => { await ask('take ' + (process.env.NUMBER ?? 1)) })
`,
      'test/uncovered.test.js': `const { ask } = require('../client.js')
test('live', async () => { await ask('live') })
`,
      'turntape.options.js': `module.exports = {
  normalise: [(request) => ({ ...request, body: JSON.parse(JSON.stringify(request.body).replace(/take \\d+/, 'take N')) })],
}
`,
    },
    { globals: { turntape: { include: ['agents/**/*.test.js'], optionsModule: 'turntape.options.js' } } },
  )
  const recorded = await project.run([], env)
  expect([recorded.code, recorded.counts], recorded.output).toEqual([0, '1 written'])
  const replayed = await project.run([], { ...env, CI: '1', NUMBER: '22' })
  expect([replayed.code, replayed.counts], replayed.output).toEqual([0, '1 replayed'])
  expect((await model.log()).map(({ body }) => body.messages[0].content).sort()).toEqual([
    'before',
    'live',
    'live',
    'take 1',
  ])
})

test('an unknown option in `globals` is refused', async () => {
  const { project, env } = await createJestProject(
    { 'test/a.test.js': `test('a', () => {})` },
    { globals: { turntape: { recordMode: 'auto' } } },
  )
  const refused = await project.run([], env)
  expect([refused.code, refused.output.includes('The option "recordMode" is not valid')], refused.output).toEqual([
    1,
    true,
  ])
})

test('a mocked module of tools is recorded, and nothing of it runs in replay', async () => {
  const { project, env } = await createJestProject({
    'tools.js': `exports.book = async (flight) => {
  if (process.env.CI) throw new Error('a tool ran in replay')
  return { booked: flight, at: [1, 2] }
}
`,
    'test/tools.test.js': `${start}
jest.mock('../tools.js', () => recordTools(jest.requireActual('../tools.js')))
const { book } = require('../tools.js')
taped('books', async ({ tape }) => {
  expect(await book({ to: 'Oslo' })).toStrictEqual({ booked: { to: 'Oslo' }, at: [1, 2] })
  expect(tape.interactions).toHaveLength(1)
})
`,
  })
  const recorded = await project.run([], env)
  expect([recorded.code, recorded.counts], recorded.output).toEqual([0, '1 written'])
  const replayed = await project.run([], { ...env, CI: '1' })
  expect([replayed.code, replayed.counts], replayed.output).toEqual([0, '1 replayed'])
})

test('without preset and globals the import alone records and replays, and without the reporter nothing is printed', async () => {
  const { project, env } = await createJestProject(
    {
      'test/a.test.js': `const { expect, test: plain } = require('@jest/globals')
${start}
taped('one', async ({ tape }) => {
  await ask('one')
  expect(tape.turns).toHaveLength(1)
})
plain('two', async () => {
  useReplay()
  await ask('two')
})
`,
    },
    { preset: undefined, injectGlobals: false },
  )
  const recorded = await project.run([], env)
  expect([recorded.code, recorded.counts, recorded.statuses], recorded.output).toEqual([
    0,
    undefined,
    { one: 'passed', two: 'passed' },
  ])
  expect(project.project.cassettes()).toEqual(['test/a.test/one.json', 'test/a.test/two.json'])
  const replayed = await project.run([], { ...env, CI: '1' })
  expect(replayed.code, replayed.output).toBe(0)
  expect(await model.count()).toBe(2)
})

test('useReplay() in a hook around all tests is refused, and so is a call there', async () => {
  const { project, env } = await createJestProject({
    'test/hook.test.js': `${start}
describe('hooked', () => {
  beforeAll(() => { useReplay() })
  test('a', () => {})
})
describe('calling', () => {
  beforeAll(async () => { await ask('in beforeAll') })
  taped('b', () => {})
})
`,
  })
  const refused = await project.run([], env)
  expect(refused.statuses, refused.output).toEqual({ 'hooked a': 'failed', 'calling b': 'failed' })
  expect(refused.errors['hooked a']?.[0]).toContain('[TURNTAPE_NOT_IN_TEST]')
  expect(refused.errors['calling b']?.[0]).toContain('[TURNTAPE_OUTSIDE_TEST]')
  expect(await model.count()).toBe(0)
})

test('files that run one after the other in one process do not see each other', async () => {
  const file = (name: string): string => `${start}
jest.mock('node:fs', () => ({}))
taped('asks', async ({ tape }) => {
  expect(await ask('${name}')).toBe('answer to: ${name}')
  expect(tape.turns).toHaveLength(1)
})
test('is not covered', async () => { expect(await ask('live ${name}')).toBe('answer to: live ${name}') })
`
  const { project, env } = await createJestProject({
    'test/a.test.js': file('a'),
    'test/b.test.js': file('b'),
    'test/c.test.js': file('c'),
  })
  const recorded = await project.run(['--runInBand'], env)
  expect([recorded.code, recorded.counts, recorded.output.includes('soft deleted')], recorded.output).toEqual([
    0,
    '3 written',
    false,
  ])
  const replayed = await project.run(['--runInBand'], { ...env, CI: '1' })
  expect([replayed.code, replayed.counts], replayed.output).toEqual([0, '3 replayed'])
  expect(await model.count()).toBe(9)
})

test('recording under fake timers of any kind is refused at the first live call; spies and a faked date are none', async () => {
  const { project, env } = await createJestProject({
    'test/timers.test.js': `${start}
const real = ['nextTick', 'queueMicrotask', 'setImmediate', 'clearImmediate', 'setInterval', 'clearInterval', 'setTimeout', 'clearTimeout']
afterEach(() => { jest.useRealTimers(); jest.restoreAllMocks() })
taped('modern', async () => { jest.useFakeTimers(); await askQuietly('modern') })
taped('legacy', async () => { jest.useFakeTimers({ legacyFakeTimers: true }); await askQuietly('legacy') })
taped('the date', async () => { jest.useFakeTimers({ doNotFake: real }); await ask('the date') })
taped('spied on', async () => { jest.spyOn(global, 'setTimeout'); await ask('spied on') })
taped('real', async () => { if (process.env.CI) jest.useFakeTimers(); await ask('real') })
`,
  })
  const recorded = await project.run([], env)
  expect(recorded.statuses, recorded.output).toEqual({
    modern: 'failed',
    legacy: 'failed',
    'the date': 'passed',
    'spied on': 'passed',
    real: 'passed',
  })
  for (const name of ['modern', 'legacy']) expect(recorded.errors[name]?.[0]).toContain('TURNTAPE_FAKE_TIMERS')
  expect(recorded.output).toContain("jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask',")
  expect((await model.log()).map(({ body }) => body.messages[0].content).sort()).toEqual([
    'real',
    'spied on',
    'the date',
  ])
  const replayed = await project.run(['-t', 'real'], { ...env, CI: '1' })
  expect(replayed.code, replayed.output).toBe(0)
})

test('`turntape record` and `turntape prune` find the tests of a project that uses Jest', async () => {
  const { project, env } = await createJestProject({
    'test/command.test.js': `${start}
describe('group', () => {
  taped('asks (once)', async () => { await ask(process.env.QUESTION ?? 'one') })
  taped('asks', async () => { await ask('two') })
})
`,
  })
  await project.run([], env)
  const recording = { ...env, QUESTION: 'another' }
  const recorded = await project.project.turntape(['record', 'test/command.test.js > group > asks (once)'], {
    env: recording,
  })
  expect([recorded.code, recorded.output.includes('Cassettes:   1 written')], recorded.output).toEqual([0, false])
  expect(recorded.output).toContain('Cassettes:   1 updated')
  expect((await model.log()).map(({ body }) => body.messages[0].content)).toEqual(['one', 'two', 'another'])
  const unknown = await project.project.turntape(['record', 'test/command.test.js > group > ask'], { env })
  expect([unknown.code, unknown.output.includes('test/command.test.js has no test "group > ask"')]).toEqual([2, true])

  project.project.write({
    'test/command.test.js': `${start}describe('group', () => { taped('asks', async () => { await ask('two') }) })`,
  })
  const pruned = await project.project.turntape(['prune'], { env })
  expect(pruned.output).toContain('group__asks-once.json')
  expect(pruned.output).not.toContain('group__asks.json')
})

test('the command that a message gives runs just that test', async () => {
  const { project, env } = await createJestProject({
    'test/command.test.js': `${start}
taped('asks (once)', async () => {
  await ask('one')
  if (!process.env.CHANGED) await ask('two')
})
taped('asks', async () => { await ask('three') })
`,
  })
  await project.run([], env)
  const unused = await project.run([], { ...env, CHANGED: '1' })
  expect(unused.output).toContain('npx jest "test/command.test.js" -t "asks .once." -u')
  const updated = await project.run(['test/command.test.js', '-t', 'asks .once.', '-u'], { ...env, CHANGED: '1' })
  expect([updated.code, updated.counts], updated.output).toEqual([0, '1 updated'])
})
