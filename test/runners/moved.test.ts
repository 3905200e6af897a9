/** Renamed and moved tests: offered as `turntape move` before anything is paid for, in both runners. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { type Model, startModel } from '../life/model.ts'
import { files as behaviours } from './behaviours.ts'
import { createRunnerProject, type Runner, type RunnerProject } from './runner-project.ts'

let model: Model
beforeAll(async () => {
  model = await startModel()
})

const imports = `import { describe, expect, plain, replay, test } from '../runner.js'
import { ask, askQuietly } from '../client.js'
`
const dated = `import { dates } from 'turntape'
`

const before = {
  'test/names.test.js': `${imports}${dated}
replay(plain, { normalise: [dates()] })('dated before', async () => { await ask('on 2026-01-01') })
test('to be placed', async () => { await ask('placed') })
test('before', async () => { await ask('renamed'); await ask('second') })
describe('group before', () => {
  test('inside', async () => { await ask('in a group') })
})
test.each([['a'], ['b']])('row %s', async (letter) => { await ask('row ' + letter) })
test('blue and old', async () => { await ask('the same') })
test('red and old', async () => { await ask('the same') })
test('a tool first', async ({ tape }) => { tape.tool('look', () => 1)('here') })
test('stays', async () => { await ask('stays') })
`,
  'test/old/place.test.js': `${imports.replaceAll('../', '../../')}
test('one', async () => { await ask('one') })
test('two', async () => { await ask('two') })
`,
  'test/giver.test.js': `${imports}
test('wanders', async () => { await ask('wanders') })
test('is copied', async () => { await ask('copied') })
`,
}

const after = {
  'test/names.test.js': `${imports}${dated}
replay(plain, { normalise: [dates()] })('dated after', async () => { await ask('on 2026-02-02') })
replay(plain, { path: 'cassettes/placed.json' })('placed', async () => { await ask('placed') })
test('after', async () => {
  await Promise.all([askQuietly('renamed'), askQuietly('at the same time')])
  await ask('second')
})
describe('group after', () => {
  test('inside', async () => { await ask('in a group') })
})
test.each([['a'], ['b']])('line %s', async (letter) => { await ask('row ' + letter) })
test('red and new', async () => { await ask('the same') })
test('the tool comes first', async ({ tape }) => { tape.tool('look', () => 1)('here') })
test('stays', async () => { await ask('stays') })
test('is new', async () => { await ask('is new') })
`,
  'test/new/place.test.js': before['test/old/place.test.js'],
  'test/giver.test.js': `${imports}
test('is copied', async () => { await ask('copied') })
`,
  'test/taker.test.js': `${imports}
test('wanders', async () => { await ask('wanders') })
test('is copied', async () => { await ask('copied') })
`,
}

const moves = [
  ['cassettes/test/giver.test/wanders.json', 'test/taker.test.js > wanders'],
  ['cassettes/test/names.test/a-tool-first.json', 'test/names.test.js > the tool comes first'],
  ['cassettes/test/names.test/before.json', 'test/names.test.js > after'],
  ['cassettes/test/names.test/dated-before.json', 'test/names.test.js > dated after'],
  ['cassettes/test/names.test/group-before__inside.json', 'test/names.test.js > group after > inside'],
  ['cassettes/test/names.test/red-and-old.json', 'test/names.test.js > red and new'],
  ['cassettes/test/names.test/row-a.json', 'test/names.test.js > line a'],
  ['cassettes/test/names.test/row-b.json', 'test/names.test.js > line b'],
  ['cassettes/test/names.test/to-be-placed.json', 'cassettes/placed.json'],
  ['cassettes/test/old/place.test', 'cassettes/test/new/place.test'],
]

async function createProject(runner: Runner): Promise<RunnerProject> {
  const project = await createRunnerProject(runner, process.versions.node)
  if ('missing' in project) throw new Error(project.missing)
  project.write({ 'client.js': behaviours['client.js'] ?? '' })
  return project
}

function offered(output: string): readonly (readonly string[])[] {
  const commands = output.matchAll(/npx turntape move "([^"]+)" "([^"]+)"/g)
  const found = new Map([...commands].map(([command, from = '', to = '']) => [command, [from, to]]))
  return [...found.values()].sort(([one = ''], [other = '']) => (one < other ? -1 : 1))
}

const slice: readonly Runner[] = [
  { name: 'vitest', version: '4.1.12', form: [] },
  { name: 'jest', version: '30.5.2', form: 'cjs' },
]
const others: readonly Runner[] = [
  { name: 'vitest', version: '3.2.7', form: ['--no-isolate'] },
  { name: 'vitest', version: '4.1.12', form: ['--pool=vmThreads'] },
  { name: 'jest', version: '29.7.0', form: 'esm' },
]

test.each(process.env.TURNTAPE_MATRIX === 'full' ? [...slice, ...others] : slice)(
  '$name $version: a renamed or moved test is offered its cassette, locally before a live call and in CI',
  async (runner) => {
    await model.reset()
    const project = await createProject(runner)
    const env = { MODEL_URL: model.url }
    project.write(before)
    const recorded = await project.run([], env)
    expect(project.project.cassettes(), recorded.output).toHaveLength(14)
    await model.reset()

    rmSync(join(project.project.folder, 'test/old'), { recursive: true })
    project.write(after)
    const inCi = await project.run([], { ...env, CI: '1' })
    expect(offered(inCi.output), inCi.output).toEqual(moves)
    expect(inCi.output).toMatch(/Move it locally and commit the files/)
    expect(await model.count()).toBe(0)

    const refused = await project.run([], env)
    expect(offered(refused.output), refused.output).toEqual(moves)
    expect(refused.output).toContain('2 cassettes begin with this very request and belong to no test')
    expect(refused.output).toContain('Move all 2 cassettes of that file')
    expect(Object.values(refused.errors).flat().join('\n')).toContain('TURNTAPE_MISSING_CASSETTE')
    // What is new is recorded: that a cassette of another test begins alike says nothing while that test is there.
    expect((await model.log()).map(({ body }) => body.messages[0].content).sort()).toEqual(['copied', 'is new'])
    expect(refused.statuses).toMatchObject({ 'is new': 'passed', after: 'failed', 'line a': 'failed', one: 'failed' })

    const filtered = await project.run(['-t', 'stays'], env)
    expect([filtered.code, offered(filtered.output)], filtered.output).toEqual([0, []])

    for (const [from = '', to = ''] of moves.filter(([, to]) => /place.test|line a/.test(to ?? ''))) {
      const moved = await project.project.turntape(['move', from, to], { env })
      expect(moved.code, moved.output).toBe(0)
    }
    await model.reset()
    const replayed = await project.run(['-t', '^(line a|one|two)$'], env)
    expect(replayed.statuses, replayed.output).toMatchObject({ 'line a': 'passed', one: 'passed', two: 'passed' })
    expect(await model.count()).toBe(0)
  },
)
