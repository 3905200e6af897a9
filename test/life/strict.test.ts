/** Strict and lenient replay of the same cassettes, each error with its whole message, each allowance with what the report says. */
import { beforeAll, expect, test } from 'vitest'
import { createLifeProject, type LifeProject, type LifeRun } from './life-project.ts'
import { type Model, startModel } from './model.ts'

let model: Model
let project: LifeProject
beforeAll(async () => {
  model = await startModel()
})

// Every test does as recorded in phase `record`, and something else afterwards.
const file = `
import { writeFileSync } from 'node:fs'
import { expect, test as plain } from 'vitest'
import { replay } from 'turntape/vitest'
import { ask, askStreamed } from '../client.js'
const phase = process.env.PHASE
const recording = phase === 'record'
const test = (name, allow, body, options = {}) => {
  const own = phase === 'allowed' ? { allow } : phase === 'lenient' ? { strict: false } : {}
  replay(plain, { ...own, ...options })(name, body)
}
const now = (before, after) => (recording ? before : after)

test('changed', {}, async () => {
  expect(await ask(now('one', 'uno'))).toBe('answer to: one')
  expect(await ask('two')).toBe('answer to: two')
})
test('exhausted', {}, async () => {
  await ask('one')
  if (!recording) await ask('more')
})
test('unused', { unused: true }, async () => {
  await ask('one')
  if (recording) await ask('two')
})
test('out of order', {}, async () => {
  const answers = []
  for (const question of now(['one', 'two'], ['two', 'one'])) answers.push(await ask(question))
  expect(answers).toEqual(['answer to: one', 'answer to: two'])
})
test('unverifiable', { unhashed: true }, async ({ tape }) => {
  const seen = []
  tape.onServed(({ number, matched, by, recorded, got }) => seen.push([number, matched, by, recorded !== undefined, got.length]))
  expect([await ask('one'), await ask(now('two', 'dos')), await ask('three')].join()).toBe('answer to: one,answer to: two,answer to: three')
  if (!recording) expect(seen).toEqual([[1, true, 'hash', true, 64], [2, false, 'position', false, 64], [3, true, 'hash', true, 64]])
})
test('substituted', { substitution: true }, async () => { await ask('one'); await ask('two') })
test('incomplete', { incomplete: true }, async () => { await ask('one'); await ask('two') })
test('read past', { incomplete: true }, async () => {
  const { body } = await fetch(process.env.MODEL_URL + '/v1/chat/completions', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ model: 'small', stream: true, messages: [{ role: 'user', content: 'a b c' }] }) })
  const reader = body.getReader()
  await reader.read()
  if (recording) return
  void (async () => { for (;;) if ((await reader.read()).done) break })()
  await new Promise((resolve) => setTimeout(resolve, 20))
})
const roll = (tape) => tape.tools({ roll: { inputSchema: {}, execute: async () => { await null; return ++rolled } } }).roll
let rolled = 0
test('one call id twice', {}, async ({ tape }) => {
  const ids = now(['call_0', 'call_1'], ['call_0', 'call_0'])
  const results = await Promise.all(ids.map((toolCallId) => roll(tape).execute({}, { toolCallId, messages: [] })))
  expect(results[1] - results[0]).toBe(1)
})
test('a turn for a fold', {}, async ({ tape }) => {
  await ask('one')
  await now(() => tape.fold(() => ask('summarise')), () => ask('go on'))()
})
test('a fold for a turn', {}, async ({ tape }) => {
  await ask('one')
  await now(() => ask('go on'), () => tape.fold(() => ask('summarise')))()
})
test('a fold for a failed call', {}, async ({ tape }) => {
  await ask('one')
  await now(() => ask('go on', { switches: 'status=400' }).catch(() => {}), () => tape.fold(() => ask('summarise')))()
})
test('a fold with another prompt', {}, async ({ tape }) => {
  await tape.fold(() => ask(now('summarise', 'summarise in short')))
})
test('a fold with another limit', {}, async ({ tape }) => {
  await tape.fold(() => ask('summarise', { max_tokens: now(500, 800) }))
})
test('a fold sent again', {}, async ({ tape }) => {
  await tape.fold(() => ask('summarise'))
  await ask('one')
  if (!recording) await tape.fold(() => ask('summarise'))
})
test('a tool for a call', {}, async ({ tape }) => {
  await now(() => tape.call('weather', { city: 'Oslo' }, async () => 'rain'), () => tape.tool('weather', async () => 'sun')({ city: 'Oslo' }))()
})
test('a model call for a tool', {}, async ({ tape }) => {
  if (recording) await tape.tool('weather', async () => 'rain')({ city: 'Oslo' })
  expect(await ask(now('two', 'dos'))).toBe('answer to: two')
})
const get = async (path) => (await fetch(process.env.MODEL_URL + path)).text()
test('polling', { repeatedGets: true }, async () => {
  for (let poll = 0; poll < now(2, 4); poll++) expect(await get('/job/7')).toBe('you asked for /job/7')
  await ask('done')
}, { capture: [process.env.MODEL_URL] })
test('another query', {}, async () => {
  expect(await get('/search?q=' + now('oslo', 'bergen'))).toBe('you asked for /search?q=oslo')
}, { capture: [process.env.MODEL_URL] })
test('another address', {}, async () => {
  await ask('one')
  await get(now('/search', '/prices'))
}, { capture: [process.env.MODEL_URL] })
test('tools run where nothing fits', {}, async ({ tape }) => {
  let ran = 0
  const weather = tape.tool('weather', async ({ city }) => { ran += 1; return city + ' ' + ran })
  expect(await weather({ city: 'Oslo' })).toBe('Oslo 1')
  expect(await weather({ city: now('Rome', 'Bergen') })).toBe(now('Rome 2', 'Bergen 1'))
  expect(ran).toBe(now(2, 1))
})
test('a tool that runs stays off the network', {}, async ({ tape }) => {
  const look = tape.tool('look', (what) => ask(what).catch(() => 'refused'))
  await look(now('one', 'two'))
})
test('calls in their place', {}, async ({ tape }) => {
  const rate = (to) => tape.call('rate', { to }, async () => to)
  expect(await rate('NOK')).toBe('NOK')
  expect(await rate(now('SEK', 'DKK'))).toBe('SEK')
})
const embed = async (input) => {
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ model: 'e', input }) }
  return (await fetch(process.env.MODEL_URL + '/v1/embeddings', init)).text()
}
test('an embedding is no turn', {}, async ({ tape }) => {
  if (recording) await embed('oslo')
  expect(await ask(now('one', 'uno'))).toBe('answer to: one')
  if (!recording) expect(await embed('rome')).toBe('you asked for /v1/embeddings')
  expect(tape.turns).toHaveLength(1)
})
test('a listener that throws', {}, async ({ tape }) => {
  tape.onServed(({ turn }) => { expect(turn, 'as the listener wants it').toBe(2) })
  await ask('one')
})
test('what listeners see', {}, async ({ tape }) => {
  const seen = []
  const stop = tape.onServed(({ number, kind, turn, lane, matched, by, recorded, got }) => seen.push([number, kind, turn, lane, matched, by, recorded === got]))
  await ask('one')
  await tape.lane('side', () => tape.tool('weather', async () => 'rain')('Oslo'))
  stop()
  await ask('two')
  expect(seen).toEqual(now([], [[1, 'model', 1, undefined, true, 'hash', true], [2, 'tool', 1, 'side', true, 'hash', true]]))
})
test('a refused call is seen', {}, async ({ tape }) => {
  const seen = []
  tape.onServed(({ number, matched, by }) => seen.push([number, matched, by]))
  await ask(now('one', 'uno')).catch(() => {})
  writeFileSync('seen.json', JSON.stringify(seen))
})
`

