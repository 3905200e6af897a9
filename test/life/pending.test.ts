import { beforeAll, describe, expect, test } from 'vitest'
import { createLifeProject } from './life-project.ts'
import { type Model, startModel } from './model.ts'

let model: Model
beforeAll(async () => {
  model = await startModel()
})

const imports = `
import { expect } from 'vitest'
import { test } from 'turntape/vitest'
import { ask, askStreamed, post } from '../client.js'
`
const cassette = 'cassettes/test/work.test/works.json'
const pending = 'node_modules/.cache/turntape/cassettes/test/work.test/works.json'
const pendingNote =
  'pending: the next local run goes on from it; where a cassette is committed, npx turntape accept --list'

/** A project with one test, `works`, of this body. */
function projectOf(body: string) {
  const source = (text: string): string => `${imports}\ntest('works', async ({ tape }) => {\n${text}\n})\n`
  const life = createLifeProject(model, { 'test/work.test.js': source(body) })
  return {
    ...life,
    change: (text: string): void => life.project.write({ 'test/work.test.js': source(text) }),
    /** Runs; gives the status, the report and the questions that went live. */
    async go(args: readonly string[] = [], env: Readonly<Record<string, string>> = {}) {
      await model.reset()
      const result = await life.run(args, { env })
      const live = (await model.log()).map(({ body: sent }) => sent.messages[0].content as string)
      return {
        status: result.tests.works?.status,
        report: result.report,
        live,
        errors: result.tests.works?.errors ?? [],
        output: result.output,
      }
    },
  }
}

test('a failed assertion leaves a pending recording; with the assertion fixed the next run makes no live call and commits', async () => {
  const { project, go, change } = projectOf(`
    expect(await ask('one')).toBe('answer to: one')
    expect(await ask('two')).toBe('wrong')`)
  const failed = await go()
  expect(failed, failed.output).toMatchObject({
    status: 'failed',
    live: ['one', 'two'],
    report: ['Cassettes  1 pending', pendingNote],
  })
  expect(project.cassettes()).toEqual([])
  expect(project.has(pending)).toBe(true)
  const again = await go()
  expect(again, again.output).toMatchObject({ status: 'failed', live: [] })
  expect(project.has(pending)).toBe(true)
  const inCi = await go([], { CI: '1' })
  expect(inCi, inCi.output).toMatchObject({ status: 'failed', live: [] })
  expect(inCi.errors[0]).toContain('TURNTAPE_MISSING_CASSETTE')
  change(`
    expect(await ask('one')).toBe('answer to: one')
    expect(await ask('two')).toBe('answer to: two')`)
  const fixed = await go()
  expect(fixed, fixed.output).toMatchObject({ status: 'passed', live: [], report: ['Cassettes  1 written'] })
  expect(project.has(cassette)).toBe(true)
  expect(project.pending()).toEqual([])
  expect(await go([], { CI: '1' })).toMatchObject({ status: 'passed', live: [] })
})

test('a pending recording is replayed as far as it matches, the rest is paid for', async () => {
  const { project, go, change } = projectOf(`
    await ask('one')
    await ask('two')
    throw new Error('not done yet')`)
  await go()
  change(`
    await ask('one')
    await ask('two, changed')
    await ask('three')`)
  const done = await go()
  expect(done, done.output).toMatchObject({
    status: 'passed',
    live: ['two, changed', 'three'],
    report: ['Cassettes  1 written'],
  })
  const { interactions } = JSON.parse(project.read(cassette))
  expect(
    interactions.map(
      ({ number, request }: { number: number; request: { body: { json: { messages: { content: string }[] } } } }) => [
        number,
        request.body.json.messages[0]?.content,
      ],
    ),
  ).toEqual([
    [1, 'one'],
    [2, 'two, changed'],
    [3, 'three'],
  ])
  expect(await go([], { CI: '1' })).toMatchObject({ status: 'passed', live: [] })
})

test('of a shorter run the pending rest is dropped', async () => {
  const { project, go, change } = projectOf(`
    await ask('one')
    await ask('two')
    throw new Error('not done yet')`)
  await go()
  change(`await ask('one')`)
  expect(await go()).toMatchObject({ status: 'passed', live: [], report: ['Cassettes  1 written'] })
  expect(JSON.parse(project.read(cassette)).interactions).toHaveLength(1)
})

