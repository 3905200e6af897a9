import { execFile } from 'node:child_process'
import fs from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { afterEach, beforeAll, describe, expect, inject, test, vi } from 'vitest'
import { createLifeProject } from '../life/life-project.ts'
import { type Model, startModel } from '../life/model.ts'

let model: Model
beforeAll(async () => {
  model = await startModel()
})

const entry = join(inject('packageFolder'), 'dist', 'index.js')
const details = "{ problem: 'no tape here', remedy: 'Use one.' }"

describe('what the package loads when it is first called', () => {
  afterEach(() => {
    vi.restoreAllMocks()
  })

  test('is read with the functions there were at load, whatever a test puts in their place', async () => {
    const { ReplayError } = await import(entry)
    vi.spyOn(fs, 'readFileSync').mockImplementation(() => 'not a module (')
    expect(new ReplayError('TURNTAPE_USAGE', { problem: 'no tape here', remedy: 'Use one.' }).message).toBe(
      'no tape here [TURNTAPE_USAGE]\n\nUse one.',
    )
  })

  test('names no place of the machine that built it', () => {
    const dist = join(inject('packageFolder'), 'dist')
    const names = fs
      .readdirSync(dist)
      .filter((name) => fs.readFileSync(join(dist, name), 'utf8').includes(process.cwd()))
    expect(names).toEqual([])
  })

  test('is loaded where code must not be made from texts', async () => {
    const code = `import { ReplayError } from ${JSON.stringify(pathToFileURL(entry).href)}
      console.log(new ReplayError('TURNTAPE_USAGE', ${details}).shortMessage)`
    const args = ['--disallow-code-generation-from-strings', '--input-type=module', '--eval', code]
    const { stdout } = await promisify(execFile)(process.execPath, args)
    expect(stdout).toBe('no tape here [TURNTAPE_USAGE]\n')
  })

  test('is in replay what a session runs, as it was before the test replaced what it reads with, and nothing where no test is covered', async () => {
    const files = { 'test/a.test.js': covered, 'test/faked.test.js': faked, 'test/plain.test.js': plain }
    const { run, statuses } = createLifeProject(model, { ...files, 'late-files.js': lateFiles })
    const recording = await run()
    expect(recording.code, recording.output).toBe(0)
    const replay = await run([], { env: { CI: '1' } })
    expect(statuses(replay), replay.output).toEqual({
      first: 'passed',
      second: 'passed',
      faked: 'passed',
      plain: 'passed',
    })
  })
})

const lateFiles = `
import { Session } from 'node:inspector'

export function lateFiles() {
  const session = new Session()
  const urls = []
  session.connect()
  session.on('Debugger.scriptParsed', ({ params }) => urls.push(params.url))
  session.post('Debugger.enable')
  session.disconnect()
  return urls.flatMap((url) => /late-(\\w+)\\.cjs/.exec(url)?.[1] ?? [])
}
`

const covered = `
import { expect } from 'vitest'
import { test } from 'turntape/vitest'
import { ask } from '../client.js'
import { lateFiles } from '../late-files.js'

test('first', async () => { await ask('first') })
test('second', async () => {
  await ask('second')
  if (process.env.CI) expect(lateFiles()).toEqual(['session'])
})
`

// Covered by its own body, when all is faked already.
const faked = `
import fs from 'node:fs'
import timers from 'node:timers'
import { expect, test, vi } from 'vitest'
import { useReplay } from 'turntape/vitest'
import { ask } from '../client.js'
import { lateFiles } from '../late-files.js'

test('faked', async () => {
  if (process.env.CI) {
    const refuse = (name) => () => { throw new Error(name + ' of the test') }
    for (const name of ['existsSync', 'openSync', 'readFileSync', 'statSync', 'fstatSync', 'readdirSync'])
      vi.spyOn(fs, name).mockImplementation(refuse(name))
    for (const name of ['setTimeout', 'setImmediate']) vi.spyOn(timers, name).mockImplementation(refuse(name))
    vi.useFakeTimers({ now: 0 })
    expect(lateFiles()).toEqual([])
  }
  const tape = useReplay()
  await ask('faked')
  expect(tape.interactions).toHaveLength(1)
  vi.useRealTimers()
  vi.restoreAllMocks()
})
`

const plain = `
import { expect, test } from 'vitest'
import { lateFiles } from '../late-files.js'

test('plain', async () => {
  await (await fetch('data:,nobody')).text()
  expect(lateFiles()).toEqual([])
})
`
