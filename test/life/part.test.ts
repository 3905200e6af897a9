/** Parts of a cassette by turn: `from` and `upTo`, replayed, forked, recorded anew and rebased. */
import { beforeAll, expect, test } from 'vitest'
import { createLifeProject, type LifeProject, type LifeRun } from './life-project.ts'
import { type Model, startModel } from './model.ts'

let model: Model
beforeAll(async () => {
  model = await startModel()
})

// Four turns that repeat the whole conversation; the first one asks for a tool. A run may start at a later turn with a
// history of its own, whose ids it made up.
const agent = `
import { post } from './client.js'
const questions = ['one', 'two', 'three', 'four']
const tools = [{ type: 'function', function: { name: 'look', parameters: { type: 'object' } } }]

function historyBefore(turn, id) {
  const asked = { role: 'assistant', content: null, tool_calls: [{ id, type: 'function', function: { name: 'look', arguments: '{"step":1}' } }] }
  const first = [{ role: 'user', content: 'one' }, asked, { role: 'tool', tool_call_id: id, content: 'seen 1' }]
  const later = questions.slice(1, turn - 1).flatMap((text) => [{ role: 'user', content: text }, { role: 'assistant', content: 'answer to: ' + text }])
  return turn === 1 ? [] : [...first, ...later]
}

/** Runs turns first to last; changed ones ask something else. */
export async function converse(tape, { first = 1, last = 4, changed = [], id = 'mine_1' } = {}) {
  const messages = historyBefore(first, id)
  const note = tape.tool('note', async (turn) => 'noted ' + turn)
  const answers = []
  for (let turn = first; turn <= last; turn++) {
    messages.push({ role: 'user', content: questions[turn - 1] + (changed.includes(turn) ? ' changed' : '') })
    const response = await post(messages, { temperature: turn / 10, ...(turn === 1 ? { tools } : {}) })
    if (!response.ok) throw new Error('the model answered ' + response.status)
    const { message } = (await response.json()).choices[0]
    const call = message.tool_calls?.[0]
    answers.push(call ? call.function.name : message.content)
    messages.push(call ? { role: 'assistant', content: null, tool_calls: [call] } : { role: 'assistant', content: message.content })
    if (call) messages.push({ role: 'tool', tool_call_id: call.id, content: 'seen 1' })
    await note(turn)
  }
  return answers
}
`

const recordFile = `
import { test as plain } from 'vitest'
import { replay } from 'turntape/vitest'
import { converse } from '../agent.js'
replay(plain, { path: 'cassettes/trip.json' })('trip', async ({ tape }) => { await converse(tape) })
`

const replayFile = `
import { expect, test as plain } from 'vitest'
import { replay } from 'turntape/vitest'
import { converse } from '../agent.js'
const test = (name, part, body) => replay(plain, { path: 'cassettes/trip.json', ...part })(name, body)

test('from 3', { from: 3 }, async ({ tape }) => {
  const seen = []
  tape.onServed(({ number, turn, by }) => seen.push([number, turn, by]))
  expect(tape.applyRecordedSettings({ model: 'small', messages: [] }).tools).toBe(undefined)
  expect(await converse(tape, { first: 3 })).toEqual(['answer to: three', 'answer to: four'])
  expect(seen).toEqual([[5, 3, 'normalised'], [6, 3, 'hash'], [7, 4, 'normalised'], [8, 4, 'hash']])
  expect([tape.turns.length, tape.recorded.length]).toEqual([2, 4])
  expect([1, 3, 4, 5].map((turn) => tape.settingsAt(turn)?.temperature)).toEqual([0.1, 0.3, 0.4, undefined])
})
test('from 2 with the ids of the recording', { from: 2 }, async ({ tape }) => {
  expect(await converse(tape, { first: 2, id: 'call_1' })).toHaveLength(3)
})
test('from 2 to 3', { from: 2, upTo: 3 }, async ({ tape }) => { expect(await converse(tape, { first: 2, last: 3 })).toHaveLength(2) })
test('up to 2', { upTo: 2 }, async ({ tape }) => { expect(await converse(tape, { last: 2 })).toEqual(['look', 'answer to: two']) })
test('up to the last', { upTo: 4 }, async ({ tape }) => { expect(await converse(tape)).toHaveLength(4) })
test('no further than up to 2', { upTo: 2 }, async ({ tape }) => { await converse(tape, { last: 3 }).catch(() => {}) })
test('a tool before the point', { from: 2 }, async ({ tape }) => { await tape.tool('note', async () => 'live')(1) })
test('a call before the point', { from: 2 }, async ({ tape }) => { await converse(tape, { last: 1 }).catch(() => {}) })
test('unused in the part', { from: 2, upTo: 3 }, async ({ tape }) => { await converse(tape, { first: 2, last: 2 }) })
test('a changed turn in the part', { from: 3 }, async ({ tape }) => { await converse(tape, { first: 3, changed: [4] }).catch(() => {}) })
test('from past the end', { from: 5 }, async ({ tape }) => { await converse(tape, { first: 3 }).catch(() => {}) })
test('up to past the end', { upTo: 9 }, async () => {})
test('up to past the end, with a call', { upTo: 9 }, async ({ tape }) => { await converse(tape).catch(() => {}) })
test('of no cassette', { from: 2, path: 'cassettes/none.json' }, async ({ tape }) => { await converse(tape, { first: 2 }).catch(() => {}) })
`

