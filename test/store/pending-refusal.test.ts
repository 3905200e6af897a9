import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createStore } from '../../src/store/cassette-store.ts'
import { fullCassette } from '../cassette/sample-cassette.ts'

const path = 'cassettes/a.test/one.json'

test('promise 6: why a pending recording must not be committed is kept beside it, and goes with it', () => {
  const root = mkdtempSync(join(tmpdir(), 'store-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  const store = createStore({ root })
  const pending = { path, cassette: fullCassette, sideFiles: new Map() }

  store.writePending({ ...pending, refusal: 'it would give a secret away' })
  expect(store.pendingRefusal(path)).toBe('it would give a secret away')
  expect(store.listPending()).toEqual([path])

  store.writePending(pending)
  expect(store.pendingRefusal(path)).toBeUndefined()

  store.writePending({ ...pending, refusal: 'its recording stopped at a cap' })
  store.removePending(path)
  expect([store.pendingRefusal(path), store.listPending()]).toEqual([undefined, []])
})
