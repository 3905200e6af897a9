/** `fastRetry`: the one timer by which a retry policy waits after a transport failure is short in replay, and no other. */
import { beforeAll, expect, test } from 'vitest'
import { type Model, startModel } from '../life/model.ts'
import { files } from './behaviours.ts'
import { createRunnerProject, type Runner } from './runner-project.ts'

let model: Model
beforeAll(async () => {
  model = await startModel()
})

const runners: readonly Runner[] = [
  { name: 'vitest', version: '4.1.12', form: ['--pool=forks'] },
  { name: 'vitest', version: '4.1.12', form: ['--pool=vmThreads'] },
  { name: 'jest', version: '30.5.2', form: 'cjs' },
]

const scenario = `import { afterEach, beforeEach, expect, fake, plain, replay } from '../runner.js'
const base = process.env.MODEL_URL
const replaying = process.env.CI !== undefined
const fast = replay(plain, { fastRetry: true })

let asked = []
let native
beforeEach(() => {
  asked = []
  native = globalThis.setTimeout
  globalThis.setTimeout = (run, delayMs, ...rest) => {
    if (delayMs < 100) asked.push(delayMs) // a live connection has timers of its own
    return native(run, delayMs, ...rest)
  }
})
afterEach(() => { globalThis.setTimeout = native })

const wait = (delayMs) => new Promise((resolve) => setTimeout(resolve, delayMs))
const call = async (origin) => {
  const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'hi' }] })
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(origin + '/v1/chat/completions', { method: 'POST', headers, body })
  return response.text()
}
const failing = (origin = 'http://127.0.0.1:1') => call(origin).then(() => { throw new Error('answered') }, () => {})

fast('one wait after a failure', async () => {
  const before = setTimeout
  await failing()
  expect(setTimeout === before).toBe(!replaying)
  await wait(40)
  expect(setTimeout).toBe(before)
  await wait(41)
  expect(asked).toEqual([replaying ? 1 : 40, 41])
})
fast('a wait after a body that broke', async () => {
  const response = await fetch(base + '/with/cut=2/v1/chat/completions', {
    method: 'POST', headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'm', stream: true, messages: [{ role: 'user', content: 'hi' }] }),
  })
  await response.text().then(() => { throw new Error('whole') }, () => {})
  await wait(43)
  expect(asked).toEqual([replaying ? 1 : 43])
})
fast('a timer that does not wait is no wait', async () => {
  await failing()
  await wait(0)
  await wait(44)
  expect(asked).toEqual([0, replaying ? 1 : 44])
})
fast('another lane keeps its timers', async ({ tape }) => {
  await tape.lane('a', () => failing())
  await tape.lane('b', () => wait(45))
  await tape.lane('a', () => wait(46))
  expect(asked).toEqual([45, replaying ? 1 : 46])
})
fast('the next call ends it', async () => {
  await failing()
  await call(base)
  await wait(47)
  expect(asked).toEqual([47])
})
fast('an HTTP failure has its header', async () => {
  await call(base + '/with/status=500')
  await wait(48)
  expect(asked).toEqual([48])
})
replay(plain)('without the option', async () => {
  await failing()
  await wait(49)
  expect(asked).toEqual([49])
})
fast('a fake clock is left alone', async () => {
  if (!replaying) return void (await failing())
  fake.useFakeTimers()
  try {
    const faked = setTimeout
    await failing()
    expect(setTimeout).toBe(faked)
    let fired = false
    setTimeout(() => { fired = true }, 50)
    fake.advanceTimersByTime(49)
    expect(fired).toBe(false)
    fake.advanceTimersByTime(1)
    expect(fired).toBe(true)
  } finally { fake.useRealTimers() }
})
fast('a fake clock set up after the failure is left alone', async () => {
  await failing()
  fake.useFakeTimers()
  try {
    let fired = false
    setTimeout(() => { fired = true }, 51)
    fake.advanceTimersByTime(50)
    expect(fired).toBe(false)
  } finally { fake.useRealTimers() }
})
plain('the next test has the runner’s own timer', async () => {
  await wait(52)
  expect(asked).toEqual([52])
})
`

test.for(runners)('under $name $version $form', { timeout: 120_000 }, async (runner, { skip }) => {
  const project = await createRunnerProject(runner, process.versions.node)
  if ('missing' in project) return skip(project.missing)
  project.write({ 'client.js': files['client.js'] ?? '', 'test/retry.test.js': scenario })
  const recorded = await project.run([], { MODEL_URL: model.url })
  expect([recorded.code, recorded.counts], recorded.output).toEqual([0, '9 written'])
  const replayed = await project.run([], { MODEL_URL: model.url, CI: '1' })
  expect([replayed.code, replayed.counts], replayed.output).toEqual([0, '9 replayed'])
})
