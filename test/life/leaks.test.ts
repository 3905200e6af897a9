/**
 * What tests leave behind when they end: calls to come, telemetry, open and unread answers, timers. No run hangs on it, and
 * no test after them sees any of it. Under Vitest and Jest.
 */
import { beforeAll, expect, test } from 'vitest'
import { createReportProject, runnerNames } from '../runners/report-project.ts'
import { type Model, startModel } from './model.ts'

let model: Model
beforeAll(async () => {
  model = await startModel()
})

const source = `import { expect, plain, replay, test } from '../runner.js'
import { setTimeout as delay } from 'node:timers/promises'

const post = (text, { path = '', signal, ...settings } = {}) => fetch(process.env.MODEL_URL + path + '/v1/chat/completions', {
  method: 'POST',
  headers: { 'content-type': 'application/json', authorization: 'Bearer x' },
  body: JSON.stringify({ model: 'small', messages: [{ role: 'user', content: text }], ...settings }),
  signal,
})
const answer = async (text) => (await (await post(text)).json()).choices[0].message.content

/** Followed by a test that must see only what is its own. */
const leaving = (name, leave, kind = test) => {
  kind(name, leave)
  test('after it: ' + name, async ({ tape }) => {
    expect(await answer('after ' + name)).toBe('answer to: after ' + name)
    await delay(30)
    expect(await answer('again after ' + name)).toBe('answer to: again after ' + name)
    expect(tape.interactions).toHaveLength(2)
  })
}

const open = new Set()
const held = (thing) => open.add(thing)
const resources = () => process.getActiveResourcesInfo().filter((name) => name !== 'TTYWrap' && name !== 'PipeWrap').sort()
let before
plain('before all', async () => {
  await delay(50)
  before = resources()
})

leaving('a call to come', async () => {
  await answer('one')
  // Refused in replay, which fails the run: another test's business.
  if (!process.env.CI) setTimeout(() => post('late').then((response) => response.text()).catch(() => {}), 10)
})
leaving('a call under way, never awaited', async () => {
  await answer('two')
  post('forgotten').then((response) => response.text()).catch(() => {})
})
leaving('telemetry', async () => {
  await answer('three')
  for (let call = 0; call < 20; call++) post('span ' + call, { path: '/with/telemetry=1' }).catch(() => {})
}, replay(plain, { ignore: ({ url }) => url.includes('telemetry') }))
leaving('an unread body', async () => {
  await answer('four')
  held(await post('unread'))
  held(await post('unread, streamed', { stream: true }))
})
leaving('an aborted stream', async () => {
  await answer('five')
  const control = new AbortController()
  const reader = (await post('one two three', { stream: true, signal: control.signal })).body.getReader()
  await reader.read()
  control.abort()
  await reader.read().catch(() => {})
})
leaving('a cancelled stream', async () => {
  await answer('six')
  const reader = (await post('one two three', { stream: true })).body.getReader()
  await reader.read()
  await reader.cancel()
})
leaving('a half read stream', async () => {
  await answer('seven')
  const reader = (await post('one two three', { stream: true })).body.getReader()
  held(reader)
  await reader.read()
  await delay(30)
})
leaving('a stream under hold', async ({ tape }) => {
  await answer('eight')
  if (process.env.CI) tape.hold()
  const response = await post('one two three', { stream: true })
  held(response.body.getReader().read().catch(() => {}))
  await delay(30)
})
leaving('a timer of its own', async () => {
  await answer('nine')
  setTimeout(() => {}, 20)
})

plain('after all', async () => {
  await delay(100)
  // The runner has a timer of its own, at times.
  const more = [...before, 'Timeout']
  const left = resources().filter((name) => {
    const at = more.indexOf(name)
    if (at !== -1) more.splice(at, 1)
    return at === -1
  })
  // While recording the client keeps its connections.
  if (process.env.CI) expect(left).toEqual([])
})
`

test.for(runnerNames)('%s: no run hangs on what its tests leave open, and no test sees it', async (runner) => {
  const { project, run } = await createReportProject(runner, { model, files: { 'test/leaving.test.js': source } })
  const recorded = await run()
  expect(recorded.code, recorded.output).toBe(0)
  const late = 'A call started after its test had ended: "a call to come" [TURNTAPE_LATE_CALL]:'
  const request = `POST ${model.url}/v1/chat/completions`
  expect(recorded.counts).toBe('18 written')
  expect(recorded.notes).toEqual([`${late} ${request}, not stored, replay will refuse it`])

  await model.reset()
  const handles = runner === 'Jest' ? ['--detectOpenHandles'] : []
  const replayed = await run(handles, { CI: '1' })
  expect(replayed.output).not.toMatch(/open handle|did not exit|Unhandled|hanging/i)
  expect(replayed.code, replayed.output).toBe(0)
  const stillHeld = 'hold(): 1 stream was still held when the test ended; release() lets the rest through'
  expect(replayed.counts).toBe('18 replayed')
  expect(replayed.notes).toEqual([`cassettes/test/leaving.test/a-stream-under-hold.json: ${stillHeld}`])
  expect(await model.count()).toBe(0)
  expect(project.pending()).toEqual([])
})
