import { expect, test } from 'vitest'
import { createProject } from '../projects/project.ts'

const file = `
import { expect } from 'vitest'
import { test } from 'turntape/vitest'
const recording = process.env.CI === undefined
let ran = 0

test('form', ({ tape }) => {
  function price(flight, seats) { ran += 1; return this.base * seats }
  price.unit = 'EUR'
  const shop = { base: 89, price: tape.tool('price', price) }
  expect([shop.price.name, shop.price.length, shop.price.unit, shop.price instanceof Function]).toEqual(['price', 2, 'EUR', true])
  expect(shop.price('SK 1', 2)).toBe(178)
})
test('signals', async ({ tape }) => {
  const { signal } = new AbortController()
  const find = tape.tool('find', async (...args) => { ran += 1; return args.length })
  expect(await find('Oslo', { signal })).toBe(2)
  expect(await find({ to: 'Oslo', signal }, undefined)).toBe(2)
  expect(await find(signal, 'Oslo')).toBe(2)
  expect(await find({ to: 'Rome' }, { toolCallId: 'call_1', messages: [], abortSignal: signal })).toBe(2)
  expect(tape.interactions.map(({ request, callId }) => [request.input, callId])).toEqual([
    [['Oslo'], undefined], [[{ to: 'Oslo' }], undefined], [[null, 'Oslo'], undefined], [[{ to: 'Rome' }], 'call_1'],
  ])
})
test('codec', async ({ tape }) => {
  const seats = tape.tool('seats', async (when) => { ran += 1; return new Map([['1A', when]]) }, {
    input: (when) => [when.toISOString()],
    encode: (map) => [...map].map(([seat, when]) => [seat, when.getTime()]),
    decode: (stored) => new Map(stored.map(([seat, ms]) => [seat, new Date(ms)])),
  })
  expect(await seats(new Date(0))).toEqual(new Map([['1A', new Date(0)]]))
  const days = tape.call('days', null, async function* () { ran += 1; yield new Date(1); yield new Date(2) }, { encode: Number, decode: (ms) => new Date(ms) })
  const seen = []
  for await (const day of days) seen.push(day)
  expect(seen).toEqual([new Date(1), new Date(2)])
})
test('errors', async ({ tape }) => {
  const book = tape.tool('book', async () => {
    ran += 1
    throw Object.assign(new RangeError('no seats', { cause: new Error('sold out') }), { code: 'ESOLD', seats: { left: 0 } })
  })
  const error = await book().catch((reason) => reason)
  expect(error).toBeInstanceOf(RangeError)
  expect([error.message, error.code, error.seats, error.cause.message]).toEqual(['no seats', 'ESOLD', { left: 0 }, 'sold out'])
})
test('elements', async ({ tape }) => {
  let left = 0
  const { watch } = tape.tools({ watch: { inputSchema: {}, async *execute({ flight }) {
    ran += 1
    try { yield { flight, state: 'looking' }; await inner('part of it'); yield { flight, state: 'found' }; yield 'never read' } finally { left += 1 }
  } } })
  const inner = tape.tool('inner', async () => { ran += 1; return 'own' })
  const seen = []
  for await (const step of watch.execute({ flight: 'SK 1' }, { toolCallId: 'call_1', messages: [] })) if (seen.push(step.state) === 2) break
  expect(seen).toEqual(['looking', 'found'])
  expect(left).toBe(recording ? 1 : 0)
  expect(tape.interactions.map(({ request }) => request.name)).toEqual(['watch'])
})
test('ran', () => { expect(ran).toBe(recording ? 10 : 0) })
`

test('AR-29 AR-28 a recorded function keeps its form, and gives values, errors and elements without running', async () => {
  const project = createProject({ 'test/functions.test.js': file })
  const recording = await project.vitest()
  expect([recording.code, recording.output.includes('Cassettes  5 written')], recording.output).toEqual([0, true])
  const replay = await project.vitest([], { env: { CI: '1' } })
  expect([replay.code, replay.output.includes('Cassettes  5 replayed')], replay.output).toEqual([0, true])
})

