import { describe, expect, test } from 'vitest'
import { folderOf, isPure } from './level-table.ts'
import { clockReads, focusedTests, globalTimers, impurities, uncodedThrows } from './purity-rules.ts'
import { parseSource, readSources } from './source-file.ts'

const files = readSources('src')
/** These run in processes of their own, never under a user's fake timers. */
const ownProcess = ['cli', 'demo']

describe('src', () => {
  test('core and errors touch no file, clock, chance, environment or network', () => {
    const pure = files.filter((file) => isPure(folderOf(file.path)))
    expect(pure.length).toBeGreaterThan(0)
    expect(pure.flatMap(impurities)).toEqual([])
  })

  test('no code that runs under a user’s test uses a timer or a clock that fake timers replace', () => {
    const underTest = files.filter((file) => !ownProcess.includes(folderOf(file.path)))
    expect(underTest.flatMap((file) => [...globalTimers(file), ...clockReads(file)])).toEqual([])
  })

  test('every error thrown has a code, but for the TypeError of a fetch that interception stands in for', () => {
    const fetchError = /^src\/interception\/.* throw new TypeError$/
    expect(files.flatMap(uncodedThrows).filter((place) => !fetchError.test(place))).toEqual([])
  })
})

test('no test is singled out', () => {
  expect(readSources('test').flatMap(focusedTests)).toEqual([])
})

describe('the rules see what they are for', () => {
  const source = (text: string) => parseSource({ path: 'a.ts', text })

  test.each([
    ["import { readFileSync } from 'node:fs'", 'a.ts:1 imports node:fs'],
    ["import { randomUUID } from 'node:crypto'", 'a.ts:1 imports node:crypto'],
    ["import * as crypto from 'node:crypto'", 'a.ts:1 imports node:crypto'],
    ['export const key = process.env.KEY', 'a.ts:1 process'],
    ['export const home = { ...process }', 'a.ts:1 process'],
    ['export const now = () => performance.now()', 'a.ts:1 performance'],
    ['export const now = Date.now', 'a.ts:1 Date.now'],
    ['export const today = new Date()', 'a.ts:1 Date()'],
    ['export const dice = () => Math.random()', 'a.ts:1 Math.random'],
    ["export const get = () => fetch('https://a.test')", 'a.ts:1 fetch'],
    ["export const get = () => globalThis.fetch('https://a.test')", 'a.ts:1 globalThis'],
    ['export const everything = Object.keys(globalThis)', 'a.ts:1 globalThis'],
    ['export const road = { fetch }', 'a.ts:1 fetch'],
    ['export const here = import.meta.url', 'a.ts:1 import.meta'],
    ['setTimeout(() => {}, 1)', 'a.ts:1 setTimeout'],
  ])('%s is impure', (text, violation) => {
    expect(impurities(source(text))).toEqual([violation])
  })

  test.each([
    "import { createHash } from 'node:crypto'",
    "export type Road = 'fetch' | 'dispatcher'",
    'export interface Roads { fetch: string; process(): void }',
    'export const roads = { fetch: 1 }; export const one = roads.fetch',
    'export const empty = new globalThis.Response()',
    'export const day = new Date(0).toISOString()',
    'export function run(process: () => void) { process() }',
  ])('%s is pure', (text) => {
    expect(impurities(source(text))).toEqual([])
  })

  test('a timer of node:timers is no global one', () => {
    expect(globalTimers(source("import { setTimeout } from 'node:timers'\nsetTimeout(() => {}, 1)"))).toEqual([])
    expect(globalTimers(source("import { setTimeout as delay } from 'node:timers/promises'\ndelay(1)"))).toEqual([])
    expect(globalTimers(source('\nclearTimeout(1)'))).toEqual(['a.ts:2 clearTimeout'])
  })

  test('a clock taken when the module loads is the real one', () => {
    expect(clockReads(source('const now = Date.now\nexport const stamp = () => now()'))).toEqual([])
    expect(clockReads(source('export const stamp = () => Date.now()'))).toEqual(['a.ts:1 Date.now()'])
  })

  test('a built-in error that is thrown has no code', () => {
    expect(uncodedThrows(source("throw new TypeError('no')"))).toEqual(['a.ts:1 throw new TypeError'])
    expect(uncodedThrows(source("throw new ReplayError('TURNTAPE_USAGE', details)\nreject(new Error('a'))"))).toEqual(
      [],
    )
  })

  test('a test is singled out by code, not by text', () => {
    expect(focusedTests(source("test.only('a', () => {})\nconst text = 'test.only(1)'"))).toEqual(['a.ts:1 test.only'])
  })
})
