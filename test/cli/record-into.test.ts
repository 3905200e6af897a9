/** A scheduled refresh: a fresh set recorded beside the committed one, and what drifted. */
import { beforeAll, expect, test } from 'vitest'
import { type Model, startModel } from '../life/model.ts'
import { files as behaviours } from '../runners/behaviours.ts'
import { createRunnerProject, type Runner } from '../runners/runner-project.ts'

let model: Model
beforeAll(async () => {
  model = await startModel()
})

const file = `import { expect, replay, plain, test } from '../runner.js'
import { ask } from '../client.js'
test('stays', async () => { await ask('the first question') })
test('drifts', async () => { await ask('one'); await ask(process.env.DRIFT ? 'drifting' : 'two') })
replay(plain, { path: 'cassettes/shared/placed.json' })('placed', async () => { await ask('placed') })
`

test.each<Runner>([
  { name: 'vitest', version: '4.1.12', form: [] },
  { name: 'jest', version: '30.5.2', form: 'cjs' },
])(
  '$name: `record --all --into` leaves the committed set as it is, and diff tells drift from failure',
  async (runner) => {
    await model.reset()
    const life = await createRunnerProject(runner, process.versions.node)
    if ('missing' in life) throw new Error(life.missing)
    life.write({ 'client.js': behaviours['client.js'] ?? '', 'test/agent.test.js': file })
    const { project } = life
    const env = { MODEL_URL: model.url }
    const recorded = await life.run([], env)
    expect(project.cassettes(), recorded.output).toEqual([
      'shared/placed.json',
      'test/agent.test/drifts.json',
      'test/agent.test/stays.json',
    ])
    const committed = project.cassettes().map((path) => project.read(`cassettes/${path}`))

    const fresh = await project.turntape(['record', '--all', '--into', 'fresh'], { env: { ...env, CI: '1' } })
    expect(fresh.code, fresh.output).toBe(0)
    expect(project.files('fresh'), fresh.output).toEqual(project.cassettes())
    expect(project.cassettes().map((path) => project.read(`cassettes/${path}`))).toEqual(committed)
    const same = await project.turntape(['diff', 'cassettes', 'fresh', '--answers-only'], { env })
    expect([same.code, same.output]).toEqual([0, '3 cassettes compared, all the same\n'])

    await model.reset()
    const replayed = await life.run([], { ...env, TURNTAPE_FOLDER: 'fresh', TURNTAPE_MODE: 'replay' })
    expect([replayed.code, await model.count()], replayed.output).toEqual([0, 0])

    const again = await project.turntape(['record', '--all', '--into', 'fresh'], { env })
    expect([again.code, again.output.includes('fresh is not empty')], again.output).toEqual([2, true])

    const drifted = { MODEL_URL: `${model.url}/with/words=3` }
    await project.turntape(['record', '--all', '--into', 'drifted'], { env: drifted })
    const drift = await project.turntape(['diff', 'cassettes', 'drifted', '--answers-only'], { env })
    expect(drift.code, drift.output).toBe(3)
    expect(drift.output).toContain('- "answer to: the first question"')
    expect(drift.output).toContain('+ "word word word"')
    expect(drift.output).toContain('3 cassettes compared, 3 not the same')

    project.write({ 'fresh/test/agent.test/stays.json': '{ "format": "turntape/0"' })
    const failure = await project.turntape(['diff', 'cassettes', 'fresh', '--answers-only'], { env })
    expect([failure.code, failure.output.includes('1 not readable')], failure.output).toEqual([1, true])
  },
)

test('a fresh set goes into a new folder below the package root, and only whole', async () => {
  const life = await createRunnerProject({ name: 'vitest', version: '4.1.12', form: [] }, process.versions.node)
  if ('missing' in life) throw new Error(life.missing)
  const said: string[] = []
  for (const args of [
    ['test/a.test.js', '--into', 'fresh'],
    ['--all', '--into', 'fresh', '--mode', 'update'],
    ['--all', '--into', '..'],
    ['--all', '--into', '.'],
    ['--all', '--into', 'cassettes'],
  ]) {
    const { code, stderr } = await life.project.turntape(['record', ...args])
    said.push(`${code} ${stderr.split('\n')[0]}`)
  }
  expect(said).toEqual([
    '2 --into goes with --all and no mode [TURNTAPE_USAGE]',
    '2 --into goes with --all and no mode [TURNTAPE_USAGE]',
    '2 A set cannot be recorded into .. [TURNTAPE_USAGE]',
    '2 A set cannot be recorded into . [TURNTAPE_USAGE]',
    '2 A set cannot be recorded into cassettes [TURNTAPE_USAGE]',
  ])
})
