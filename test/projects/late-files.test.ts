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

  test('is loaded where code must not be made from texts', async () => {
    const code = `import { ReplayError } from ${JSON.stringify(pathToFileURL(entry).href)}
      console.log(new ReplayError('TURNTAPE_USAGE', ${details}).shortMessage)`
    const args = ['--disallow-code-generation-from-strings', '--input-type=module', '--eval', code]
    const { stdout } = await promisify(execFile)(process.execPath, args)
    expect(stdout).toBe('no tape here [TURNTAPE_USAGE]\n')
  })

  test('is in replay no more than what reads turns', async () => {
    const { run, statuses } = createLifeProject(model, { 'test/a.test.js': file })
    const recording = await run()
    expect(recording.code, recording.output).toBe(0)
    const replay = await run([], { env: { CI: '1', LOADED: 'turns' } })
    expect(statuses(replay), replay.output).toEqual({ first: 'passed', second: 'passed' })
  })
})

const file = `
import { Session } from 'node:inspector'
import { expect } from 'vitest'
import { test } from 'turntape/vitest'
import { ask } from '../client.js'

function lateFiles() {
  const session = new Session()
  const urls = []
  session.connect()
  session.on('Debugger.scriptParsed', ({ params }) => urls.push(params.url))
  session.post('Debugger.enable')
  session.disconnect()
  return urls.flatMap((url) => /late-(\\w+)\\.cjs/.exec(url)?.[1] ?? [])
}

test('first', async () => { await ask('first') })
test('second', async () => {
  await ask('second')
  if (process.env.LOADED) expect(lateFiles()).toEqual([process.env.LOADED])
})
`
