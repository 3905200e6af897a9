import { beforeAll, expect, test } from 'vitest'
import { createLifeProject } from './life-project.ts'
import { type Model, startModel } from './model.ts'

let model: Model
beforeAll(async () => {
  model = await startModel()
})

// OVER makes every limit one less. `/captured/…` answers with text of a known length; `settled` takes clock readings out.
const file = `
import { statSync } from 'node:fs'
import { expect, test as plain } from 'vitest'
import { replay, useReplay } from 'turntape/vitest'
import { ask, askStreamed } from '../client.js'
const less = process.env.OVER === undefined ? 0 : 1
const settled = ({ response: { body, ...head }, ...rest }) => {
  const { gapsMs, ...still } = body
  return { ...rest, response: { ...head, body: still }, timing: { startMs: 0 } }
}
const common = { beforeRecord: settled, capture: [(url) => url.pathname.startsWith('/captured')] }
const capped = (caps) => replay(plain, { ...common, caps })
const get = async (path) => (await fetch(process.env.MODEL_URL + path)).text()

capped({ maxInteractions: 2 - less })('interactions', async () => {
  expect(await ask('one')).toBe('answer to: one')
  expect(await ask('two')).toBe('answer to: two')
})
capped({ maxBodyBytes: 'you asked for /captured/body'.length - less })('body', async () => {
  expect(await get('/captured/body')).toBe('you asked for /captured/body')
})
capped({ maxChunks: 3 - less })('chunks', async () => {
  expect(await askStreamed('x', { switches: 'words=1,gap=150' })).toBe('word')
})
capped({ maxBlocks: 2 - less })('blocks', async () => {
  await ask('hello', { n: 2, switches: 'choices=2' })
})
capped({})('bytes base', async () => { await get('/captured/body') })
plain('bytes over', async () => {
  const size = statSync('cassettes/test/caps.test/bytes-base.json').size
  useReplay({ ...common, caps: { maxCassetteBytes: size - less } })
  expect(await get('/captured/body')).toBe('you asked for /captured/body')
})
capped({ maxInteractions: 10 })('near', async () => {
  for (let number = 1; number <= 9; number++) await ask('number ' + number)
})
capped({ maxInteractions: 10 })('not near', async () => {
  for (let number = 1; number <= 8; number++) await ask('number ' + number)
})
`
const over = ['interactions', 'body', 'chunks', 'blocks', 'bytes over']

test('CU-05 CU-06 CU-07 CU-25 each cap: exactly at it is accepted, one over is refused, the live call goes on and the old file stays', async () => {
  const { project, run, statuses } = createLifeProject(model, { 'test/caps.test.js': file })

  const fresh = await run([], { env: { OVER: '1' } })
  const outcomes = Object.fromEntries(Object.entries(statuses(fresh)).filter(([, status]) => status === 'failed'))
  expect(Object.keys(outcomes), fresh.output).toEqual(over)
  for (const name of over) {
    expect(fresh.tests[name]?.errors).toHaveLength(1)
    expect(fresh.tests[name]?.errors[0]?.replaceAll(/\d{4,}/g, '<bytes>')).toMatchSnapshot(`recording, ${name}`)
  }
  expect(project.cassettes()).toEqual([
    'test/caps.test/bytes-base.json',
    'test/caps.test/near.json',
    'test/caps.test/not-near.json',
  ])

  const accepted = await run()
  expect(accepted.code, accepted.output).toBe(0)
  const files = project.cassettes().map((path) => [path, project.read(`cassettes/${path}`)])
  expect(files).toHaveLength(8)

  const again = await run([], { env: { OVER: '1', TURNTAPE_MODE: 'record' } })
  expect(
    Object.entries(statuses(again))
      .filter(([, status]) => status === 'failed')
      .map(([name]) => name),
    again.output,
  ).toEqual(over)
  for (const [path, text] of files) {
    if (!/base|near/.test(path ?? '')) expect(project.read(`cassettes/${path}`)).toBe(text)
  }

  await model.reset()
  const loading = await run([], { env: { OVER: '1', CI: '1' } })
  expect(
    Object.entries(statuses(loading))
      .filter(([, status]) => status === 'failed')
      .map(([name]) => name),
    loading.output,
  ).toEqual(over)
  for (const name of over) {
    expect(loading.tests[name]?.errors.map((error) => error.replaceAll(/\d{4,}/g, '<bytes>'))).toMatchSnapshot(
      `loading, ${name}`,
    )
  }
  expect(await model.count()).toBe(0)
})

test('CU-17 a cassette near a cap is noted once a run', async () => {
  const { run } = createLifeProject(model, { 'test/caps.test.js': file })
  const note = 'cassettes/test/caps.test/near.json: near its cap maxInteractions'
  expect((await run(['-t', 'near'])).report).toEqual(['Cassettes  2 written | 1 near cap', note])
  expect((await run(['-t', 'near'])).report).toEqual(['Cassettes  2 replayed | 1 near cap', note])
})

test('CU-05 a file over the cap is refused before it is read', async () => {
  const { project, run } = createLifeProject(model, {
    'test/big.test.js': `
import { test } from 'vitest'
import { replay } from 'turntape/vitest'
import { ask } from '../client.js'
replay(test, { caps: { maxCassetteBytes: 1000 } })('big', async () => { await ask('hello') })
`,
  })
  project.write({ 'cassettes/test/big.test/big.json': 'no JSON '.repeat(200) })
  const { tests } = await run()
  expect(tests.big?.errors).toMatchInlineSnapshot(`
    [
      "ReplayError: The cassette exceeds its cap maxCassetteBytes: cassettes/test/big.test/big.json [TURNTAPE_CAP_EXCEEDED]

    cassette    cassettes/test/big.test/big.json
    cap         maxCassetteBytes, the size of the cassette
    found       1,600 bytes
    limit       1,000 bytes

    It was refused before it was read in full; the file is as it was.

    If it is meant to be so large, raise the cap:  caps: { maxCassetteBytes: 2000 }",
    ]
  `)
})