const folder = 'cassettes/test/strict.test'

interface TestMeta {
  readonly fullName: string
  readonly meta: { readonly turntape?: { readonly attempts: readonly { readonly notes: readonly string[] }[] } }
}

/** What the report says of each test, of those of which it says anything. */
function notes(): Readonly<Record<string, readonly string[]>> {
  const { testResults } = JSON.parse(project.project.read('result.json'))
  const results = testResults[0].assertionResults as readonly TestMeta[]
  return Object.fromEntries(
    results.flatMap(({ fullName, meta }) => {
      const said = meta.turntape?.attempts[0]?.notes ?? []
      return said.length === 0 ? [] : [[fullName, said]]
    }),
  )
}

/** The code of each test's first error, short; what is no error of ours as it is. */
function codes({ tests }: LifeRun): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(tests).map(([name, { status, errors }]) => {
      const line = errors[0]?.split('\n')[0] ?? status
      return [name, /\[TURNTAPE_(\w+)\]$/.exec(line)?.[1] ?? line]
    }),
  )
}

/** Edits interactions of the cassette of a test: what an import would say. */
function mark(name: string, edit: (interactions: any[]) => void): void {
  const path = `${folder}/${name.replaceAll(' ', '-')}.json`
  const cassette = JSON.parse(project.project.read(path))
  edit(cassette.interactions)
  project.project.write({ [path]: JSON.stringify(cassette, null, 2) })
}

