import { beforeAll, expect, test } from 'vitest'
import { createLifeProject } from './life-project.ts'
import { type Model, startModel } from './model.ts'

let model: Model
beforeAll(async () => {
  model = await startModel()
})

const file = `
import { expect } from 'vitest'
import { test } from 'turntape/vitest'
import { ask } from '../client.js'
const recording = process.env.CI === undefined
let ran = 0
const changed = process.env.CHANGED

test('promise', async ({ tape }) => {
  const weather = tape.tool('weather', async ({ city }) => { ran += 1; return { city, degrees: 21 } })
  expect(await weather({ city: 'Oslo' + (changed ?? '') })).toEqual({ city: 'Oslo', degrees: 21 })
  expect(await weather({ city: 'Rome' })).toEqual({ city: 'Rome', degrees: 21 })
})
test('sync', ({ tape }) => {
  const add = tape.tool('add', (a, b) => { ran += 1; return a + b })
  expect(add(1, 2)).toBe(3)
  expect(tape.tool('nothing', () => { ran += 1 })()).toBe(undefined)
})
test('errors', async ({ tape }) => {
  class NoSeats extends RangeError {}
  const fail = tape.tool('fail', async () => { ran += 1; throw Object.assign(new RangeError('no seats', { cause: new Error('sold out') }), { code: 'ESOLD' }) })
  const error = await fail().catch((reason) => reason)
  expect([error.name, error.message, error.code, error.cause.message]).toEqual(['RangeError', 'no seats', 'ESOLD', 'sold out'])
  const failAtOnce = tape.tool('failAtOnce', () => { ran += 1; throw new TypeError('at once') })
  expect(() => failAtOnce()).toThrow('at once')
})
test('iterable', async ({ tape }) => {
  const numbers = () => tape.call('numbers', { up: 'to 3' }, async function* () { ran += 1; yield 1; yield { two: 2 }; yield [3] })
  const seen = []
  for await (const number of numbers()) seen.push(number)
  expect(seen).toEqual([1, { two: 2 }, [3]])
})
test('iterable that fails', async ({ tape }) => {
  const seen = []
  const numbers = tape.call('numbers', null, async function* () { ran += 1; yield 1; throw new Error('half way') })
  await expect((async () => { for await (const number of numbers) seen.push(number) })()).rejects.toThrow('half way')
  expect(seen).toEqual([1])
})
test('nested', async ({ tape }) => {
  const lookUp = tape.tool('lookUp', async (question) => {
    ran += 1
    const answer = await ask(question)
    await new Promise((resolve) => setTimeout(resolve, 5))
    return answer + ', ' + (await ask('nested once more'))
  })
  expect(await lookUp('nested')).toBe('answer to: nested, answer to: nested once more')
  expect(await ask('own')).toBe('answer to: own')
  expect(tape.interactions.map(({ kind }) => kind)).toEqual(['tool', 'model'])
})
test('turns', async ({ tape }) => {
  await ask('first')
  await tape.tool('look', async () => 'seen')()
  await ask('second')
  expect(tape.turns.map(({ toolRuns }) => toolRuns.length)).toEqual([1, 0])
})
test('ran', () => { expect(ran).toBe(recording ? 9 : 0) })
`

test('tools and calls replay values, errors, elements and synchronous results without running', async () => {
  const { project, run } = createLifeProject(model, { 'test/values.test.js': file })
  const recording = await run()
  expect(recording.report, recording.output).toEqual(['Cassettes  7 written'])
  expect(recording.code, recording.output).toBe(0)
  await model.reset()
  const replay = await run([], { env: { CI: '1' } })
  expect(replay.report, replay.output).toEqual(['Cassettes  7 replayed'])
  expect(replay.code, replay.output).toBe(0)
  const changed = await run(['-t', 'promise'], { env: { CI: '1', CHANGED: '!' } })
  expect(changed.tests.promise?.errors).toMatchInlineSnapshot(`
    [
      "DivergenceError: Tool weather is not as recorded: [0].city changed [TURNTAPE_DIVERGED]

    test        promise
    cassette    cassettes/test/values.test/promise.json
    request     tool weather
    nearest     interaction 1 (the one expected here); recorded 93e3f3c9, sent 7eb37c8a

    changed (- recorded, + this run)
    tool input  [0].city
      - "Oslo"
      + "Oslo!"

    If the change is intended, record this test again locally and commit the cassette:
      npx turntape record "test/values.test.js > promise"",
    ]
  `)
  expect(await model.count()).toBe(0)
  expect(project.cassettes()).toHaveLength(7)
})

test('a value that does not survive JSON fails the test while it is recorded; the live caller gets it all the same', async () => {
  const { project, run } = createLifeProject(model, {
    'test/wrong.test.js': `
import { expect } from 'vitest'
import { test } from 'turntape/vitest'
test('result', async ({ tape }) => {
  expect(await tape.tool('map', async () => ({ seats: new Map([[1, 'free']]) }))()).toEqual({ seats: new Map([[1, 'free']]) })
})
test('input', async ({ tape }) => {
  const tool = tape.tool('date', async (when) => 'done')
  await tool({ when: new Date(0) }).catch(() => {})
})
`,
  })
  const { tests } = await run()
  expect([tests.result?.errors, tests.input?.errors]).toMatchInlineSnapshot(`
    [
      [
        "ReplayError: The result of "map" does not survive JSON: a Map [TURNTAPE_VALUE_NOT_JSON]

    test        result
    place       /seats
    found       a Map

    A cassette holds JSON: null, booleans, finite numbers, strings, arrays and plain objects. Replayed,
    this value would be another one, so nothing is recorded. Hand over its JSON form, for example an ISO
    string for a Date, or say how it is stored and made again: { encode, decode } as the last argument
    of tape.tool or tape.call.",
      ],
      [
        "ReplayError: The input of "date" does not survive JSON: a Date [TURNTAPE_VALUE_NOT_JSON]

    test        input
    place       /0/when
    found       a Date

    A cassette holds JSON: null, booleans, finite numbers, strings, arrays and plain objects. Replayed,
    this value would be another one, so nothing is recorded. Hand over its JSON form, for example an ISO
    string for a Date, or say what is recorded of the arguments: tape.tool(name, fn, { input: (...args)
    => json }).",
      ],
    ]
  `)
  expect(project.cassettes()).toEqual([])
})
