import { beforeAll, expect, test } from 'vitest'
import { createLifeProject } from './life-project.ts'
import { type Model, startModel } from './model.ts'

let model: Model
beforeAll(async () => {
  model = await startModel()
})

const file = (name: string): string => `
import { describe, expect, test as plain } from 'vitest'
import { test, useReplay } from 'turntape/vitest'
import { ask, askStreamed } from '../client.js'

const fetchAtImport = globalThis.fetch
test('streamed', async ({ tape }) => {
  expect(await askStreamed('one two ${name}')).toBe('answer to: one two ${name}')
  expect(tape.turns).toHaveLength(1)
})
describe.concurrent('at once', () => {
  for (const number of [1, 2, 3]) test('test ' + number, async ({ expect, tape }) => {
    expect(await ask('test ' + number)).toBe('answer to: test ' + number)
    expect(await ask('then ' + number)).toBe('answer to: then ' + number)
    expect(tape.turns).toHaveLength(2)
  })
})
plain('diverges', async () => {
  useReplay()
  await ask('question' + (process.env.CHANGED ?? '')).catch(() => {})
})
plain('not covered', () => { expect(fetchAtImport).toBe(globalThis.fetch) })
`

const pools = [
  ['--pool=forks'],
  ['--pool=threads'],
  ['--pool=vmThreads'],
  ['--pool=vmForks'],
  ['--pool=forks', '--no-isolate', '--maxWorkers=1'],
  ['--pool=threads', '--no-isolate', '--maxWorkers=1'],
]

test.for(pools)('%j records in one run and replays in the next, file by file', async (args) => {
  await model.reset()
  const { project, run, statuses } = createLifeProject(model, {
    'test/a.test.js': file('a'),
    'test/b.test.js': file('b'),
  })
  const recording = await run(args)
  expect(recording.report, recording.output).toEqual(['Cassettes  10 written'])
  expect(recording.code, recording.output).toBe(0)
  expect(project.cassettes()).toHaveLength(10)
  expect(await model.count()).toBe(16)
  const replay = await run(args, { env: { CI: '1', CHANGED: '!' } })
  expect(replay.report, replay.output).toEqual(['Cassettes  8 replayed | 2 diverged'])
  const failed = Object.entries(statuses(replay)).filter(([, status]) => status === 'failed')
  expect(failed.map(([name]) => name)).toEqual(['diverges', 'diverges #2'])
  expect(replay.tests.diverges?.errors[0]?.split('\n')[0]).toBe(
    'DivergenceError: Turn 1 is not as recorded: messages[0].content changed [TURNTAPE_DIVERGED]',
  )
  expect(await model.count()).toBe(16)
})
