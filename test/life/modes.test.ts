import { beforeAll, describe, expect, test } from 'vitest'
import { createLifeProject } from './life-project.ts'
import { type Model, startModel } from './model.ts'

let model: Model
beforeAll(async () => {
  model = await startModel()
})

// Three turns; CHANGED names turns whose question is another one, EXTRA adds one, MISSING leaves the last one out.
const file = `
import { expect } from 'vitest'
import { test } from 'turntape/vitest'
import { ask } from '../client.js'
const changed = (process.env.CHANGED ?? '').split(',')
test('three', async ({ tape }) => {
  for (const turn of process.env.MISSING ? ['1', '2'] : ['1', '2', '3']) {
    const question = 'question ' + turn + (changed.includes(turn) ? ' changed' : '')
    expect(await ask(question)).toBe('answer to: ' + question)
  }
  if (process.env.EXTRA) await ask('extra')
  expect(tape.mode).toBe(process.env.EXPECTED_MODE)
})
`
const cassette = 'cassettes/test/modes.test/three.json'

/** A project, with a cassette of the three turns unless `without`. */
async function setUp(without?: 'without a cassette') {
  const { project, run, statuses } = createLifeProject(model, { 'test/modes.test.js': file })
  if (without === undefined) {
    const recording = await run([], { env: { EXPECTED_MODE: 'auto' } })
    expect(recording.report, recording.output).toEqual(['Cassettes  1 written'])
  }
  await model.reset()
  const committed = without === undefined ? project.read(cassette) : undefined
  return {
    project,
    /** Runs; gives the status, the report, the questions that went live and whether the cassette is as it was. */
    async run(
      mode: string,
      {
        args = [],
        env = {},
      }: { readonly args?: readonly string[]; readonly env?: Readonly<Record<string, string>> } = {},
    ) {
      await model.reset()
      const result = await run(args, { env: { EXPECTED_MODE: mode, ...env } })
      const live = (await model.log()).map(({ body }) => body.messages[0].content as string)
      const now = project.has(cassette) ? project.read(cassette) : undefined
      return {
        status: statuses(result).three,
        report: result.report,
        live,
        kept: now === committed,
        errors: result.tests.three?.errors ?? [],
        output: result.output,
      }
    },
  }
}

describe('no cassette', () => {
  test('auto and update record, record records, live only calls', async () => {
    for (const [mode, options] of [
      ['auto', {}],
      ['update', { args: ['-u'] }],
      ['record', { env: { TURNTAPE_MODE: 'record' } }],
    ] as const) {
      const { run } = await setUp('without a cassette')
      const result = await run(mode, options)
      expect(result, result.output).toMatchObject({ status: 'passed', report: ['Cassettes  1 written'], kept: false })
      expect(result.live).toEqual(['question 1', 'question 2', 'question 3'])
    }
    const { run } = await setUp('without a cassette')
    const live = await run('live', { env: { TURNTAPE_MODE: 'live' } })
    expect(live, live.output).toMatchObject({ status: 'passed', report: ['Cassettes  1 live'], kept: true })
    expect(live.live).toHaveLength(3)
  })

  test('CU-01 LR-06 replay and rebase fail, and so do CI and --update=none; no request leaves', async () => {
    const { project, run } = await setUp('without a cassette')
    for (const [mode, options] of [
      ['replay', { env: { TURNTAPE_MODE: 'replay' } }],
      ['rebase', { env: { TURNTAPE_MODE: 'rebase' } }],
      ['replay', { env: { CI: '1' } }],
      ['replay', { env: { CI: '1' }, args: ['-u'] }],
      ['replay', { args: ['--update=none'] }],
    ] as const) {
      const result = await run(mode, options)
      expect(result, result.output).toMatchObject({ status: 'failed', live: [], kept: true })
      expect(result.errors, result.output).toHaveLength(1)
      expect(result.errors[0]).toContain('TURNTAPE_MISSING_CASSETTE')
    }
    expect(project.cassettes()).toEqual([])
    expect(project.pending()).toEqual([])
  })
})

describe('unchanged requests', () => {
  test('LR-01 AR-10 replay in every mode but record and live: no request leaves and no byte changes', async () => {
    const { run } = await setUp()
    for (const [mode, options] of [
      ['auto', {}],
      ['replay', { env: { CI: '1' } }],
      ['update', { args: ['-u'] }],
      ['update', { args: ['-u'], env: { TURNTAPE_MODE: 'update', CI: '1' } }],
      ['rebase', { env: { TURNTAPE_MODE: 'rebase' } }],
    ] as const) {
      const result = await run(mode, options)
      expect(result, result.output).toMatchObject({
        status: 'passed',
        live: [],
        kept: true,
        report: ['Cassettes  1 replayed'],
      })
    }
  })

  test('go live in record and in live; what the server says again is kept as it was', async () => {
    const { run } = await setUp()
    const live = await run('live', { env: { TURNTAPE_MODE: 'live' } })
    expect(live, live.output).toMatchObject({ status: 'passed', kept: true, report: ['Cassettes  1 live'] })
    expect(live.live).toHaveLength(3)
    const record = await run('record', { env: { TURNTAPE_MODE: 'record', CI: '1' } })
    expect(record, record.output).toMatchObject({ status: 'passed', kept: true, report: ['Cassettes  1 unchanged'] })
    expect(record.live).toHaveLength(3)
    const changed = await run('record', { env: { TURNTAPE_MODE: 'record', CHANGED: '2' } })
    expect(changed, changed.output).toMatchObject({ status: 'passed', kept: false, report: ['Cassettes  1 updated'] })
    expect(changed.live).toEqual(['question 1', 'question 2 changed', 'question 3'])
  })
})

