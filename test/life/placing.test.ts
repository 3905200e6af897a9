import { beforeAll, describe, expect, test } from 'vitest'
import { createLifeProject } from './life-project.ts'
import { type Model, startModel } from './model.ts'

let model: Model
beforeAll(async () => {
  model = await startModel()
})

const imports = `
import http from 'node:http'
import net from 'node:net'
import { afterAll, beforeAll, describe, expect, test as plain, vi } from 'vitest'
import { replay, test, useReplay } from 'turntape/vitest'
import { ask, askStreamed, post } from '../client.js'
const swallow = () => {}
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
`

/** A project of one file; `go` gives errors by test (first lines), the report and the questions that went live. */
function projectOf(body: string, files: Readonly<Record<string, string>> = {}) {
  const life = createLifeProject(model, { 'test/place.test.js': imports + body, ...files })
  return {
    ...life,
    async go(env: Readonly<Record<string, string>> = {}, args: readonly string[] = []) {
      await model.reset()
      const result = await life.run(args, { env })
      const live = (await model.log()).map(({ path, body: sent }) => (sent.messages?.[0].content as string) ?? path)
      return { ...result, statuses: life.statuses(result), live }
    },
  }
}

describe('a call that started after its test had ended', () => {
  const body = `
plain.sequential('leaves one behind', async () => {
  useReplay()
  await ask('mine')
  setTimeout(() => void ask('late').then(swallow, swallow), 60)
})
test('next', async ({ tape }) => {
  await wait(300)
  await ask('of the next')
  expect(tape.turns).toHaveLength(1)
})
`
  test('is passed, not stored and named while recording; refused and named in replay', async () => {
    const { project, go } = projectOf(body)
    const recording = await go()
    expect(recording.code, recording.output).toBe(0)
    expect(recording.live).toEqual(['mine', 'late', 'of the next'])
    expect(
      project
        .cassettes()
        .map((path) => project.read(`cassettes/${path}`))
        .join(),
    ).not.toContain('"late"')
    const replay = await go({ CI: '1' })
    expect([replay.live, replay.code]).toEqual([[], 1])
    expect([recording.report, replay.report]).toMatchInlineSnapshot(`
      [
        [
          "Cassettes  2 written",
          "A call started after its test had ended: "leaves one behind" [TURNTAPE_LATE_CALL]: POST http://127.0.0.1:<port>/v1/chat/completions, not stored, replay will refuse it",
        ],
        [
          "Cassettes  2 replayed",
          "A call started after its test had ended: "leaves one behind" [TURNTAPE_LATE_CALL]: POST http://127.0.0.1:<port>/v1/chat/completions, refused",
          "refused calls fail the run: make them inside a test, and await them",
        ],
      ]
    `)
  })
})

test('a call that nobody can attribute while several tests run is refused, in recording too', async () => {
  const { go, project } = projectOf(`
// A worker of the user's own, started outside of every test: its calls have no test's context.
const queue = []
let wake
const worker = (async () => {
  for (;;) {
    await new Promise((resolve) => { wake = resolve })
    for (const job of queue.splice(0)) job.resolve(await ask(job.text).catch((error) => error.message))
  }
})()
const enqueue = (text) => new Promise((resolve) => { queue.push({ text, resolve }); wake() })
describe.concurrent('several', () => {
  test('one', async () => { await Promise.all([enqueue('one'), wait(200)]) })
  test('two', async () => { await wait(200) })
})
test('alone', async () => { expect(await enqueue('alone')).toBe('answer to: alone') })
describe.concurrent('beside', () => {
  test('covered', async () => { await wait(200) })
  plain('not covered', async () => { await Promise.all([enqueue('beside'), wait(200)]) })
})
plain('not covered, alone', async () => { expect(await enqueue('live')).toBe('answer to: live') })
`)
  const { statuses, live, tests, output } = await go()
  expect(statuses, output).toEqual({
    'several one': 'failed',
    'several two': 'failed',
    alone: 'passed',
    'beside covered': 'failed',
    'beside not covered': 'passed',
    'not covered, alone': 'passed',
  })
  expect(live).toEqual(['alone', 'live'])
  expect(tests['several one']?.errors).toMatchInlineSnapshot(`
    [
      "ReplayError: A call belongs to no test that is running: POST http://127.0.0.1:<port>/v1/chat/completions [TURNTAPE_UNATTRIBUTED]

    request     POST http://127.0.0.1:<port>/v1/chat/completions

    running
      several > one
      several > two

    Its async context was lost on the way (a shared queue, a batcher, an event emitter or a worker loop
    made the call), so it is not known which cassette it belongs to. It was refused.

    Keep the context where work is handed over (node:async_hooks):  AsyncResource.bind(callback)
    Or run these tests one after another:  describe.sequential(name, fn)",
    ]
  `)
  expect(project.cassettes()).toEqual(['test/place.test/alone.json'])
})

