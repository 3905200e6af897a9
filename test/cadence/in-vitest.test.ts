import { beforeAll, expect, test } from 'vitest'
import { createLifeProject } from '../life/life-project.ts'
import { type Model, startModel } from '../life/model.ts'
import { chatComponent, chatTest } from './chat-component.ts'

let model: Model

// How many words a live chunk brings is the network's: so the tests compare with what the step says came.
const holdTest = `
import { expect, vi } from 'vitest'
import { test } from 'turntape/vitest'
import { post } from '../client.js'
const replays = process.env.CI !== undefined
const whole = 'word '.repeat(40).trimEnd()

/** A reader that shows what it has: the half-built answer. */
async function show(screen, text, init) {
  const response = await post([{ role: 'user', content: text }], { stream: true, switches: 'words=40,gap=4' }, init)
  for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
    for (const event of chunk.split('\\n\\n')) {
      if (event.startsWith('data: {')) screen.text += JSON.parse(event.slice(6)).choices[0].delta.content ?? ''
    }
  }
  screen.state = 'ready'
}
const emptyScreen = () => ({ text: '', state: 'writing' })

test('steps', async ({ tape }) => {
  const screen = emptyScreen()
  const s = tape.hold()
  const shown = show(screen, 'steps')
  const first = await s.next('text', 3)
  expect(first).toMatchObject({ reached: true, done: false })
  expect(first.text).toMatch(/^(word ){3,}$/)
  expect(screen).toEqual({ text: first.text, state: 'writing' })
  const second = await s.next('text')
  expect(second.text.length).toBeGreaterThan(first.text.length)
  expect(screen).toEqual({ text: second.text, state: 'writing' })
  s.release()
  await shown
  expect(screen).toEqual({ text: whole, state: 'ready' })
})
test('to the end', async ({ tape }) => {
  const screen = emptyScreen()
  const s = tape.hold()
  const shown = show(screen, 'to the end')
  const parts = []
  for (let step = await s.next(); ; step = await s.next()) {
    parts.push(...step.parts)
    expect(screen.text).toBe(step.text)
    if (step.done) break
  }
  await shown
  expect(screen).toEqual({ text: whole, state: 'ready' })
  expect(parts.filter(({ kind }) => kind === 'text')).toHaveLength(40)
  expect(parts.at(-1)).toEqual({ kind: 'marker', text: '', type: '[DONE]' })
})
test('fake timers', async ({ tape }) => {
  if (replays) vi.useFakeTimers()
  const screen = emptyScreen()
  const s = tape.hold()
  const shown = show(screen, 'fake timers')
  const { text } = await s.next('text', 2)
  expect(screen.text).toBe(text)
  s.release()
  await shown
  vi.useRealTimers()
})
test('stop button', async ({ tape }) => {
  const screen = emptyScreen()
  const controller = new AbortController()
  const s = tape.hold()
  const shown = show(screen, 'stop', { signal: controller.signal })
  const { text } = await s.next('text', 2)
  controller.abort()
  await expect(shown).rejects.toThrow('aborted')
  expect(await s.next('text')).toMatchObject({ text, done: true, reached: false })
  expect(screen).toEqual({ text, state: 'writing' })
})
test('lanes', async ({ tape }) => {
  const [left, right] = [emptyScreen(), emptyScreen()]
  const s = tape.hold('left')
  const shown = tape.lane('left', () => show(left, 'left'))
  await tape.lane('right', () => show(right, 'right'))
  expect([left.text, right.text]).toEqual(['', whole])
  const { text } = await s.next('text')
  expect(left.text).toBe(text)
  s.release()
  await shown
})
test('iterable', async ({ tape }) => {
  const got = []
  const s = tape.hold()
  const parts = tape.call('model', 'hello', async function* () {
    yield { type: 'text-delta', delta: 'Ber' }
    yield { type: 'tool-input-delta', delta: '{}' }
    yield { type: 'text-delta', delta: 'lin' }
    yield { type: 'finish' }
  })
  const read = (async () => { for await (const part of parts) got.push(part.delta) })()
  expect(await s.next('text', 2)).toMatchObject({ text: 'Berlin', count: 2, done: false })
  expect(got).toEqual(['Ber', '{}', 'lin'])
  expect(await s.next('finish')).toMatchObject({ reached: true, done: false })
  expect(await s.next()).toMatchObject({ done: true })
  await read
})
test('forgotten release', async ({ tape }) => {
  const screen = emptyScreen()
  void show(screen, 'forgotten')
  const { text } = await tape.hold().next('text')
  expect(screen.text).toBe(text)
})
test('refused', async ({ tape }) => {
  const s = tape.hold()
  const shown = show(emptyScreen(), replays ? 'another question' : 'refused').catch(() => {})
  await s.next('text')
  s.release()
  await shown
})
test('unmet', async ({ tape }) => {
  if (replays) tape.hold('nobody').next('text', 3)
  await show(emptyScreen(), 'unmet')
})
`

