import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { defaultCaps } from '../../src/core/cassette/caps.ts'
import { createStore } from '../../src/store/cassette-store.ts'
import { cassettePath, edition } from '../kills/scenarios.ts'

/** The id of a process that has ended. */
const gone = spawnSync(process.execPath, ['-e', '']).pid

const folder = 'cassettes/test/flights.test'
const files = {
  ofTheDead: `${folder}/.turntape-${gone}-00aa11bb22cc.tmp`,
  ofTheDeadInTheCache: `node_modules/.cache/turntape/${folder}/.turntape-${gone}-00aa11bb22cc.tmp`,
  ofTheLiving: `${folder}/.turntape-${process.pid}-00aa11bb22cc.tmp`,
  ofTheLivingButOld: `${folder}/.turntape-${process.pid}-ffaa11bb22cc.tmp`,
  ofSomebodyElse: `${folder}/.turntape-notes.txt`,
  unnamedButYoung: `${folder}/books.files/${'a'.repeat(64)}.png`,
  unnamed: `${folder}/books.files/${'b'.repeat(64)}.png`,
  withoutCassette: `${folder}/other.files/${'c'.repeat(64)}.png`,
  noSideFile: `${folder}/books.files/readme.md`,
}

test('promise 6: what a killed run left is found and removed; what is being written, or is not ours, stays', () => {
  const root = mkdtempSync(join(tmpdir(), 'leftovers-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  const store = createStore({ root })
  store.write({ path: cassettePath, ...edition(1), caps: defaultCaps, expected: undefined })
  for (const file of Object.values(files)) {
    mkdirSync(dirname(join(root, file)), { recursive: true })
    writeFileSync(join(root, file), 'x')
  }
  for (const file of [files.ofTheLivingButOld, files.unnamed, files.withoutCassette, files.noSideFile])
    utimesSync(join(root, file), 1, 1)
  for (const name of edition(1).sideFiles.keys()) utimesSync(join(root, folder, 'books.files', name), 1, 1)

  const absolute = (names: readonly (keyof typeof files)[]): readonly string[] =>
    names.map((name) => join(root, files[name])).sort()
  const temporary = ['ofTheDead', 'ofTheDeadInTheCache', 'ofTheLivingButOld'] as const
  expect([...store.leftovers('temporary')].sort()).toEqual(absolute(temporary))
  expect([...store.leftovers('all')].sort()).toEqual(absolute([...temporary, 'unnamed', 'withoutCassette']))

  store.removeLeftovers('all')
  expect(store.leftovers('all')).toEqual([])
  const left = Object.values(files).filter((file) => existsSync(join(root, file)))
  expect(left).toEqual([files.ofTheLiving, files.ofSomebodyElse, files.unnamedButYoung, files.noSideFile])
  expect(store.read(cassettePath, defaultCaps)?.sideFiles.size).toBe(3)
  for (const name of edition(1).sideFiles.keys())
    expect(store.read(cassettePath, defaultCaps)?.sideFiles.get(name)).toBeDefined()
})