test('in beforeAll and at module scope of a covered file a call is refused with a remedy; of an uncovered file it is untouched', async () => {
  const scopes = `
const atModuleScope = await ask('at module scope').catch((error) => error.message)
let inBeforeAll
beforeAll(async () => { inBeforeAll = await ask('in beforeAll').catch((error) => error.message) })
`
  const { go } = projectOf(
    `
useReplay()
${scopes}
plain('covered', () => {
  const refused = (message) => (message.includes('TURNTAPE_OUTSIDE_TEST') ? 'refused' : message)
  console.log(JSON.stringify([refused(atModuleScope), refused(inBeforeAll)]))
})
`,
    {
      'test/other.test.js': `${imports}${scopes}
plain('uncovered', async () => {
  expect([atModuleScope, inBeforeAll]).toEqual(['answer to: at module scope', 'answer to: in beforeAll'])
  expect(await ask('in a test')).toBe('answer to: in a test')
})
`,
    },
  )
  const { code, statuses, live, output, report } = await go()
  expect([code, statuses], output).toEqual([1, { covered: 'passed', uncovered: 'passed' }])
  expect([...live].sort()).toEqual(['at module scope', 'in a test', 'in beforeAll'])
  expect(output).toContain('["refused","refused"]')
  expect(report).toMatchInlineSnapshot(`
    [
      "Cassettes  none",
      "A call was made outside of any test: test/place.test.js [TURNTAPE_OUTSIDE_TEST]: POST http://127.0.0.1:<port>/v1/chat/completions, refused (2 times)",
      "refused calls fail the run: make them inside a test, and await them",
    ]
  `)
})

test('a body is never served past what was recorded: reading on fails the test with an error of its own', async () => {
  const { go } = projectOf(`
test('stops early', async ({ tape }) => {
  const response = await post([{ role: 'user', content: 'one two three four five' }], { stream: true, switches: 'gap=30' })
  const reader = response.body.getReader()
  await reader.read()
  if (process.env.READ_ON === undefined) return void (await reader.cancel())
  for (;;) {
    const { done } = await Promise.race([reader.read(), wait(150).then(() => ({ done: 'pending' }))])
    if (done === true) throw new Error('an empty end')
    if (done === 'pending') return
  }
})
test('fire and forget', async ({ tape }) => {
  await ask('one')
  if (process.env.READ_ON === undefined) await post([{ role: 'user', content: 'nobody reads this' }])
})
`)
  const recording = await go()
  expect(recording.report, recording.output).toEqual(['Cassettes  2 written'])
  const same = await go({ CI: '1' })
  expect(same.report, same.output).toEqual(['Cassettes  2 replayed'])
  const readOn = await go({ CI: '1', READ_ON: '1' })
  expect(readOn.statuses, readOn.output).toEqual({ 'stops early': 'failed', 'fire and forget': 'passed' })
  expect(readOn.tests['stops early']?.errors).toMatchInlineSnapshot(`
    [
      "ReplayError: Interaction 1 was read further than it was recorded [TURNTAPE_READ_PAST_RECORDING]

    test        stops early
    cassette    cassettes/test/place.test/stops-early.json
    recorded    1 chunk, then the caller aborted the call

    What came after was never seen, so it cannot be replayed, and an empty end would be a lie.

    If the test is meant to read on, record it again:
      npx turntape record "test/place.test.js > stops early"",
    ]
  `)
})

