/** Watch mode, in a real runner with keys pressed. What must not rerun would show as a run of its own before the next one. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { beforeAll, expect, test } from 'vitest'
import { type Model, startModel } from '../life/model.ts'
import type { Project } from '../projects/project.ts'
import { files as behaviours } from './behaviours.ts'
import { createRunnerProject, type Runner, type RunnerProject } from './runner-project.ts'
import { startWatching } from './watched-run.ts'

let model: Model
beforeAll(async () => {
  model = await startModel()
})

const asking = (...questions: readonly string[]): string => `import { test } from '../runner.js'
import { ask } from '../client.js'
test('asks', async () => {
${questions.map((question) => `  await ask('${question}')`).join('\n')}
})
`

async function createProject(runner: Runner): Promise<RunnerProject> {
  await model.reset()
  // Vitest 5 does not support Node 20.
  const node = runner.version.startsWith('5.') ? '22.23.3' : process.versions.node
  const project = await createRunnerProject(runner, node)
  if ('missing' in project) throw new Error(project.missing)
  project.write({
    'client.js': behaviours['client.js'] ?? '',
    'test/a.test.js': asking('one', 'two'),
    'test/b.test.js': asking('three'),
  })
  return project
}

function cassette(name: string): string {
  return `cassettes/test/${name}.test/asks.json`
}

/** Changes a cassette by hand, in what no test looks at. */
function redate(project: Project, name: string): void {
  project.write({ [cassette(name)]: project.read(cassette(name)).replace(/"recordedAt": "\d+/, '"recordedAt": "2020') })
}

async function asked(): Promise<readonly string[]> {
  const questions = (await model.log()).map(({ body }) => body.messages[0].content as string)
  await model.reset()
  return questions.sort()
}

/** Of Vitest: what started each run, how many files it took, and what became of the cassettes. */
function runs(output: string): readonly string[] {
  return output.split('\n').flatMap((line) => {
    const found = /RERUN +(.*?) +x\d|Test Files +(.*)|Cassettes +(.*)/.exec(line)
    return found === null ? [] : [found.slice(1).filter(Boolean).join('')]
  })
}

const waiting = /[Ww]a(?:tch|it)ing for file changes/
const counts = /Cassettes:? +\d.*\n/

test.each(process.env.TURNTAPE_MATRIX === 'full' ? ['3.2.7', '4.1.12', '5.1.2'] : ['4.1.12'])(
  'Vitest %s: a changed or deleted cassette reruns its tests, our own writes do not, and u pays only for what changed',
  async (version) => {
    const life = await createProject({ name: 'vitest', version, form: [] })
    const watched = startWatching(life, ['node_modules/vitest/vitest.mjs', '--watch'], { MODEL_URL: model.url })
    const { project } = life
    expect(runs(await watched.until(waiting, counts))).toEqual(['2 passed (2)', '2 written'])
    expect(await asked()).toEqual(['one', 'three', 'two'])

    redate(project, 'a')
    expect(runs(await watched.until(waiting, counts))).toEqual([cassette('a'), '1 passed (1)', '1 replayed'])
    expect(await asked()).toEqual([])

    rmSync(join(project.folder, cassette('b')))
    expect(runs(await watched.until(waiting, counts))).toEqual([cassette('b'), '1 passed (1)', '1 written'])
    expect(await asked()).toEqual(['three'])

    project.write({ 'test/a.test.js': asking('one', 'two, changed') })
    const failed = await watched.until(waiting, counts)
    expect(failed).toContain('TURNTAPE_DIVERGED')
    expect(runs(failed)[0]).toBe('test/a.test.js')
    watched.press('u')
    const updated = await watched.until(waiting, counts)
    expect(runs(updated), updated).toEqual(['update snapshot', '1 passed (1)', '1 updated'])
    expect(await asked()).toEqual(['two, changed'])

    project.write({ 'test/b.test.js': asking('three, changed') })
    expect(runs(await watched.until(waiting, counts))[0]).toBe('test/b.test.js')
  },
)

const meeting = `import { existsSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { test } from '../runner.js'
import { ask } from '../client.js'
test('asks', async () => {
  await ask(process.env.QUESTION)
  while (process.env.WAITS && !existsSync('go')) await delay(20)
})
`

test('promise 6 a watch run that records beside another run leaves its cassette alone, and keeps its own recording as pending', async () => {
  const life = await createProject({ name: 'vitest', version: '4.1.12', form: [] })
  const { project } = life
  const env = { MODEL_URL: model.url, WAITS: '1', QUESTION: 'of the watch run' }
  const watched = startWatching(life, ['node_modules/vitest/vitest.mjs', '--watch'], env)
  await watched.until(waiting, counts)
  await model.reset()

  project.write({ 'test/c.test.js': meeting })
  while ((await model.count()) === 0) await delay(50)
  const other = await life.run(['test/c.test.js'], { MODEL_URL: model.url, QUESTION: 'of the other run' })
  expect(other.counts, other.output).toBe('1 written')
  const committed = project.read(cassette('c'))
  expect(committed).toContain('of the other run')
  project.write({ go: '' })

  const met = await watched.until(/TURNTAPE_STORE_CONFLICT/, waiting)
  expect(met).toContain('node_modules/.cache/turntape/cassettes/test/c.test/asks.json')
  expect(project.read(cassette('c'))).toBe(committed)
  expect(project.read(`node_modules/.cache/turntape/${cassette('c')}`)).toContain('of the watch run')
})

/** Jest overlooks what happens before a run has wound down, and takes changes that come together as one. */
const settleMs = 500

const ranAll = /Ran all test suites[^\n]*\n/

test.each(process.env.TURNTAPE_MATRIX === 'full' ? ['29.7.0', '30.5.2'] : ['30.5.2'])(
  'Jest %s: with the preset our own writes start no run, and u pays only for what changed; without it a warning says so once',
  async (version) => {
    const life = await createProject({ name: 'jest', version, form: 'cjs' })
    const { project } = life
    const jest = ['node_modules/jest/bin/jest.js', '--watchAll']
    // Recorded ahead: Jest overlooks folders that were made while it watches.
    await life.run([], { MODEL_URL: model.url })
    const watched = startWatching(life, jest, { MODEL_URL: model.url })
    const first = await watched.until(ranAll, counts)
    expect(first).toContain('2 replayed')
    expect(first).not.toContain('watchPathIgnorePatterns')
    expect(await asked()).toEqual(['one', 'three', 'two'])

    await delay(settleMs)
    redate(project, 'a')
    await delay(settleMs)
    life.write({ 'test/a.test.js': asking('one', 'two, changed') })
    expect(await watched.until(ranAll, counts)).toContain('TURNTAPE_DIVERGED')
    await delay(settleMs)
    watched.press('u')
    expect(await watched.until(ranAll, counts)).toMatch(/1 updated, 1 replayed/)
    expect(await asked()).toEqual(['two, changed'])
    await delay(settleMs)
    life.write({ 'test/b.test.js': asking('three', 'four') })
    expect(await watched.until(ranAll, counts)).toContain('test/b.test.js > asks')
    life.write({ 'test/b.test.js': asking('three') })

    await watched.stop()
    const config = { setupFilesAfterEnv: ['turntape/jest/setup'], reporters: ['default', 'turntape/jest/reporter'] }
    life.write({ 'jest.config.json': JSON.stringify({ ...config, transform: {} }) })
    const bare = startWatching(life, jest, { MODEL_URL: model.url })
    expect(await bare.until(ranAll, counts)).toContain("set watchPathIgnorePatterns: ['/cassettes/']")
    await delay(settleMs)
    redate(project, 'a')
    const next = await bare.until(ranAll, counts)
    expect(next).toContain('2 replayed')
    expect(next).not.toContain('watchPathIgnorePatterns')
  },
)
