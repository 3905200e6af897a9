import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { defaultCaps } from '../../src/core/cassette/caps.ts'
import { createStore } from '../../src/store/cassette-store.ts'
import { cassetteOf, httpInteraction } from '../cassette/sample-cassette.ts'

test('F18 F19 what could not be read again is not written, and the committed file stays', () => {
  const root = mkdtempSync(join(tmpdir(), 'store-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  const store = createStore({ root })
  const path = 'cassettes/a.test/one.json'
  const write = { path, sideFiles: new Map(), caps: defaultCaps }
  const one = httpInteraction(1, { text: 'hello' })
  store.write({ ...write, cassette: cassetteOf(one), expected: undefined })
  const before = readFileSync(join(root, path), 'utf8')
  const broken = cassetteOf({ ...one, request: { ...one.request, headers: { 'Content-Type': 'text/plain' } } })
  expect(() => store.write({ ...write, cassette: broken, expected: store.token(path) })).toThrow(
    expect.objectContaining({
      code: 'TURNTAPE_STORE_FAILED',
      details: {
        cassette: path,
        pendingPath: `node_modules/.cache/turntape/${path}`,
        reason:
          'it could not be read again: /interactions/0/request/headers/Content-Type: its name: it must be a header name in lower case, found "Content-Type"',
      },
    }),
  )
  expect(readFileSync(join(root, path), 'utf8')).toBe(before)
})