test('telemetry, ignored calls, passthrough, captured hosts and own servers go their own ways', async () => {
  const { go, project } = projectOf(`
const base = process.env.MODEL_URL
const text = async (path, init) => (await fetch(base + path, init)).text()
const ways = replay(plain, {
  ignore: ({ url }) => url.includes('/ignored'),
  passthrough: [(url) => url.pathname.startsWith('/through')],
  capture: [(url) => url.pathname.startsWith('/captured')],
})
ways('ways', async ({ tape }) => {
  await ask('first')
  const ignored = await fetch(base + '/ignored', { method: 'POST', body: '{}' })
  expect(ignored.status).toBe(process.env.CI ? 204 : 200)
  expect(await text('/through')).toBe('you asked for /through')
  expect(await text('/free')).toBe('you asked for /free')
  expect(await text('/captured')).toBe('you asked for /captured')
  expect(tape.interactions).toHaveLength(2)
  expect(tape.turns).toHaveLength(1)
})
test('own server', async ({ tape }) => {
  const server = http.createServer((request, response) => response.end(JSON.stringify({ choices: [] })))
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  const answer = await fetch('http://127.0.0.1:' + server.address().port + '/v1/chat/completions', { method: 'POST', body: '{}' })
  expect(await answer.json()).toEqual({ choices: [] })
  server.close()
  expect(tape.interactions).toEqual([])
})
`)
  const recording = await go()
  expect(recording.report, recording.output).toEqual(['Cassettes  1 written'])
  expect(recording.live).toEqual(['first', '/ignored', '/through', '/free', '/captured'])
  const replay = await go({ CI: '1' })
  expect(replay.report, replay.output).toEqual(['Cassettes  1 replayed'])
  expect(replay.live).toEqual(['/through', '/free'])
  expect(project.cassettes()).toEqual(['test/place.test/ways.json'])
})

test('recording without a key is refused before anything leaves, replay needs none', async () => {
  const { go } = projectOf(`
import OpenAI from 'openai'
import Anthropic from '@anthropic-ai/sdk'
const atModuleScope = new OpenAI({ baseURL: process.env.MODEL_URL + '/v1' })
test('openai', async ({ tape }) => {
  new Anthropic()
  await atModuleScope.chat.completions.create({ model: 'small', messages: [{ role: 'user', content: 'hello' }] })
})
`)
  const refused = await go()
  expect([refused.statuses, refused.live], refused.output).toEqual([{ openai: 'failed' }, []])
  expect(refused.tests.openai?.errors).toMatchInlineSnapshot(`
    [
      "ReplayError: The API key of this client (for example OPENAI_API_KEY) is not set; recording needs it [TURNTAPE_MISSING_KEY]

    test        openai
    cassette    cassettes/test/place.test/openai.json
    request     POST http://127.0.0.1:<port>/v1/chat/completions

    The call would have carried a placeholder instead of a key, so it was not sent. Set the variable in
    the environment of this run and run it again. A recorded test needs no key.",
    ]
  `)
  const recording = await go({ OPENAI_API_KEY: 'sk-not-a-key' })
  expect(recording.report, recording.output).toEqual(['Cassettes  1 written'])
  const replay = await go()
  expect(replay.report, replay.output).toEqual(['Cassettes  1 replayed'])
})

test('replay works under fake timers; recording under them is refused with the toFake line', async () => {
  const { go } = projectOf(`
const fake = process.env.FAKE !== undefined
test('plain', async ({ tape }) => {
  if (fake) vi.useFakeTimers()
  expect(await ask('plain')).toBe('answer to: plain')
  vi.useRealTimers()
})
test('streamed, left faked', async ({ tape }) => {
  if (fake) vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval', 'setImmediate', 'Date', 'performance'] })
  if (fake && tape.recordedAt) vi.setSystemTime(tape.recordedAt)
  expect(await askStreamed('one two three')).toBe('answer to: one two three')
})
test('after it', async ({ tape }) => {
  vi.useRealTimers()
  await ask('after it')
})
test('only the date', async ({ tape }) => {
  vi.useFakeTimers({ toFake: ['Date'] })
  await ask('only the date')
  vi.useRealTimers()
})
`)
  const refused = await go({ FAKE: '1' })
  expect(refused.statuses, refused.output).toEqual({
    plain: 'failed',
    'streamed, left faked': 'failed',
    'after it': 'passed',
    'only the date': 'passed',
  })
  expect(refused.live).toEqual(['after it', 'only the date'])
  expect(refused.tests.plain?.errors).toMatchInlineSnapshot(`
    [
      "ReplayError: Recording is refused under fake timers: "plain" [TURNTAPE_FAKE_TIMERS]

    test        plain
    request     POST http://127.0.0.1:<port>/v1/chat/completions

    A live answer takes real time, which stands still here. Replaying works under fake timers of any
    kind.

    Fake the date only:  vi.useFakeTimers({ toFake: ['Date'] })",
    ]
  `)
  const recording = await go()
  expect(recording.report, recording.output).toEqual(['Cassettes  2 written | 2 replayed'])
  const replay = await go({ FAKE: '1', CI: '1' })
  expect(replay.report, replay.output).toEqual(['Cassettes  4 replayed'])
})

