/** Behaviours of other systems that no test of a part of ours holds, each in one test of a real project. */
import { beforeAll, expect, test } from 'vitest'
import { createLifeProject } from '../life/life-project.ts'
import { type Model, startModel } from '../life/model.ts'

let model: Model
beforeAll(async () => {
  model = await startModel()
})

// Each test does the same in both runs, but for what `now` changes; between them cassettes are edited by hand.
const file = `
import { randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { expect, test as plain } from 'vitest'
import { replay, test } from 'turntape/vitest'
import { ask, post } from '../client.js'
const recording = process.env.CI === undefined
const now = (before, after) => (recording ? before : after)

test('nothing recorded', async () => { await ask('one') })
let edited = 0
replay(plain, { beforeRecord: (interaction) => { edited += 1; return interaction } })('a hook', async () => { await ask('one') })
plain('the hook ran', () => { expect(edited > 0).toBe(recording) })
test('edited answers', async ({ tape }) => {
  expect(await ask('one')).toBe(now('answer to: one', 'put right'))
  expect(await tape.tool('weather', async () => 'rain')('Oslo')).toBe(now('rain', 'sun'))
})
test('an edited request', async () => { await ask('one') })
test('edited arguments', async ({ tape }) => { await tape.tool('weather', async () => 'rain')('Oslo') })
test('ids made up at run time', async ({ tape }) => {
  const booking = tape.tool('new id', () => randomUUID())()
  expect(await ask('book ' + booking)).toBe('answer to: book ' + booking)
})
test('a run of its own', async ({ tape }) => {
  const response = await post([{ role: 'user', content: 'hello' }])
  const { id } = await response.json()
  await tape.tool('weather', async () => ({ sky: 'grey' }))('Oslo')
  const hashes = tape.interactions.map(({ hash }) => hash)
  writeFileSync(now('recorded.json', 'replayed.json'), JSON.stringify([id, hashes, tape.usage]))
})
test('a copy', async ({ tape }) => {
  const list = await tape.tool('list', async () => ({ seats: [1] }))()
  list.seats.push(2)
  expect(tape.interactions[0].result).toEqual({ value: { seats: [1] } })
})
const compact = async (input) => (await fetch(process.env.MODEL_URL + '/v1/responses/compact', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ model: 'small', input }) })).text()
test('compacted by the provider', async ({ tape }) => { await tape.fold(() => compact('all of it')) })
test('compacted by the provider, of something else', async ({ tape }) => { await tape.fold(() => compact(now('all', 'half') + ' of it')) })
test('a fold that fails', async ({ tape }) => {
  const fold = (settings) => tape.fold(() => ask('summarise', settings)).catch((error) => error.message.slice(0, 22))
  expect(await fold({ switches: 'status=413' })).toBe('the model answered 413')
  expect(await fold({ max_tokens: 5 })).toBe('answer to: summarise')
  expect(tape.turns.map(({ isFold }) => isFold)).toEqual([true])
})
test('a tool that does not end', async ({ tape }) => {
  void tape.tool('wait', () => new Promise(() => {}))()
  await ask('one')
})
test('details of a failed tool', async ({ tape }) => {
  const failing = tape.tool('find', async () => {
    throw Object.assign(new Error('no such flight'), { code: -32602, data: { flight: 'SK 1' } })
  })
  expect(await failing().catch(({ message, code, data }) => [message, code, data])).toEqual(['no such flight', -32602, { flight: 'SK 1' }])
})
const feed = (tape) => tape.call('feed', null, async function* () { yield 1; yield 2; yield 3 })
const readTwo = async (iterable, readOn) => {
  const seen = []
  for await (const element of iterable) if (seen.push(element) === 2 && !readOn) break
  return seen
}
test('left early', async ({ tape }) => { expect(await readTwo(feed(tape), false)).toEqual([1, 2]) })
test('read on', async ({ tape }) => { await readTwo(feed(tape), !recording).catch(() => {}) })
replay(plain, { allow: { incomplete: true } })('allowed to read on', async ({ tape }) => {
  expect(await readTwo(feed(tape), !recording)).toEqual([1, 2])
})
test('left with an error of its own', async ({ tape }) => {
  const iterable = { async next() { return { value: 1 } }, async return() { throw new Error('not closed') }, [Symbol.asyncIterator]() { return this } }
  try {
    for await (const one of tape.call('feed', null, () => iterable)) break
  } catch ({ message }) {
    expect(message).toBe('not closed')
  }
})
test('a decoder that fails', async ({ tape }) => {
  const decode = () => { throw new RangeError('made by a newer version') }
  const seats = tape.tool('seats', async () => new Set(['1A']), { encode: (set) => [...set], decode })
  const given = await seats().catch((error) => error)
  expect(given instanceof (recording ? Set : RangeError)).toBe(true)
})
`

const folder = 'cassettes/test/details.test'

test('CU-02 CU-18 LR-07 LR-08 AR-09 AR-10 AR-21 AR-23 AR-26 AR-29 what is replayed is what was recorded, and nothing is made up for what was not', async () => {
  const { project, run } = createLifeProject(model, { 'test/details.test.js': file })
  const edit = (name: string, change: (text: string) => string): void => {
    const path = `${folder}/${name}.json`
    const before = project.read(path)
    expect(change(before)).not.toBe(before)
    project.write({ [path]: change(before) })
  }
  const recording = await run()
  expect(recording.code, recording.output).toBe(0)
  expect(recording.report.slice(0, 2)).toEqual([
    'Cassettes  17 written | 1 pending',
    `${folder}/a-tool-that-does-not-end.json: kept as pending, 1 of its calls had not ended when the test did: await them`,
  ])
  edit('nothing-recorded', (text) => `${text.slice(0, text.indexOf('"interactions"'))}"interactions": []\n}\n`)
  edit('edited-answers', (text) => text.replace('answer to: one', 'put right').replace('"rain"', '"sun"'))
  edit('an-edited-request', (text) => text.replace('"content": "one"', '"content": "two"'))
  edit('edited-arguments', (text) => text.replace('"Oslo"', '"Rome"'))
  await model.reset()

  const replay = await run([], { env: { CI: '1' } })
  const failed = Object.entries(replay.tests).filter(([, { status }]) => status !== 'passed')
  expect(Object.fromEntries(failed.map(([name, { errors }]) => [name, errors[0]?.split('\n')[0]]))).toEqual({
    'nothing recorded': 'DivergenceError: One call more than recorded: the cassette has 0 turns [TURNTAPE_EXHAUSTED]',
    'an edited request': expect.stringContaining('[TURNTAPE_CASSETTE_EDITED]'),
    'edited arguments': expect.stringContaining('[TURNTAPE_CASSETTE_EDITED]'),
    'compacted by the provider, of something else':
      'DivergenceError: Turn 1 is not as recorded: input changed [TURNTAPE_DIVERGED]',
    'read on': 'ReplayError: Interaction 1 was read further than it was recorded [TURNTAPE_READ_PAST_RECORDING]',
    'a tool that does not end': 'ReplayError: No cassette for "a tool that does not end" [TURNTAPE_MISSING_CASSETTE]',
  })
  expect(replay.output).toContain(
    `${folder}/allowed-to-read-on.json: 1 call read past the recording (allow.incomplete): call feed`,
  )
  expect(project.read('replayed.json')).toBe(project.read('recorded.json'))
  expect(await model.count()).toBe(0)
})