const cadenceTest = `
import { afterAll, describe, expect, vi } from 'vitest'
import { replay, test as plain, useReplay } from 'turntape/vitest'
import { setTimeout as delay } from 'node:timers/promises'
import { askStreamed } from '../client.js'
const test = replay(plain, { cadence: { maxGapMs: 4 } })

test('compressed', async ({ tape }) => {
  if (process.env.CI !== undefined) vi.useFakeTimers()
  expect(await askStreamed('compressed', { switches: 'words=3,gap=60,wait=80' })).toBe('word word word')
  vi.useRealTimers()
})
test('values', async ({ tape }) => {
  const slow = tape.tool('slow', async () => { await delay(50); return 'slow' })
  const numbers = tape.call('numbers', null, async function* () { yield 1; await delay(40); yield 2; throw new Error('three') })
  expect(await slow()).toBe('slow')
  const got = []
  await expect((async () => { for await (const number of numbers) got.push(number) })()).rejects.toThrow('three')
  expect(got).toEqual([1, 2])
})
plain('instant', async ({ tape }) => {
  expect(await askStreamed('instant', { switches: 'words=3,gap=20' })).toBe('word word word')
})
describe('an endless wait', () => {
  useReplay({ cadence: { maxGapMs: Infinity, speed: 0.00001 } })
  let answer
  plain('does not outlast its test', async () => {
    answer = askStreamed('endless', { switches: 'words=3,gap=5' })
    if (process.env.CI === undefined) await answer
  })
  afterAll(async () => { expect(await answer).toBe('word word word') })
})
`

beforeAll(async () => {
  model = await startModel()
})

test('hold and cadence record in one go and replay the same in CI, without the model', async () => {
  const { run, project, statuses } = createLifeProject(model, {
    'test/hold.test.js': holdTest,
    'test/cadence.test.js': cadenceTest,
    'test/chat.test.js': chatTest,
    'src/chat.js': chatComponent,
  })
  const recording = await run()
  expect(Object.values(statuses(recording)), recording.output).toEqual(Array.from({ length: 14 }, () => 'passed'))
  expect(recording.report[0], recording.output).toBe('Cassettes  14 written')
  expect(recording.output).toContain(
    'hold(): 1 stream was still held when the test ended; release() lets the rest through',
  )
  const [numbers, slow] = JSON.parse(project.read('cassettes/test/cadence.test/values.json')).interactions
  expect(slow.timing.headMs).toBeGreaterThan(40)
  expect(numbers.result).toMatchObject({ elements: [1, 2], error: { message: 'three' } })
  expect(numbers.result.gapsMs[1]).toBeGreaterThan(30)

  await model.reset()
  const replay = await run([], { env: { CI: '1' } })
  expect(await model.count(), replay.output).toBe(0)
  const { refused, unmet, ...others } = statuses(replay)
  expect([refused, unmet], replay.output).toEqual(['failed', 'failed'])
  expect(new Set(Object.values(others)), replay.output).toEqual(new Set(['passed']))
  expect(replay.tests.refused?.errors[0]).toContain('+ "another question"')
  expect(replay.tests.unmet?.errors).toMatchInlineSnapshot(`
    [
      "ReplayError: The test ended while hold().next() still waited for 3 parts of kind "text" [TURNTAPE_STEP_UNMET]

    test        unmet
    lane        "nobody"
    came        0
    streams     none began

    No answer of a model was streamed in this lane after hold() was called. Start the call first,
    without awaiting its end.",
    ]
  `)
  // How many there are, and how long, is the recording's.
  const notes = replay.report.filter((line) => line.includes('cadence: '))
  expect(notes.map((line) => line.replace(/\d+ gaps/, '… gaps').replace(/\d+ ms/, '… ms'))).toMatchInlineSnapshot(`
    [
      "cassettes/test/cadence.test/compressed.json: cadence: … gaps were longer than maxGapMs: 4, … ms of recorded time left out",
      "cassettes/test/cadence.test/values.json: cadence: … gaps were longer than maxGapMs: 4, … ms of recorded time left out",
    ]
  `)
})