const calls = `
import { expect } from 'vitest'
import { test } from 'turntape/vitest'
const recording = process.env.CI === undefined
let ran = 0
const options = (toolCallId) => ({ toolCallId, messages: [] })
const runs = (tape) => {
  const { tool } = tape.tools({ tool: { inputSchema: {}, execute: async ({ city }) => { const number = ++ran; await null; return 'answer ' + number + ' ' + city } } })
  return (id, city) => tool.execute({ city }, options(id))
}

test('by id', async ({ tape }) => {
  const call = runs(tape)
  // The schema got a default since: the model still asked for the same call.
  expect(await call('a', recording ? 'Oslo' : 'Oslo, Norway')).toMatch(/Oslo$/)
})
test('parallel', async ({ tape }) => {
  const call = runs(tape)
  const both = [['a', 'Oslo'], ['b', 'Rome']]
  const wanted = recording ? both : both.toReversed()
  const answers = await Promise.all(wanted.map(([id, city]) => call(id, city)))
  expect(answers.map((answer) => answer.split(' ')[2])).toEqual(wanted.map(([, city]) => city))
})
test('equal arguments', async ({ tape }) => {
  const call = runs(tape)
  const ids = recording ? ['a', 'b', 'c'] : ['c', 'x', 'a']
  const answers = await Promise.all(ids.map((id) => call(id, 'Oslo')))
  const numbers = answers.map((answer) => Number(answer.split(' ')[1]))
  const first = Math.min(...numbers)
  expect(numbers.map((number) => number - first)).toEqual(recording ? [0, 1, 2] : [2, 0, 1])
})
test('repeated id', async ({ tape }) => {
  const call = runs(tape)
  const cities = recording ? ['Oslo', 'Rome'] : ['Rome', 'Oslo']
  const answers = await Promise.all(cities.map((city) => call('call_0', city)))
  expect(answers.map((answer) => answer.split(' ')[2])).toEqual(cities)
})
test('id once more', async ({ tape }) => {
  const call = runs(tape)
  await call('call_0', 'Oslo')
  if (!recording) await call('call_0', 'Rome')
})
test('in order', async ({ tape }) => {
  const call = runs(tape)
  const [first, second] = recording ? [['a', 'Oslo'], ['b', 'Rome']] : [['b', 'Rome'], ['a', 'Oslo']]
  await call(...first)
  await call(...second)
})
test('unknown call', async ({ tape }) => {
  const call = runs(tape)
  await call(recording ? 'a' : 'z', recording ? 'Oslo' : 'Bergen')
})
test('ran', () => { expect(ran > 0).toBe(recording) })
`

test('AR-25 tool calls match by call id, then by name and arguments, each output once, in the order of the lane', async () => {
  const project = createProject({ 'test/calls.test.js': calls })
  const recording = await project.vitest()
  expect([recording.code, recording.output.includes('Cassettes  7 written')], recording.output).toEqual([0, true])
  const replay = await project.vitest(['--reporter=json', '--outputFile.json=result.json'], { env: { CI: '1' } })
  const { testResults } = JSON.parse(project.read('result.json'))
  const outcomes = testResults[0].assertionResults.map((one: { title: string; failureMessages: string[] }) => [
    one.title,
    one.failureMessages.map((message) => message.split('\n')[0]),
  ])
  expect(outcomes, replay.output).toEqual([
    ['by id', []],
    ['parallel', []],
    ['equal arguments', []],
    ['repeated id', []],
    ['id once more', ['DivergenceError: One call more than recorded: tool tool [TURNTAPE_EXHAUSTED]']],
    ['in order', ['DivergenceError: Interaction 2 was asked for before interaction 1 [TURNTAPE_OUT_OF_ORDER]']],
    ['unknown call', ['DivergenceError: Tool tool is not as recorded: [0].city changed [TURNTAPE_DIVERGED]']],
    ['ran', []],
  ])
  const unknown = plainLines(testResults[0].assertionResults[6].failureMessages[0])
  expect(unknown).toContain('nearest interaction 1 (the one expected here); recorded')
  expect(unknown).toContain('tool input [0].city - "Oslo" + "Bergen"')
})

function plainLines(message: string): string {
  return message.split(/\s+/).join(' ')
}

const changed = `
import { expect } from 'vitest'
import { test } from 'turntape/vitest'
let ran = 0
test('changed', async ({ tape }) => {
  const { tool } = tape.tools({ tool: { inputSchema: {}, execute: async ({ city }) => { ran += 1; return city } } })
  const answer = await tool.execute({ city: process.env.CITY }, { toolCallId: 'a', messages: [] })
  expect([answer, ran]).toEqual(JSON.parse(process.env.EXPECTED))
})
test.skipIf(process.env.PLAIN === undefined)('plain', async ({ tape }) => {
  expect(await tape.tool('plain', async (city) => city)(process.env.CITY)).toBe(process.env.PLAIN)
})
`

test('AR-25 a call that only its id tells is served; update runs it again, rebase takes its arguments over', async () => {
  const project = createProject({ 'test/changed.test.js': changed })
  const run = async (CITY: string, expected: unknown, mode?: string) => {
    const env = { CITY, EXPECTED: JSON.stringify(expected), ...(mode === undefined ? {} : { TURNTAPE_MODE: mode }) }
    const { code, output } = await project.vitest([], { env })
    expect(code, output).toBe(0)
    return project.read('cassettes/test/changed.test/changed.json')
  }
  const recorded = await run('Oslo', ['Oslo', 1])
  expect(await run('Bergen', ['Oslo', 0])).toBe(recorded)
  const rebased = await run('Bergen', ['Oslo', 0], 'rebase')
  expect(rebased).toContain('"input": [{ "city": "Bergen" }]')
  expect(await run('Rome', ['Rome', 1], 'update')).toContain('"value": "Rome"')
})

test('rebase takes over the arguments of a call without an id by its position', async () => {
  const project = createProject({ 'test/changed.test.js': changed })
  const run = (CITY: string, env: Readonly<Record<string, string>>) =>
    project.vitest(['-t', 'plain'], { env: { CITY, PLAIN: 'Oslo', ...env } })
  expect((await run('Oslo', {})).code).toBe(0)
  const rebased = await run('Bergen', { TURNTAPE_MODE: 'rebase' })
  expect(rebased.code, rebased.output).toBe(0)
  const stored = project.read('cassettes/test/changed.test/plain.json')
  expect([stored.includes('"input": ["Bergen"]'), stored.includes('"value": "Oslo"')]).toEqual([true, true])
})
