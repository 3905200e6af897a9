import { beforeAll, expect, test } from 'vitest'
import { type Model, startModel } from '../life/model.ts'
import { createRunnerProject } from '../runners/runner-project.ts'

let model: Model
beforeAll(async () => {
  model = await startModel()
})

const file = `
const { replay, test: taped } = require('turntape/jest')
const replays = process.env.CI !== undefined

async function show(screen, text) {
  const body = JSON.stringify({ model: 'small', stream: true, messages: [{ role: 'user', content: text }] })
  const headers = { 'content-type': 'application/json', authorization: 'Bearer x' }
  const url = process.env.MODEL_URL + '/with/words=40,gap=4,wait=30/v1/chat/completions'
  const response = await fetch(url, { method: 'POST', headers, body })
  for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
    for (const event of chunk.split('\\n\\n')) {
      if (event.startsWith('data: {')) screen.text += JSON.parse(event.slice(6)).choices[0].delta.content ?? ''
    }
  }
  screen.ready = true
}

taped('stands in the middle of a stream', async ({ tape }) => {
  const screen = { text: '', ready: false }
  const s = tape.hold()
  const shown = show(screen, 'half')
  const step = await s.next('text', 3)
  expect(screen).toStrictEqual({ text: step.text, ready: false })
  expect(step.parts.filter(({ kind }) => kind === 'text')).toHaveLength(step.count)
  expect({ ...step, parts: [] }).toStrictEqual({ parts: [], text: step.text, count: step.count, reached: true, done: false })
  s.release()
  await shown
  expect(screen.ready).toBe(true)
})
taped('steps under fake timers', async ({ tape }) => {
  if (replays) jest.useFakeTimers()
  const screen = { text: '', ready: false }
  const s = tape.hold()
  const shown = show(screen, 'faked')
  const { text } = await s.next('text')
  expect(screen.text).toBe(text)
  s.release()
  await shown
  jest.useRealTimers()
})
replay(taped, { cadence: { maxGapMs: 2 } })('is spaced in time under fake timers', async ({ tape }) => {
  if (replays) jest.useFakeTimers()
  const screen = { text: '', ready: false }
  await show(screen, 'spaced')
  expect(screen.ready).toBe(true)
  jest.useRealTimers()
})
`

test('hold and cadence record in one go and replay the same in Jest', async () => {
  const project = await createRunnerProject({ name: 'jest', version: '30.5.2', form: 'cjs' }, process.versions.node)
  if ('missing' in project) throw new Error(project.missing)
  project.write({
    'jest.config.json': JSON.stringify({ preset: 'turntape/jest', transform: {} }),
    'test/hold.test.js': file,
  })
  const env = { MODEL_URL: model.url }
  const recorded = await project.run([], env)
  expect([recorded.code, recorded.counts], recorded.output).toEqual([0, '3 written'])
  await model.reset()
  const replayed = await project.run([], { ...env, CI: '1' })
  expect([replayed.code, replayed.counts], replayed.output).toEqual([0, '3 replayed'])
  expect(replayed.notes.join('\n')).toMatch(
    /cadence: \d+ gaps were longer than maxGapMs: 2, \d+ ms of recorded time left out/,
  )
  expect(await model.count()).toBe(0)
})