describe('a changed turn 2 of 3', () => {
  test('fails in auto and in replay', async () => {
    const { run } = await setUp()
    for (const [mode, options] of [
      ['auto', {}],
      ['replay', { env: { CI: '1' } }],
    ] as const) {
      const result = await run(mode, { ...options, env: { CHANGED: '2', ...('env' in options ? options.env : {}) } })
      expect(result, result.output).toMatchObject({
        status: 'failed',
        live: [],
        kept: true,
        report: ['Cassettes  1 diverged'],
      })
    }
  })

  test('pays in update for turn 2 and 3 only, and keeps the lines of turn 1', async () => {
    const { project, run } = await setUp()
    const before = project.read(cassette)
    const result = await run('update', { args: ['-u'], env: { CHANGED: '2' } })
    expect(result, result.output).toMatchObject({ status: 'passed', report: ['Cassettes  1 updated'] })
    expect(result.live).toEqual(['question 2 changed', 'question 3'])
    const [oldFirst, newFirst] = [before, project.read(cassette)].map((text) => JSON.parse(text).interactions[0])
    expect(newFirst).toEqual(oldFirst)
    const replay = await run('replay', { env: { CI: '1', CHANGED: '2' } })
    expect(replay).toMatchObject({ status: 'passed', live: [] })
  })

  test('is rewritten by rebase, which serves the recorded answer and needs no network', async () => {
    const { project, run } = await setUp()
    const text = await run('rebase', { env: { TURNTAPE_MODE: 'rebase', CHANGED: '2' } })
    expect(text, text.output).toMatchObject({ status: 'failed', live: [], kept: true })
    const rebased = createLifeProject(model, {
      'test/modes.test.js': file.replace("toBe('answer to: ' + question)", "toContain('answer to')"),
    })
    rebased.project.write({ [cassette]: project.read(cassette) })
    const result = await rebased.run([], { env: { TURNTAPE_MODE: 'rebase', CHANGED: '2', EXPECTED_MODE: 'rebase' } })
    expect(result.report, result.output).toEqual(['Cassettes  1 rebased', `rebased ${cassette}`])
    const { provenance, interactions } = JSON.parse(rebased.project.read(cassette))
    expect(provenance).toEqual({ kind: 'derived', reason: 'rebased' })
    expect(interactions[1].request.body.json.messages[0].content).toBe('question 2 changed')
    const replay = await rebased.run([], { env: { CI: '1', CHANGED: '2', EXPECTED_MODE: 'replay' } })
    expect(replay.report, replay.output).toEqual(['Cassettes  1 replayed'])
  })
})

describe('an interaction that nobody asked for', () => {
  test('fails in auto, replay and rebase and is dropped by update', async () => {
    const { project, run } = await setUp()
    for (const [mode, environment] of [
      ['auto', {}],
      ['replay', { CI: '1' }],
      ['rebase', { TURNTAPE_MODE: 'rebase' }],
    ] as const) {
      const result = await run(mode, { env: { MISSING: '1', ...environment } })
      expect(result, result.output).toMatchObject({ status: 'failed', live: [], kept: true })
      expect(result.errors[0]).toContain('TURNTAPE_UNUSED')
    }
    const result = await run('update', { args: ['-u'], env: { MISSING: '1' } })
    expect(result, result.output).toMatchObject({ status: 'passed', live: [], report: ['Cassettes  1 updated'] })
    expect(JSON.parse(project.read(cassette)).interactions).toHaveLength(2)
  })
})

describe('who decides', () => {
  test('-u in CI touches snapshots only and the report says so', async () => {
    const { run } = await setUp()
    const result = await run('replay', { args: ['-u'], env: { CI: '1' } })
    expect(result.report, result.output).toEqual([
      'Cassettes  1 replayed',
      '-u touched snapshots only: in CI nothing is recorded unless TURNTAPE_MODE says so',
    ])
  })

  test('an unknown TURNTAPE_MODE fails the run and lists the valid ones', async () => {
    const { run } = await setUp()
    const result = await run('-', { env: { TURNTAPE_MODE: 'recrod' } })
    expect(result).toMatchObject({ live: [], kept: true })
    expect(/ReplayError: [^❯]*/.exec(result.output)?.[0].trim()).toMatchInlineSnapshot(`
      "ReplayError: The variable TURNTAPE_MODE is "recrod", which is no record mode [TURNTAPE_INVALID_MODE]

      valid       auto, replay, update, record, rebase, live
      meant       record?"
    `)
  })

  test('an unknown mode in an option fails the test', async () => {
    const { run, statuses } = createLifeProject(model, {
      'test/option.test.js': `import { test } from 'vitest'
import { replay } from 'turntape/vitest'
import { ask } from '../client.js'
const wrong = replay(test, { mode: 'recrod' })
wrong('asks', async () => { await ask('question').catch(() => {}) })
wrong('asks nothing', () => {})
wrong('asks and fails by it', async () => { await ask('question') })
`,
    })
    const result = await run()
    expect(statuses(result), result.output).toEqual({
      asks: 'failed',
      'asks nothing': 'failed',
      'asks and fails by it': 'failed',
    })
    expect(Object.values(result.tests).map(({ errors }) => errors.length)).toEqual([1, 1, 1])
    expect(await model.count()).toBe(0)
  })
})
