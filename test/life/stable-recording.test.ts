import { beforeAll, describe, expect, test } from 'vitest'
import { type DiffLine, diffLines } from './diff-lines.ts'
import { fourWiresAgent } from './four-wires-agent.ts'
import { createLifeProject } from './life-project.ts'
import { type Model, startModel } from './model.ts'

let model: Model
beforeAll(async () => {
  model = await startModel('four-wires-server.mjs')
})

const keys = { OPENAI_API_KEY: 'x'.repeat(20), ANTHROPIC_API_KEY: 'y'.repeat(20), GEMINI_API_KEY: 'z'.repeat(20) }
const wires = ['chat', 'responses', 'anthropic', 'gemini'] as const

const head = `
import { test } from 'turntape/vitest'
import { expect } from 'vitest'
import { walk } from '../agent.js'
const see = async ({ place }) => place + ' is tidy'
`

/** Each wire, plain and streamed: three turns, of which the second calls two tools at once. */
const everyWire = `${head}
for (const wire of ${JSON.stringify(wires)}) {
  for (const streamed of [false, true]) {
    test(wire + (streamed ? ' streamed' : ' plain'), async ({ tape }) => {
      const text = await walk({ wire, streamed, plan: '1-2', look: tape.tool('look', see) })
      expect(text).toContain('All rooms were seen')
    })
  }
}
`

function createProject(files: Readonly<Record<string, string>>) {
  const { project, run } = createLifeProject(model, { 'agent.js': fourWiresAgent, ...files })
  return {
    project,
    run: (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
      run(args, { env: { ...keys, ...env } }),
    files: () => Object.fromEntries(project.cassettes().map((path) => [path, project.read(`cassettes/${path}`)])),
  }
}

function changedNumbers(lines: readonly DiffLine[]): readonly (number | 'header')[] {
  return [...new Set(lines.map(({ of }) => of))]
}

describe('F17 record', () => {
  test('SN-02 SN-04 changes no byte where the server says the same with new ids, dates and pauses, on every wire; and only the lines of what it says otherwise', async () => {
    const { project, run, files } = createProject({ 'test/wires.test.js': everyWire })
    const first = await run([])
    expect(first.report, first.output).toEqual(['Cassettes  8 written'])
    const before = files()
    expect(Object.keys(before)).toHaveLength(8)
    const asked = await model.count()
    expect(asked).toBe(24)

    const again = await run([], { TURNTAPE_MODE: 'record' })
    expect(again.report, again.output).toEqual(['Cassettes  8 unchanged'])
    const command = await project.turntape(['record', 'test/wires.test.js'], { env: { MODEL_URL: model.url, ...keys } })
    expect(command.output).toContain('Cassettes  8 unchanged')
    expect(files()).toEqual(before)
    expect(await model.count()).toBe(3 * asked)

    await fetch(`${model.url}/say?word=warm`, { method: 'POST' })
    const changed = await run([], { TURNTAPE_MODE: 'record' })
    expect(changed.report, changed.output).toEqual(['Cassettes  8 updated'])
    const after = files()
    for (const [path, text] of Object.entries(before)) {
      const lines = diffLines(text, after[path] as string)
      // The answer is the last of six interactions: three model calls, three tools.
      expect(changedNumbers(lines), path).toEqual(['header', 6])
      expect(lines.filter(({ of }) => of === 'header').map(({ sign, text }) => sign + text)).toEqual([
        expect.stringMatching(/^- {2}"recordedAt": /),
        expect.stringMatching(/^\+ {2}"recordedAt": /),
      ])
      expect(lines.some(({ sign, text }) => sign === '+' && text.includes('warm'))).toBe(true)
    }
  })
})

/** Five turns; WORD is what the user says before the third. */
const fiveTurns = `${head}
const notes = { 3: 'Please be ' + (process.env.WORD ?? 'quick') + '.' }
test('plain', async () => {
  await walk({ wire: 'chat', streamed: false, plan: '1-1-1-1', look: see, notes })
})
test('streamed', async () => {
  await walk({ wire: 'anthropic', streamed: true, plan: '1-1-1-1', look: see, notes })
})
test('parallel calls of recorded tools', async ({ tape }) => {
  await walk({ wire: 'responses', streamed: true, plan: '1-2-2-1', look: tape.tool('look', see), notes })
})
`

describe('promise 9 update', () => {
  test('of a word in turn 3 of 5 shows in a diff as lines of turn 3 to 5 and of nothing else', async () => {
    const { run, files } = createProject({ 'test/turns.test.js': fiveTurns })
    const first = await run([])
    expect(first.report, first.output).toEqual(['Cassettes  3 written'])
    const before = files()
    await model.reset()
    const update = await run(['-u'], { WORD: 'slow' })
    expect(update.report, update.output).toEqual(['Cassettes  3 updated'])
    expect(await model.count()).toBe(9)
    const after = files()
    const changed = (name: string): readonly DiffLine[] => {
      const path = `test/turns.test/${name}.json`
      return diffLines(before[path] as string, after[path] as string)
    }
    for (const name of ['plain', 'streamed']) {
      const lines = changed(name)
      expect(changedNumbers(lines), name).toEqual([3, 4, 5])
      const words = lines.filter(({ text }) => /Please be/.test(text))
      expect(words.map(({ sign, of }) => [sign, of])).toEqual([
        ['-', 3],
        ['+', 3],
      ])
    }
    // 1 model, 2 tool, 3 model, 4 and 5 tools, then turn 3: 6 model, 7 and 8 tools, 9 model, 10 tool, 11 model.
    expect(changedNumbers(changed('parallel-calls-of-recorded-tools'))).toEqual([6, 7, 8, 9, 10, 11])
    // What the answers say is the same, so that nothing but the word, ids, dates and times shows.
    const varying =
      /"hash": |Please be|"date"|"request-id"|"id": |"created": |"tool_call_id": |"gapsMs": |"timing": |^ +\},?$/
    expect(changed('plain').filter(({ text }) => !varying.test(text))).toEqual([])

    const unchanged = await run(['-u'], { WORD: 'slow' })
    expect(unchanged.report, unchanged.output).toEqual(['Cassettes  3 replayed'])
    expect(files()).toEqual(after)
  })
})
