import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { check } from '../../src/cli/check.ts'
import type { CommandContext, RunCommand } from '../../src/cli/command.ts'
import { migrate } from '../../src/cli/migrate.ts'
import { show } from '../../src/cli/show/show.ts'
import { defaultCaps } from '../../src/core/cassette/caps.ts'
import { parseCassette } from '../../src/core/cassette/parse-cassette.ts'
import type { FormatVersions } from '../../src/core/cassette/versions/format-version.ts'
import { liftFile } from '../../src/core/cassette/versions/lift-file.ts'
import { writeCassette } from '../../src/core/cassette/write-cassette.ts'
import { createStore } from '../../src/store/cassette-store.ts'
import { modelCall, recordedCassette } from '../cli/cli-project.ts'
import { olderFile, url, withOlderVersion } from './older-version.ts'
import { answerTo, replaySession } from './replay-session.ts'

const older = olderFile([
  ['hello', 'hi'],
  ['and now', 'bye'],
])
const path = 'cassettes/a.test/older.json'
let root: string

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'older-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
})

function put(file: string, text: string): void {
  mkdirSync(dirname(join(root, file)), { recursive: true })
  writeFileSync(join(root, file), text)
}

function read(file: string): string {
  return readFileSync(join(root, file), 'utf8')
}

/** Runs a command with both versions known, and gives what it printed. */
async function run(command: RunCommand, ...args: readonly string[]): Promise<string> {
  const printed: string[] = []
  const plain = (text: string): string => text
  const context: CommandContext = {
    cwd: root,
    root,
    env: {},
    store: createStore({ root, versions: withOlderVersion }),
    shown: plain,
    output: {
      line: (text = '') => void printed.push(text),
      problem: (text) => void printed.push(text),
      json: (value) => void printed.push(JSON.stringify(value)),
      paint: { bold: plain, dim: plain, red: plain, green: plain, yellow: plain },
    },
  }
  const given = {
    positionals: args.filter((argument) => !argument.startsWith('--')),
    flags: new Set(args.filter((argument) => argument.startsWith('--')).map((flag) => flag.slice(2))),
    values: new Map(),
  }
  const code = await command(given, context)
  return [...printed, `exit code ${code}`].join('\n')
}

