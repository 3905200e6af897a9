import { beforeAll, expect, test } from 'vitest'
import { createLifeProject } from './life-project.ts'
import { type Model, startModel } from './model.ts'

let model: Model
beforeAll(async () => {
  model = await startModel()
})

test('LR-12 LR-02 a call that its caller gave up stays open in replay until he does; one that no longer does is named', async () => {
  const { project, run } = createLifeProject(model, {
    'test/hang.test.js': `
import { expect } from 'vitest'
import { replay, test } from 'turntape/vitest'
import { test as plain } from 'vitest'
import { ask, post } from '../client.js'
const forgets = process.env.FORGETS !== undefined
const signal = () => (forgets ? {} : { signal: AbortSignal.timeout(150) })
const hanging = (init) => post([{ role: 'user', content: 'hi' }], { switches: 'wait=60000' }, init)

test('gives up, then goes on', { timeout: 1500 }, async ({ tape }) => {
  const error = await hanging(signal()).catch((thrown) => thrown)
  expect([error.name, error instanceof DOMException]).toEqual(['TimeoutError', true])
  expect(await ask('again')).toBe('answer to: again')
  expect(tape.interactions).toHaveLength(2)
})
replay(plain, { order: 'any' })('forgets the call', async () => {
  const call = hanging(signal()).catch((thrown) => thrown.name)
  expect(await ask('other')).toBe('answer to: other')
  if (!forgets) expect(await call).toBe('TimeoutError')
})
test('gives up at once', async ({ tape }) => {
  const controller = new AbortController()
  const call = hanging({ signal: controller.signal }).catch((thrown) => thrown.name)
  controller.abort()
  expect(await call).toBe('AbortError')
})
`,
  })
  const recorded = await run()
  expect([recorded.code, recorded.report], recorded.output).toEqual([0, ['Cassettes  3 written']])
  const replayed = await run([], { env: { CI: '1' } })
  expect([replayed.code, replayed.report], replayed.output).toEqual([0, ['Cassettes  3 replayed']])
  const shown = await project.turntape(['show', 'cassettes/test/hang.test/gives-up-then-goes-on.json'])
  expect(shown.stdout).toContain('given up')
  const forgetting = await run([], { env: { CI: '1', FORGETS: '1' } })
  expect(forgetting.tests['gives up at once']?.status).toBe('passed')
  expect(forgetting.tests['forgets the call']?.errors).toMatchInlineSnapshot(`
    [
      "ReplayError: Interaction 1 never answers, and this run still waits for it [TURNTAPE_NOT_ABORTED]

    test        forgets the call
    cassette    cassettes/test/hang.test/forgets-the-call.json
    call        POST http://localhost/with/wait=60000/v1/chat/completions
    recorded    no answer; the caller gave up (TimeoutError: The operation was aborted due to timeout)

    What the server would have said was never seen. The call stays open, as it did live, until its
    caller aborts it; in this run nobody did.
    If the code under test is meant to give up, look at its timeout or AbortSignal.

    If it is meant to wait for the answer, record it again:
      npx turntape record "test/hang.test.js > forgets the call"",
    ]
  `)
  expect(forgetting.output).toContain('Test timed out in 1500ms')
  const [, ...others] = forgetting.tests['gives up, then goes on']?.errors ?? []
  expect(others.map((error) => error.split('\n')[0])).toEqual([
    'ReplayError: Interaction 1 never answers, and this run still waits for it [TURNTAPE_NOT_ABORTED]',
  ])
})