/** What each test comes to: strict, with what it allows, lenient. One word alone: the same in all three. */
const outcomes: Readonly<Record<string, string | readonly [string, string, string]>> = {
  changed: ['DIVERGED', 'DIVERGED', 'passed'],
  exhausted: 'EXHAUSTED',
  unused: ['UNUSED', 'passed', 'passed'],
  'out of order': ['OUT_OF_ORDER', 'OUT_OF_ORDER', 'passed'],
  unverifiable: ['UNVERIFIABLE', 'passed', 'passed'],
  substituted: ['SUBSTITUTED', 'passed', 'passed'],
  incomplete: ['INCOMPLETE', 'passed', 'passed'],
  'read past': ['READ_PAST_RECORDING', 'passed', 'passed'],
  'one call id twice': ['CALL_ID_REPEATED', 'CALL_ID_REPEATED', 'passed'],
  'a turn for a fold': 'WRONG_KIND',
  'a fold for a turn': 'WRONG_KIND',
  'a fold for a failed call': 'WRONG_KIND',
  'a fold with another prompt': ['DIVERGED', 'DIVERGED', 'passed'],
  'a fold with another limit': ['DIVERGED', 'DIVERGED', 'passed'],
  'a fold sent again': 'EXHAUSTED',
  'a tool for a call': 'WRONG_KIND',
  'a model call for a tool': ['WRONG_KIND', 'WRONG_KIND', 'passed'],
  polling: ['DIVERGED', 'passed', 'DIVERGED'],
  'another query': ['DIVERGED', 'DIVERGED', 'passed'],
  'another address': 'DIVERGED',
  'tools run where nothing fits': ['DIVERGED', 'DIVERGED', 'passed'],
  'a tool that runs stays off the network': ['DIVERGED', 'DIVERGED', 'LIVE_IN_REPLAY'],
  'calls in their place': ['DIVERGED', 'DIVERGED', 'passed'],
  'an embedding is no turn': ['DIVERGED', 'DIVERGED', 'passed'],
  'a listener that throws': 'AssertionError: as the listener wants it: expected 1 to be 2 // Object.is equality',
  'what listeners see': 'passed',
  'a refused call is seen': ['DIVERGED', 'DIVERGED', 'passed'],
}

const expectedOf = (at: 0 | 1 | 2) =>
  Object.fromEntries(Object.entries(outcomes).map(([name, of]) => [name, typeof of === 'string' ? of : of[at]]))