test('a connection that no road captured fails the test then and there, in recording and in replay; loopback is free', async () => {
  const { go } = projectOf(`
const get = (url) => new Promise((resolve) => http.get(url, (response) => resolve('answered')).on('error', (error) => resolve(error.code)))
test('goes round', async ({ tape }) => {
  await ask('first')
  const error = await new Promise((resolve) => net.connect(80, '203.0.113.1').on('error', resolve))
  console.log('got ' + error.code)
})
test('loopback', async ({ tape }) => { expect(await get(process.env.MODEL_URL + '/free')).toBe('answered') })
const through = replay(plain, { passthrough: ['192.0.2.1'] })
through('passthrough', ({ tape }) => {
  const request = http.get('http://192.0.2.1/')
  request.on('error', swallow)
  request.destroy()
})
plain('uncovered', () => {
  const request = http.get('http://203.0.113.1/')
  request.on('error', swallow)
  request.destroy()
})
`)
  const recording = await go()
  expect(recording.statuses, recording.output).toEqual({
    'goes round': 'failed',
    loopback: 'passed',
    passthrough: 'passed',
    uncovered: 'passed',
  })
  expect(recording.output).toContain('got TURNTAPE_UNCAPTURED_CONNECTION')
  expect(recording.tests['goes round']?.errors).toMatchInlineSnapshot(`
    [
      "ReplayError: A connection to 203.0.113.1:80 would go round the recording [TURNTAPE_UNCAPTURED_CONNECTION]

    test        goes round
    connection  203.0.113.1:80

    It was opened by none of the roads that are captured (fetch, node:http, HTTP/2), but by a WebSocket,
    a socket or a native client, so it can be neither recorded nor replayed. It was refused before
    anything was sent.

    Use a client that calls over HTTP, or let this host through, live in every run:
      passthrough: ['203.0.113.1']",
    ]
  `)
  const replay = await go()
  expect(replay.statuses, replay.output).toMatchObject({ 'goes round': 'failed' })
  expect(replay.live).toEqual(['/free'])
})

test('useReplay and the tape say where they cannot be used', async () => {
  const { go } = projectOf(`
let early
let misplaced
beforeAll(() => {
  try { useReplay() } catch (error) { misplaced = error.message }
})
test('first', ({ tape }) => { early = tape })
plain('not covered', () => {
  console.log('MISPLACED ' + misplaced + ' END')
})
test('late tool', async () => {
  expect(() => early.tool('late', () => 'ran')()).toThrow('TURNTAPE_LATE_CALL')
})
`)
  const { statuses, output } = await go()
  expect(statuses, output).toEqual({ first: 'passed', 'not covered': 'passed', 'late tool': 'passed' })
  expect(/MISPLACED (.*) END/s.exec(output)?.[1]).toMatchInlineSnapshot(`
    "useReplay() cannot be used here [TURNTAPE_NOT_IN_TEST]

    Hooks around all tests have no test to cover.

    Write instead:  useReplay() in the test, in the describe or at the top of the file"
  `)
})

test('a call given up before its answer is given up in replay as well, and never answered out of nothing', async () => {
  const { go } = projectOf(`
const aborted = async (ms) => {
  const signal = AbortSignal.timeout(ms)
  return post([{ role: 'user', content: 'slow' }], { switches: 'wait=400' }, { signal }).then(() => 'answered', (error) => error.name)
}
test('gives up', async ({ tape }) => {
  expect(await aborted(100)).toBe('TimeoutError')
  await ask('after it')
})
test('waits on', { timeout: 1000 }, async ({ tape }) => {
  expect(await aborted(process.env.WAIT_ON ? 5000 : 100)).toBe('TimeoutError')
})
`)
  const recording = await go()
  expect(recording.report, recording.output).toEqual(['Cassettes  2 written'])
  const replay = await go({ CI: '1' })
  expect(replay.report, replay.output).toEqual(['Cassettes  2 replayed'])
  const waitsOn = await go({ CI: '1', WAIT_ON: '1' })
  expect(waitsOn.statuses, waitsOn.output).toEqual({ 'gives up': 'passed', 'waits on': 'failed' })
  expect(waitsOn.live).toEqual([])
})
