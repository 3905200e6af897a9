/** Promise 6: two runs of one test. What the other one keeps meanwhile is its own. */
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { defaultCaps } from '../../src/core/cassette/caps.ts'
import { createStore } from '../../src/store/cassette-store.ts'
import { recordedTest } from './recorded-test.ts'

const path = 'cassettes/a/uses-a-server.json'

/** A pending recording of the same test, as another run keeps it. */
async function otherRun(root: string): Promise<void> {
  const other = recordedTest()
  const { report } = await other.attempt('record', async (tape) => {
    await tape.call('look up', { of: 'the other run' }, async () => 'found by the other run')
    throw new Error('its assertion fails')
  })
  expect(report.outcome).toBe('pending')
  const pending = 'node_modules/.cache/turntape'
  cpSync(join(other.root, pending), join(root, pending), { recursive: true })
}

const pendingOf = (root: string): unknown =>
  createStore({ root })
    .readPending(path, defaultCaps)
    ?.cassette.interactions.map(({ request }) => request)

test('promise 6 a run that is committed leaves alone what another run kept as pending meanwhile', async () => {
  const { root, attempt } = recordedTest()
  const { report } = await attempt('record', async (tape) => {
    await tape.call('look up', { of: 'this run' }, async () => 'found')
    await otherRun(root)
  })
  expect(report.outcome).toBe('written')
  expect(pendingOf(root)).toEqual([expect.objectContaining({ input: { of: 'the other run' } })])
})

test('promise 6 a run that is committed takes the place of what was pending before its first live call', async () => {
  const { root, attempt } = recordedTest()
  await otherRun(root)
  const { report } = await attempt('record', (tape) => tape.call('look up', { of: 'this run' }, async () => 'found'))
  expect(report.outcome).toBe('written')
  expect(pendingOf(root)).toBeUndefined()
})