test('with a committed cassette a pending recording is not used, and the committed file stays as it was', async () => {
  const { project, go, change } = projectOf(`await ask('one')`)
  await go()
  const before = project.read(cassette)
  change(`
    await ask('one, changed')
    throw new Error('not done yet')`)
  const failed = await go(['-u'])
  expect(failed, failed.output).toMatchObject({
    status: 'failed',
    live: ['one, changed'],
    report: ['Cassettes  1 pending', pendingNote],
  })
  expect(project.read(cassette)).toBe(before)
  change(`await ask('one, changed')`)
  const diverged = await go()
  expect(diverged, diverged.output).toMatchObject({ status: 'failed', live: [] })
  expect(diverged.errors[0]).toContain('TURNTAPE_DIVERGED')
  const accept = `npx turntape accept ${JSON.stringify(cassette)}`
  expect(diverged.errors[0]).toContain(
    `To take the pending recording of this test, which has this call:\n  ${accept}\n`,
  )
  change(`await ask('one, changed again')`)
  expect((await go()).errors[0]).not.toContain('accept')
  expect((await go([], { CI: '1' })).errors[0]).not.toContain('accept')
  expect(project.read(cassette)).toBe(before)
  expect(project.has(pending)).toBe(true)
})

test('AS-01 a worker killed between two turns leaves the first one pending; the next run pays only for the rest', async () => {
  const { project, go, change } = projectOf(`
    await ask('one')
    process.kill(process.pid, 'SIGKILL')
    await ask('two')`)
  const killed = await go()
  expect(killed.live, killed.output).toEqual(['one'])
  expect(project.cassettes()).toEqual([])
  change(`
    await ask('one')
    await ask('two')`)
  const next = await go()
  expect(next, next.output).toMatchObject({ status: 'passed', live: ['two'], report: ['Cassettes  1 written'] })
})

test('a killed run leaves a committed cassette as it was', async () => {
  const { project, go, change } = projectOf(`
    await ask('one')
    await ask('two')`)
  await go()
  const before = project.read(cassette)
  change(`
    await ask('one')
    await ask('two, changed')
    process.kill(process.pid, 'SIGKILL')`)
  const killed = await go([], { TURNTAPE_MODE: 'record' })
  expect(killed.live, killed.output).toEqual(['one', 'two, changed'])
  expect(project.read(cassette)).toBe(before)
})

describe('streams that do not end well', () => {
  test('one cut by the server is recorded as it failed, and fails alike in replay', async () => {
    const { project, go } = projectOf(`
      const error = await askStreamed('one two three', { switches: 'cut=3' }).catch((reason) => reason)
      expect(error.message).toBe('terminated')
      expect(error.cause.code).toBe('UND_ERR_SOCKET')`)
    const recording = await go()
    expect(recording, recording.output).toMatchObject({ status: 'passed', report: ['Cassettes  1 written'] })
    expect(JSON.parse(project.read(cassette)).interactions[0].response.body.end.kind).toBe('failed')
    const replay = await go([], { CI: '1' })
    expect(replay, replay.output).toMatchObject({ status: 'passed', live: [] })
  })

  test('one cut by the server in a test that then fails is not used from pending: it is asked for again', async () => {
    const { go, change } = projectOf(`
      await ask('one')
      await askStreamed('two three', { switches: 'cut=2' })`)
    const failed = await go()
    expect(failed, failed.output).toMatchObject({ status: 'failed', live: ['one', 'two three'] })
    change(`
      await ask('one')
      expect(await askStreamed('two three')).toBe('answer to: two three')`)
    const next = await go()
    expect(next, next.output).toMatchObject({ status: 'passed', live: ['two three'] })
  })

  test('AS-06 one still open when the test ends is not committed, and the report says why', async () => {
    const { project, go } = projectOf(`
      await ask('one')
      const response = await post([{ role: 'user', content: 'two' }], { stream: true, switches: 'hold=2' })
      const reader = response.body.getReader()
      await reader.read()
      void reader.read().then(() => reader.read()).catch(() => {})`)
    const open = await go()
    expect(open, open.output).toMatchObject({
      status: 'passed',
      report: [
        'Cassettes  1 pending',
        `${cassette}: kept as pending, 1 of its calls had not ended when the test did: await them`,
        pendingNote,
      ],
    })
    expect(project.cassettes()).toEqual([])
  })
})
