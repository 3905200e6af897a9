import { beforeAll, expect, test } from 'vitest'
import { createLifeProject } from './life-project.ts'
import { type Model, startModel } from './model.ts'

let model: Model
beforeAll(async () => {
  model = await startModel()
})

const file = `
import OpenAI from 'openai'
import { afterEach, describe, expect, onTestFailed, onTestFinished } from 'vitest'
import { test } from 'turntape/vitest'
import { ask } from '../client.js'
const now = process.env.CHANGED === undefined ? '' : ' changed'
const swallow = () => {}

test('assertion before', async ({ tape }) => {
  await ask('one')
  try { expect.soft(1, 'mine came first').toBe(now === '' ? 1 : 2) } finally { await ask('two' + now).catch(swallow) }
})
test('assertion after', async ({ tape }) => {
  await ask('one' + now).catch(swallow)
  expect(1, 'mine came later').toBe(now === '' ? 1 : 2)
})
test('body throws before', async ({ tape }) => {
  onTestFinished(async () => { await ask('two' + now).catch(swallow) })
  await ask('one')
  if (now) throw new TypeError('mine came first')
})
test('the error of the SDK', async ({ tape }) => {
  const client = new OpenAI({ baseURL: process.env.MODEL_URL + '/v1', apiKey: 'x' })
  await client.chat.completions.create({ model: 'small', messages: [{ role: 'user', content: 'say "one"' + now }] })
})
test('an error that wraps it', async ({ tape }) => {
  try {
    await ask('one' + now)
  } catch (cause) {
    throw new Error('the agent gave up', { cause })
  }
})
test.fails('a test that is to fail', async ({ tape }) => {
  await ask('one' + now)
  throw new Error('as expected')
})
describe('hooks', () => {
  const seen = []
  afterEach(({ task }) => { seen.push(task.result?.state) })
  test('in the body', async ({ tape }) => {
    onTestFailed(() => { seen.push('onTestFailed') })
    await ask('one' + now).catch(swallow)
  })
  test('their view', ({ tape }) => { expect(seen.join(' ')).toBe(now === '' ? 'pass' : 'pass onTestFailed') })
})
let attempt = 0
test('every attempt', { retry: 1 }, async ({ tape }) => {
  attempt += 1
  if (now && attempt === 1) throw new Error('of the first attempt')
  await ask('one' + now).catch(swallow)
  if (now) throw new Error('after the divergence')
})
test.fails('to fail, at the second attempt as it should', { retry: 1 }, async ({ tape }) => {
  await ask('one' + (attempt++ === 2 ? now : '')).catch(swallow)
  throw new Error('as expected')
})
test('two divergences', async ({ tape }) => {
  await ask('one' + now).catch(swallow)
  await ask('two' + now).catch(swallow)
  await tape.lane('other', () => ask('three')).catch(swallow)
  await tape.lane('third', () => ask('four' + now)).catch(swallow)
})
`

test('of a divergence and the other errors of a test the first one is on top, and none is listed twice', async () => {
  const { run } = createLifeProject(model, { 'test/verdict.test.js': file })
  const recording = await run()
  expect(recording.code, recording.output).toBe(0)
  await model.reset()
  const { tests, output } = await run([], { env: { CHANGED: '1', CI: '1' } })
  const firstLines = Object.entries(tests).map(([name, { status, errors }]) => [
    `${name}: ${status}`,
    ...errors.map((error) => error.split('\n')[0]),
  ])
  expect(firstLines, output).toMatchInlineSnapshot(`
    [
      [
        "assertion before: failed",
        "AssertionError: mine came first: expected 1 to be 2 // Object.is equality",
        "DivergenceError: Turn 2 is not as recorded: messages[0].content changed [TURNTAPE_DIVERGED]",
      ],
      [
        "assertion after: failed",
        "DivergenceError: Turn 1 is not as recorded: messages[0].content changed [TURNTAPE_DIVERGED]",
        "AssertionError: mine came later: expected 1 to be 2 // Object.is equality",
      ],
      [
        "body throws before: failed",
        "TypeError: mine came first",
        "DivergenceError: Turn 2 is not as recorded: messages[0].content changed [TURNTAPE_DIVERGED]",
      ],
      [
        "the error of the SDK: failed",
        "DivergenceError: Turn 1 is not as recorded: messages[0].content changed [TURNTAPE_DIVERGED]",
      ],
      [
        "an error that wraps it: failed",
        "DivergenceError: Turn 1 is not as recorded: messages[0].content changed [TURNTAPE_DIVERGED]",
        "Error: the agent gave up",
      ],
      [
        "a test that is to fail: failed",
        "DivergenceError: Turn 1 is not as recorded: messages[0].content changed [TURNTAPE_DIVERGED]",
      ],
      [
        "hooks in the body: failed",
        "DivergenceError: Turn 1 is not as recorded: messages[0].content changed [TURNTAPE_DIVERGED]",
      ],
      [
        "hooks their view: passed",
      ],
      [
        "every attempt: failed",
        "Error: of the first attempt",
        "DivergenceError: Turn 1 is not as recorded: messages[0].content changed [TURNTAPE_DIVERGED]",
        "Error: after the divergence",
      ],
      [
        "to fail, at the second attempt as it should: passed",
      ],
      [
        "two divergences: failed",
        "DivergenceError: Turn 1 is not as recorded: messages[0].content changed [TURNTAPE_DIVERGED]",
      ],
    ]
  `)
  expect(await model.count()).toBe(0)
})