const withWholeMessage = [
  ...['unverifiable', 'substituted', 'incomplete', 'one call id twice', 'a turn for a fold', 'a fold for a turn'],
  ...['a fold for a failed call', 'a fold with another limit', 'a fold sent again', 'a tool for a call'],
  ...['a model call for a tool', 'polling'],
]

test('LR-06 LR-10 AR-01 AR-02 AR-03 AR-05 AR-06 AR-20 AR-22 AR-24 AR-26 each way off the recording has an error of its own, what allows it says so, and lenient replay serves in place', async () => {
  project = createLifeProject(model, { 'test/strict.test.js': file })
  const recording = await project.run([], { env: { PHASE: 'record' } })
  expect(recording.code, recording.output).toBe(0)
  mark('unverifiable', ([, second]) => {
    second.unverifiable = 'the log leaves out what the tools were told'
  })
  mark('substituted', ([, second]) => {
    second.substituted = 'the container was made anew from the same image'
  })
  mark('incomplete', ([, second]) => {
    second.incomplete = 'the log ends in the middle of the answer'
  })
  mark('one call id twice', ([, second]) => {
    second.callId = 'call_0'
  })
  await model.reset()

  const strict = await project.run([], { env: { CI: '1', PHASE: 'strict' } })
  expect(codes(strict), strict.output).toEqual(expectedOf(0))
  expect([notes(), JSON.parse(project.project.read('seen.json'))]).toEqual([{}, [[1, false, 'refused']]])
  for (const name of withWholeMessage) expect(strict.tests[name]?.errors[0]).toMatchSnapshot(name)

  const allowed = await project.run([], { env: { CI: '1', PHASE: 'allowed' } })
  expect(codes(allowed), allowed.output).toEqual(expectedOf(1))
  expect(notes()).toEqual({
    unused: ['1 call not asked for (allow.unused): turn 2'],
    unverifiable: ['1 call not checked, nothing to compare with (allow.unhashed): turn 2'],
    substituted: ['the workspace changes (allow.substitution): turn 2'],
    incomplete: ['1 call not complete (allow.incomplete): turn 2'],
    'read past': ['1 call read past the recording (allow.incomplete): turn 1'],
    polling: ['2 calls served again (allow.repeatedGets): interaction 2'],
  })

  const lenient = await project.run([], { env: { CI: '1', PHASE: 'lenient' } })
  expect(codes(lenient), lenient.output).toEqual(expectedOf(2))
  const inPlace = (calls: string, places: string) => `${calls} not checked, served in place (strict: false): ${places}`
  expect(notes()).toEqual({
    changed: [inPlace('1 call', 'turn 1')],
    unused: ['1 call not asked for (strict: false): turn 2'],
    'out of order': [inPlace('2 calls', 'turn 1, turn 2')],
    unverifiable: ['1 call not checked, nothing to compare with (strict: false): turn 2'],
    substituted: ['the workspace changes (strict: false): turn 2'],
    incomplete: ['1 call not complete (strict: false): turn 2'],
    'read past': ['1 call read past the recording (strict: false): turn 1'],
    'a fold with another prompt': [inPlace('1 call', 'turn 1')],
    'a fold with another limit': [inPlace('1 call', 'turn 1')],
    'a model call for a tool': [inPlace('1 call', 'turn 1'), '1 call not asked for (strict: false): tool weather'],
    'another query': [inPlace('1 call', 'interaction 1')],
    'tools run where nothing fits': [
      '1 tool call ran for real, no recorded result fits (strict: false): weather',
      '1 call not asked for (strict: false): tool weather',
    ],
    'calls in their place': [inPlace('1 call', 'call rate')],
    'an embedding is no turn': [inPlace('2 calls', 'turn 1, interaction 1')],
    'a refused call is seen': [inPlace('1 call', 'turn 1')],
  })
  expect(await model.count()).toBe(0)
})