const forkFile = `
import { expect, test as plain } from 'vitest'
import { replay } from 'turntape/vitest'
import { converse } from '../agent.js'
const test = (name, part, body) => replay(plain, part)(name, body)
const rebases = process.env.REBASE !== undefined
const changed = process.env.CHANGED === undefined ? [] : rebases ? [4] : [3, 4]

test('fork', { upTo: process.env.WHOLE ? undefined : rebases ? 3 : 2, path: 'cassettes/fork.json' }, async ({ tape }) => {
  if (rebases) return expect(await converse(tape, { last: 3, changed: [2] })).toHaveLength(3)
  expect(await converse(tape, { changed })).toHaveLength(4)
})
test('tail', { from: 3, path: 'cassettes/tail.json' }, async ({ tape }) => {
  expect(await converse(tape, { first: 3, changed: changed.slice(-1) })).toHaveLength(2)
})
test('part only', { upTo: 2, path: 'cassettes/part.json' }, async ({ tape }) => { expect(await converse(tape, { last: 2 })).toHaveLength(2) })
`

function firstLines({ tests }: LifeRun): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(tests).map(([name, { status, errors }]) => [name, errors[0]?.split('\n')[0] ?? status]),
  )
}

/** The lines of the interactions, one text each, of a cassette as it stands. */
function blocks(text: string): readonly string[] {
  return text.split(/(?<=\n)(?= {4}\{\n {6}"number")/).slice(1)
}

async function recorded(): Promise<LifeProject & { readonly trip: string }> {
  const life = createLifeProject(model, { 'agent.js': agent, 'test/record.test.js': recordFile })
  const recording = await life.run()
  expect(recording.code, recording.output).toBe(0)
  await model.reset()
  return { ...life, trip: life.project.read('cassettes/trip.json') }
}

const asked = async (): Promise<readonly string[]> =>
  (await model.log()).map(({ body }) => body.messages.at(-1).content)

test('CU-13 AR-14 AR-30 CU-03 a part is replayed by turn: what lies around it is neither served nor unused, and an unknown point is an error', async () => {
  const { project, run, trip } = await recorded()
  project.write({ 'test/replay.test.js': replayFile })
  const replay = await run(['replay'])
  const unknown = (option: string) => `ReplayError: There is no turn ${option} [TURNTAPE_UNKNOWN_POINT]`
  expect(firstLines(replay), replay.output).toEqual({
    'from 3': 'passed',
    'from 2 with the ids of the recording': 'passed',
    'from 2 to 3': 'passed',
    'up to 2': 'passed',
    'up to the last': 'passed',
    'no further than up to 2':
      'DivergenceError: Turn 3 was made after turn 2, up to which this test replays [TURNTAPE_EXHAUSTED]',
    'a tool before the point':
      'DivergenceError: Tool note was made where the recording has a model call, at turn 2 [TURNTAPE_WRONG_KIND]',
    'a call before the point':
      'DivergenceError: Turn 2 is not as recorded: temperature changed, and 4 more [TURNTAPE_DIVERGED]',
    'unused in the part': 'ReplayError: 2 recorded calls were not made: "unused in the part" [TURNTAPE_UNUSED]',
    'a changed turn in the part':
      'DivergenceError: Turn 4 is not as recorded: messages[7].content changed [TURNTAPE_DIVERGED]',
    'from past the end': unknown('5 to replay from: the cassette has 4 turns'),
    'up to past the end': unknown('9 to replay up to: the cassette has 4 turns'),
    'up to past the end, with a call': unknown('9 to replay up to: the cassette has 4 turns'),
    'of no cassette': unknown('2 to replay from: there is no cassette yet'),
  })
  expect(replay.tests['no further than up to 2']?.errors[0]).toMatchInlineSnapshot(`
    "DivergenceError: Turn 3 was made after turn 2, up to which this test replays [TURNTAPE_EXHAUSTED]

    test        no further than up to 2
    cassette    cassettes/trip.json
    request     POST http://localhost/v1/chat/completions (small), turn 3 of 4
    nearest     interaction 3 (turn 2, already played); recorded f58ffe89, sent 9b15f994

    against interaction 3 (- recorded, + this run)
    settings    temperature
      - 0.2
      + 0.3
    messages    messages[4] added (assistant message)
      + {"role":"assistant","content":"answer to: two"}
    messages    messages[5] added (user message)
      + {"role":"user","content":"three"}

    If the run is to go on, replay more turns:
      upTo: 3
    If the call is intended, record from here on (what matched costs nothing):
      npx vitest run "test/replay.test.js" -t "no further than up to 2" -u
    Or the whole test:
      npx turntape record "test/replay.test.js > no further than up to 2""
  `)
  expect(replay.tests['from past the end']?.errors[0]).toMatchInlineSnapshot(`
    "ReplayError: There is no turn 5 to replay from: the cassette has 4 turns [TURNTAPE_UNKNOWN_POINT]

    test        from past the end
    cassette    cassettes/trip.json
    option      from: 5

    Turns are counted from 1, over all lanes.

    To see them:  npx turntape show "cassettes/trip.json""
  `)
  expect([await asked(), project.cassettes()]).toEqual([[], ['trip.json']])
  expect(project.read('cassettes/trip.json')).toBe(trip)
})

test('CU-22 CU-23 CU-24 upTo is where update goes live, and from where record and update begin: turns before the point keep their lines', async () => {
  const { project, run, trip } = await recorded()
  const names = ['fork', 'tail', 'part']
  const restore = (): void => project.write(Object.fromEntries(names.map((name) => [`cassettes/${name}.json`, trip])))
  const read = (): readonly string[] => names.map((name) => project.read(`cassettes/${name}.json`))
  project.write({ 'test/fork.test.js': forkFile })
  restore()

  const unchanged = await run(['fork', '-u'])
  expect(unchanged.report[0], unchanged.output).toBe('Cassettes  1 unchanged | 2 replayed')
  expect([await asked(), read()]).toEqual([
    ['three', 'four'],
    [trip, trip, trip],
  ])

  await model.reset()
  const update = await run(['fork', '-u'], { env: { CHANGED: '1' } })
  expect(update.report[0], update.output).toBe('Cassettes  2 updated | 1 replayed')
  expect(await asked()).toEqual(['three changed', 'four changed', 'four changed'])
  const [fork, tail, part] = read().map(blocks)
  const before = blocks(trip)
  expect([fork?.length, fork?.slice(0, 4)]).toEqual([8, before.slice(0, 4)])
  expect([tail?.length, tail?.slice(0, 6)]).toEqual([8, before.slice(0, 6)])
  expect(part).toEqual(before)
  const replayed = await run(['fork'], { env: { CI: '1', CHANGED: '1', WHOLE: '1' } })
  expect(replayed.report[0], replayed.output).toBe('Cassettes  3 replayed')

  restore()
  const rebased = await run(['fork'], { env: { TURNTAPE_MODE: 'rebase', CHANGED: '1', REBASE: '1' } })
  expect(rebased.report.slice(0, 1), rebased.output).toEqual(['Cassettes  2 rebased | 1 replayed'])
  expect(read().map((text) => blocks(text).length)).toEqual([8, 8, 8])
  expect(read()[1]).toContain('four changed')

  restore()
  await model.reset()
  const recording = await run(['fork', '-t', 'tail'], { env: { TURNTAPE_MODE: 'record', CHANGED: '1' } })
  expect(recording.report[0], recording.output).toBe('Cassettes  1 updated')
  expect(await asked()).toEqual(['three', 'four changed'])
  expect(blocks(project.read('cassettes/tail.json')).slice(0, 6)).toEqual(before.slice(0, 6))
})