describe('F18 a file of an older version', () => {
  test('is read as one of the newest', () => {
    const cassette = parseCassette(older, { cassette: path, caps: defaultCaps, versions: withOlderVersion })
    expect(cassette).toMatchObject({ format: 'turntape/1', test: 'answers questions', recordedWith: {} })
    expect(cassette.interactions).toHaveLength(2)
    expect(writeCassette(cassette)).toContain('"format": "turntape/1"')
  })

  test('is checked by its own rules, with its own place', () => {
    const broken = older.replace('"name": "answers questions"', '"name": 7')
    expect(() => parseCassette(broken, { cassette: path, caps: defaultCaps, versions: withOlderVersion })).toThrow(
      expect.objectContaining({
        details: expect.objectContaining({ line: 3, column: 11, pointer: '/name', reason: expect.any(String) }),
      }),
    )
  })

  test('has required features of its own', () => {
    const parse = (feature: string) =>
      parseCassette(older.replace('{', `{ "requires": ["${feature}"],`), {
        cassette: path,
        caps: defaultCaps,
        versions: withOlderVersion,
      })
    expect(parse('years').interactions).toHaveLength(2)
    expect(() => parse('decades')).toThrow(expect.objectContaining({ code: 'TURNTAPE_CASSETTE_TOO_NEW' }))
  })

  test('is shown as it is read', async () => {
    put(path, older)
    const shown = await run(show, path)
    expect(shown).toContain('answers questions')
    expect(shown).toContain('and now')
    expect(read(path)).toBe(older)
  })

  test('F13 an edit of it is still named', async () => {
    put(path, older)
    expect(await run(check)).toContain('1 cassette checked, nothing found')
    put(path, older.replace('"asked": "and now"', '"asked": "and later"'))
    expect(await run(check)).toContain('the request of interaction 2 was edited')
  })

  test('is replayed, and stays as it is on disk', async () => {
    put(path, older)
    const session = replaySession({ root, path, store: createStore({ root, versions: withOlderVersion }) })
    const ask = (content: string) => answerTo(session, url, { model: 'gpt-5', messages: [{ role: 'user', content }] })
    expect(await ask('hello')).toContain('"content":"hi"')
    expect(await ask('and now')).toContain('"content":"bye"')
    expect(session.failure).toBeUndefined()
    expect(read(path)).toBe(older)
  })

  test('is rewritten by migrate, with what it did, whatever else is broken', async () => {
    const current = writeCassette(recordedCassette('a good one', [modelCall('hello', 'hi')]))
    put(path, older)
    put('cassettes/a.test/current.json', current)
    put('cassettes/a.test/broken.json', '{')
    put('cassettes/a.test/newer.json', current.replace('turntape/1', 'turntape/9'))
    expect(await run(migrate, '--dry-run', path)).toBe(
      [
        'cassettes/a.test/older.json  turntape/0 to turntape/1',
        '1 cassette to migrate to turntape/1, 0 in it already',
        'exit code 0',
      ].join('\n'),
    )
    expect(read(path)).toBe(older)
    expect(await run(migrate)).toMatchInlineSnapshot(`
      "Not a valid cassette: cassettes/a.test/broken.json:1:2 [TURNTAPE_CASSETTE_INVALID]

      cassette    cassettes/a.test/broken.json
      place       line 1, column 2
      reason      the file ends in the middle: it is truncated

      Put back what was committed:  git checkout -- "cassettes/a.test/broken.json"

      The cassette is newer than this turntape: cassettes/a.test/newer.json [TURNTAPE_CASSETTE_TOO_NEW]

      cassette     cassettes/a.test/newer.json
      pointer      /format
      its format   turntape/9
      supported    up to turntape/1

      Install the release that wrote it, or a later one:  npm install --save-dev turntape@latest

      cassettes/a.test/older.json  turntape/0 to turntape/1
      1 cassette migrated to turntape/1, 1 in it already, 2 not read
      exit code 1"
    `)
    expect(read(path)).toBe(
      writeCassette(parseCassette(older, { cassette: path, caps: defaultCaps, versions: withOlderVersion })),
    )
    expect(read('cassettes/a.test/current.json')).toBe(current)
    expect(await run(migrate, path, 'cassettes/a.test/current.json')).toBe(
      'nothing to migrate: 2 cassettes in turntape/1\nexit code 0',
    )
    expect(await run(check, path)).toContain('1 cassette checked, nothing found')
  })
})

describe('F18 lifting', () => {
  const step = (name: string) => ({
    format: name,
    features: new Set<string>(),
    shape: () => undefined,
    rules: () => undefined,
  })
  const add = (name: string) => (file: unknown) => [...(file as readonly string[]), name]
  const three: FormatVersions = [
    { ...step('turntape/1'), lift: add('2') },
    { ...step('turntape/2'), lift: add('3') },
    step('turntape/3'),
  ]

  test.each([
    [0, ['2', '3']],
    [1, ['3']],
    [2, []],
  ])('goes a version at a time, from whichever it begins with', (from, steps) => {
    expect(liftFile([], three[from]!, three)).toEqual({ file: steps })
  })

  test('stops where a version on the way is not what it must be', () => {
    const [one, two, last] = three
    const problem = { reversedPath: ['a'], reason: 'it is wrong' }
    expect(liftFile([], one, [one, { ...two!, shape: () => problem }, last!])).toEqual({
      problem: { ...problem, reason: 'lifted from turntape/1: it is wrong' },
    })
    expect(liftFile([], one, [one, { ...two!, rules: () => problem }, last!])).toEqual({ problem })
    expect(liftFile([], one, [one, step('turntape/2'), last!])).toEqual({
      problem: { reversedPath: [], reason: 'nothing lifts turntape/2 to turntape/3' },
    })
  })
})