test('update calls live where replay would refuse the cassette, rebase heals what nothing could be compared with', async () => {
  project = createLifeProject(model, { 'test/marks.test.js': marks })
  const recording = await project.run()
  expect(recording.code, recording.output).toBe(0)
  const paths = ['unverifiable', 'substituted', 'incomplete'].map((name) => `cassettes/test/marks.test/${name}.json`)
  const marked = paths.map((path) => {
    const cassette = JSON.parse(project.project.read(path))
    cassette.interactions[1][path.split(/[/.]/).at(-2) as string] = 'an import says so'
    return [path, `${JSON.stringify(cassette, null, 2)}\n`] as const
  })
  project.project.write(Object.fromEntries(marked))
  await model.reset()
  const rebase = await project.run(['-t', 'unverifiable'], { env: { TURNTAPE_MODE: 'rebase' } })
  expect([rebase.report[0], rebase.code], rebase.output).toEqual(['Cassettes  1 rebased', 0])
  expect([await model.count(), project.project.read(paths[0] as string).includes('an import')]).toEqual([0, false])

  project.project.write(Object.fromEntries(marked))
  const update = await project.run(['-u'])
  expect([update.report[0], update.code], update.output).toEqual(['Cassettes  3 updated', 0])
  const asked = (await model.log()).map(({ body }) => body.messages[0].content)
  expect(asked).toEqual(['two', 'three', 'two', 'three', 'two', 'three'])
  const replay = await project.run([], { env: { CI: '1' } })
  expect(replay.report[0], replay.output).toBe('Cassettes  3 replayed')
})

const marks = `
import { test } from 'turntape/vitest'
import { ask } from '../client.js'
for (const name of ['unverifiable', 'substituted', 'incomplete']) {
  test(name, async () => { for (const question of ['one', 'two', 'three']) await ask(question) })
}
`

test('AS-09 AR-27 results that share an id and arguments at the same time are not written, since nothing would tell them apart', async () => {
  project = createLifeProject(model, {
    'test/ids.test.js': `
import { expect } from 'vitest'
import { test } from 'turntape/vitest'
let rolled = 0
const roll = async (tape, ids, inputs = [{}, {}]) => {
  const tools = tape.tools({ roll: { inputSchema: {}, execute: async () => { await null; return ++rolled } } })
  return Promise.all(ids.map((toolCallId, at) => tools.roll.execute(inputs[at], { toolCallId, messages: [] })))
}
test('one id', async ({ tape }) => { await roll(tape, ['call_0', 'call_0']) })
test('one id, other arguments', async ({ tape }) => { await roll(tape, ['call_0', 'call_0'], [{ sides: 6 }, { sides: 20 }]) })
test('no id', async ({ tape }) => { await roll(tape, ['', '']) })
test('an id each turn', async ({ tape }) => { await roll(tape, ['call_0']); await roll(tape, ['call_0']) })
test('an empty id says nothing', async ({ tape }) => { await roll(tape, [''], [{ sides: process.env.CI ? 8 : 6 }]) })
`,
  })
  const recording = await project.run()
  expect(codes(recording), recording.output).toEqual({
    'one id': 'CALL_ID_REPEATED',
    'one id, other arguments': 'passed',
    'no id': 'passed',
    'an id each turn': 'passed',
    'an empty id says nothing': 'passed',
  })
  expect(project.project.cassettes()).toHaveLength(4)
  expect(recording.tests['one id']?.errors[0]).toMatchSnapshot('when recorded')
  const replay = await project.run(['-t', '^(?!one id$)'], { env: { CI: '1' } })
  const { 'one id': _pending, ...others } = codes(replay)
  expect(others, replay.output).toEqual({
    'one id, other arguments': 'passed',
    'no id': 'passed',
    'an id each turn': 'passed',
    'an empty id says nothing': 'DIVERGED',
  })
})
