import { beforeAll, expect, test } from 'vitest'
import { createLifeProject } from './life-project.ts'
import { type Model, startModel } from './model.ts'

let model: Model
beforeAll(async () => {
  model = await startModel()
})

// REVERSED turns every order round that a test is free in.
const file = `
import { expect, test as plain } from 'vitest'
import { replay, test } from 'turntape/vitest'
import { ask } from '../client.js'
const reversed = process.env.REVERSED !== undefined
const inOrder = (list) => (reversed ? [...list].reverse() : list)

test('lanes', async ({ tape }) => {
  const agent = (name) => tape.lane(name, async () => {
    const first = await ask(name + ' first')
    await null
    return [first, await ask(name + ' second')]
  })
  if (reversed) {
    await agent('b')
    await agent('a')
  } else {
    await agent('a')
    await agent('b')
  }
  await ask('unnamed')
  expect(tape.turns.map(({ lane }) => lane)).toEqual(reversed ? ['b', 'b', 'a', 'a', undefined] : ['a', 'a', 'b', 'b', undefined])
})
test('overlap', async () => {
  const questions = inOrder(['one', 'two', 'three'])
  const answers = await Promise.all(questions.map((question) => ask(question, { switches: 'wait=60' })))
  expect(answers).toEqual(questions.map((question) => 'answer to: ' + question))
})
test('equal requests at once', async () => {
  const answers = await Promise.all([ask('same'), ask('same'), ask('other')])
  expect(answers).toEqual(['answer to: same', 'answer to: same', 'answer to: other'])
})
test('strict', async () => {
  for (const question of inOrder(['one', 'two'])) await ask(question).catch(() => {})
})
replay(plain, { order: 'any' })('any order', async () => {
  for (const question of inOrder(['one', 'two', 'three'])) await ask(question)
})
test('a lane that is not recorded', async ({ tape }) => {
  await ask('one')
  if (reversed) await tape.lane('new', () => ask('two')).catch(() => {})
  else await ask('two')
})
test('reset', async ({ tape }) => {
  await ask('one')
  await ask('two')
  if (process.env.CI === undefined) {
    expect(() => tape.reset()).toThrow('TURNTAPE_RESET_WHILE_RECORDING')
    return
  }
  tape.reset()
  expect(tape.turns).toEqual([])
  await ask('one')
  await ask('two')
  expect(tape.turns).toHaveLength(2)
})
`

test('LR-09 AR-11 lanes have their own order, overlapping calls any, strict ones the recorded one', async () => {
  const { project, run, statuses } = createLifeProject(model, { 'test/lanes.test.js': file })
  const recording = await run()
  expect(recording.report, recording.output).toEqual(['Cassettes  7 written'])
  const overlapping = JSON.parse(project.read('cassettes/test/lanes.test/overlap.json')).interactions
  expect(overlapping.map(({ overlaps }: { readonly overlaps?: readonly number[] }) => overlaps)).toEqual([
    undefined,
    [1],
    [1, 2],
  ])
  await model.reset()
  const replay = await run([], { env: { CI: '1' } })
  expect(replay.report, replay.output).toEqual(['Cassettes  7 replayed'])
  const reversed = await run([], { env: { CI: '1', REVERSED: '1' } })
  expect(statuses(reversed), reversed.output).toEqual({
    lanes: 'passed',
    overlap: 'passed',
    'equal requests at once': 'passed',
    strict: 'failed',
    'any order': 'passed',
    'a lane that is not recorded': 'failed',
    reset: 'passed',
  })
  expect(reversed.tests.strict?.errors[0]).toMatchInlineSnapshot(`
    "DivergenceError: Turn 2 was asked for before turn 1 [TURNTAPE_OUT_OF_ORDER]

    test        strict
    cassette    cassettes/test/lanes.test/strict.json
    request     POST http://localhost/v1/chat/completions (small), turn 1 of 2
    nearest     interaction 2 (turn 2, not played yet); equal, 7ec90554

    This request equals turn 2. Turn 1 was skipped, or the two calls changed places.

    If two independent callers made them, name each:
      tape.lane('name', () => …)
    Or let the calls of this test come in any order:
      order: 'any'
    If the new order is intended, record this test again locally and commit the cassette:
      npx turntape record "test/lanes.test.js > strict""
  `)
  expect(reversed.tests['a lane that is not recorded']?.errors[0]).toMatchInlineSnapshot(`
    "DivergenceError: Turn 2 was made in lane "new", but recorded in the unnamed lane [TURNTAPE_EXHAUSTED]

    test        a lane that is not recorded
    cassette    cassettes/test/lanes.test/a-lane-that-is-not-recorded.json
    request     POST http://localhost/v1/chat/completions (small), turn 2 of 2, lane "new"
    nearest     interaction 2 (turn 2, in the unnamed lane); equal, 7ec90554

    The cassette holds no call in lane "new"; its calls were made outside of tape.lane().

    If the call is intended, record from here on locally and commit the cassette (what matched costs nothing):
      npx vitest run "test/lanes.test.js" -t "a lane that is not recorded" -u
    Or the whole test:
      npx turntape record "test/lanes.test.js > a lane that is not recorded""
  `)
  expect(await model.count()).toBe(0)
})

test('-u pays in the lane that changed and leaves the others alone', async () => {
  const { run } = createLifeProject(model, {
    'test/update.test.js': `
import { test } from 'turntape/vitest'
import { ask } from '../client.js'
test('two lanes', async ({ tape }) => {
  for (const turn of [1, 2]) {
    for (const lane of ['a', 'b']) {
      await tape.lane(lane, () => ask(lane + turn + (lane === 'a' && turn === 1 ? process.env.CHANGED ?? '' : '')))
    }
  }
})
`,
  })
  await run()
  await model.reset()
  const update = await run(['-u'], { env: { CHANGED: ' changed' } })
  expect(update.report, update.output).toEqual(['Cassettes  1 updated'])
  expect((await model.log()).map(({ body }) => body.messages[0].content)).toEqual(['a1 changed', 'a2'])
  const replay = await run([], { env: { CHANGED: ' changed', CI: '1' } })
  expect(replay.report, replay.output).toEqual(['Cassettes  1 replayed'])
})
