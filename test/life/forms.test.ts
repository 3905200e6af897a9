import { beforeAll, describe, expect, test } from 'vitest'
import { createLifeProject } from './life-project.ts'
import { type Model, startModel } from './model.ts'

let model: Model
beforeAll(async () => {
  model = await startModel()
})

const imports = `
import { afterEach, aroundEach, beforeEach, describe, expect, onTestFinished, test as plain } from 'vitest'
import { replay, test, useReplay } from 'turntape/vitest'
import { ask } from '../client.js'
`

/** Records, then replays in CI; gives the number of live calls, the cassettes and both runs. */
async function recordAndReplay(files: Readonly<Record<string, string>>, args: readonly string[] = []) {
  await model.reset()
  const { project, run, statuses } = createLifeProject(model, files)
  const recording = await run(args)
  const asked = (await model.log()).map(({ body }) => body.messages[0].content as string)
  const replaying = await run(args, { env: { CI: '1' } })
  expect(await model.count(), replaying.output).toBe(asked.length)
  return {
    project,
    recording,
    replaying,
    asked,
    statuses: statuses(recording),
    replayed: statuses(replaying),
    cassettes: project.cassettes(),
  }
}

describe('ways to cover a test', () => {
  test('test, replay(test.extend), useReplay in a test, a describe and hooks record and replay alike', async () => {
    const forms = `${imports}
test('wrapped', async ({ tape }) => {
  await ask('wrapped')
  expect(tape.turns).toHaveLength(1)
})
test('wrapped, tape not asked for', async () => { await ask('not asked for') })

const extended = replay(plain.extend({ answer: async ({}, use) => { await use(await ask('in a fixture')) } }))
extended('extended', async ({ tape, answer }) => {
  expect(answer).toBe('answer to: in a fixture')
  expect(tape.turns).toHaveLength(1)
})
const further = test.extend({ answer: async ({ tape }, use) => {
  await use(await ask('in a later fixture'))
  await ask('in its teardown')
} })
further('extended further', async ({ tape, answer }) => {
  expect(answer).toBe('answer to: in a later fixture')
  expect(tape.turns).toHaveLength(1)
})

plain('useReplay in a test', async () => {
  const tape = useReplay()
  await ask('in a plain test')
  expect(tape.turns).toHaveLength(1)
})
plain.concurrent('useReplay in a concurrent test', async () => {
  await null
  const tape = useReplay()
  await ask('in a concurrent test')
  expect(tape.turns).toHaveLength(1)
})
plain('useReplay with the context', async (context) => {
  const tape = useReplay(context)
  await ask('with the context')
  expect(tape.turns).toHaveLength(1)
})

describe('group', () => {
  const tape = useReplay()
  beforeEach(async () => { await ask('before') })
  afterEach(async () => { await ask('after') })
  plain('first', async () => {
    await ask('first')
    expect(tape.turns).toHaveLength(2)
  })
  describe('inner', () => {
    plain('second', async () => {
      onTestFinished(async () => { await ask('finished') })
      expect(tape.turns).toHaveLength(1)
    })
  })
})
describe('hooked', () => {
  beforeEach(() => { useReplay() })
  plain('by beforeEach', async () => { await ask('by beforeEach') })
})
describe('around', () => {
  aroundEach(async (run) => {
    useReplay()
    await ask('around')
    await run()
    await ask('around after')
  })
  plain('by aroundEach', async () => { await ask('by aroundEach') })
})
`
    const { recording, replaying, asked, cassettes } = await recordAndReplay({ 'test/forms.test.js': forms })
    expect(recording.report, recording.output).toEqual(['Cassettes  11 written'])
    expect(replaying.report, replaying.output).toEqual(['Cassettes  11 replayed'])
    expect([...asked].sort()).toEqual([
      'after',
      'after',
      'around',
      'around after',
      'before',
      'before',
      'by aroundEach',
      'by beforeEach',
      'finished',
      'first',
      'in a concurrent test',
      'in a fixture',
      'in a later fixture',
      'in a plain test',
      'in its teardown',
      'not asked for',
      'with the context',
      'wrapped',
    ])
    expect(cassettes.map((path) => path.replace('test/forms.test/', ''))).toEqual([
      'around__by-aroundeach.json',
      'extended-further.json',
      'extended.json',
      'group__first.json',
      'group__inner__second.json',
      'hooked__by-beforeeach.json',
      'usereplay-in-a-concurrent-test.json',
      'usereplay-in-a-test.json',
      'usereplay-with-the-context.json',
      'wrapped-tape-not-asked-for.json',
      'wrapped.json',
    ])
  })

  test('useReplay at file level covers the whole file, and include covers a file with no line changed', async () => {
    const body = `
beforeEach(async () => { await ask('before') })
test('one', async () => { expect(await ask('one')).toBe('answer to: one') })
describe('group', () => {
  test.concurrent('two', async () => { expect(await ask('two')).toBe('answer to: two') })
  test.concurrent('three', async () => { expect(await ask('three')).toBe('answer to: three') })
})
`
    const start = `import { beforeEach, describe, expect, test } from 'vitest'\nimport { ask } from '../client.js'\n`
    const files = {
      'test/level.test.js': `import { useReplay } from 'turntape/vitest'\n${start}useReplay()\n${body}`,
      'agents/untouched.test.js': `${start}${body}`,
      'other/uncovered.test.js': `${start}test('live', async () => { expect(await ask('live')).toBe('answer to: live') })`,
      'vitest.config.js': `import { replayPlugin } from 'turntape/vitest'
export default { plugins: [replayPlugin({ include: ['agents/**/*.test.js'] })] }
`,
      'vitest.config.ts': '',
    }
    await model.reset()
    const { project, run } = createLifeProject(model, files)
    const recording = await run(['--config=vitest.config.js'])
    expect(recording.report, recording.output).toEqual(['Cassettes  6 written'])
    expect(await model.count()).toBe(13)
    const replaying = await run(['--config=vitest.config.js'], { env: { CI: '1' } })
    expect(replaying.report, replaying.output).toEqual(['Cassettes  6 replayed'])
    expect((await model.log()).slice(13).map(({ body: sent }) => sent.messages[0].content)).toEqual(['live'])
    expect(project.cassettes()).toEqual([
      'agents/untouched.test/group__three.json',
      'agents/untouched.test/group__two.json',
      'agents/untouched.test/one.json',
      'test/level.test/group__three.json',
      'test/level.test/group__two.json',
      'test/level.test/one.json',
    ])
  })

  test('without the plugin the import alone records and replays', async () => {
    const file = `import { describe, expect } from 'vitest'
import { test } from 'turntape/vitest'
import { ask } from '../client.js'
test('alone', async ({ tape }) => { expect(await ask('alone')).toBe('answer to: alone') })
describe.concurrent('several', () => {
  test('one', async () => { await ask('one') })
  test('two', async () => { await ask('two') })
})
`
    const { recording, replaying, asked, cassettes } = await recordAndReplay({
      'test/alone.test.js': file,
      'vitest.config.ts': 'export default {}\n',
    })
    expect([recording.code, replaying.code], recording.output + replaying.output).toEqual([0, 0])
    expect([...asked].sort()).toEqual(['alone', 'one', 'two'])
    expect(cassettes).toHaveLength(3)
  })
})

test('SN-05 every kind of test keeps its meaning: each, for, skip, todo, concurrent, fails, equal names, nesting', async () => {
  const kinds = `${imports}
test.each([['a', 1], ['b', 2]])('each %s', async (letter, number) => { await ask('each ' + letter + number) })
test.for([{ letter: 'c' }, { letter: 'd' }])('for $letter', async ({ letter }, { tape }) => {
  await ask('for ' + letter)
  expect(tape.turns).toHaveLength(1)
})
test.skip('skipped', async () => { await ask('never') })
test.todo('to do')
test.skipIf(true)('skipped if', async () => { await ask('never') })
test.runIf(true)('run if', async () => { await ask('run if') })
test.concurrent('concurrent', async ({ expect }) => { expect(await ask('concurrent')).toBe('answer to: concurrent') })
test.fails('to fail', async () => { expect(await ask('to fail')).toBe('something else') })
test('same', async () => { await ask('same 1') })
test('same', async () => { await ask('same 2') })
test('Same', async () => { await ask('same 3') })
describe('outer', () => {
  describe.each([1, 2])('inner %i', (number) => {
    test('same', async () => { await ask('nested ' + number) })
  })
})
test('asks nothing', () => {})
`
  const { recording, replaying, asked, cassettes, statuses, replayed } = await recordAndReplay({
    'test/kinds.test.js': kinds,
  })
  expect(recording.code, recording.output).toBe(0)
  expect(replaying.code, replaying.output).toBe(0)
  expect(statuses).toEqual(replayed)
  expect(asked).not.toContain('never')
  expect(cassettes.map((path) => path.replace('test/kinds.test/', ''))).toEqual([
    'concurrent.json',
    'each-a.json',
    'each-b.json',
    'for-c.json',
    'for-d.json',
    'outer__inner-1__same.json',
    'outer__inner-2__same.json',
    'run-if.json',
    'same--2.json',
    'same--3.json',
    'same.json',
    'to-fail.json',
  ])
  expect(recording.report).toEqual(['Cassettes  12 written'])
  expect(replaying.report).toEqual(['Cassettes  12 replayed'])
})

test('a test that skips itself is neither written nor judged on what it left unused', async () => {
  await model.reset()
  const file = `${imports}
test('skips itself', async ({ skip }) => {
  await ask('before the skip')
  if (process.env.SKIP) skip()
  await ask('after the skip')
})
`
  const { project, run, statuses } = createLifeProject(model, { 'test/skip.test.js': file })
  const skipped = await run([], { env: { SKIP: '1' } })
  expect(statuses(skipped)).toEqual({ 'skips itself': 'skipped' })
  expect(skipped.report).toEqual(['Cassettes  1 pending', expect.stringMatching(/^pending: the next local run/)])
  expect(project.cassettes()).toEqual([])
  const written = await run()
  expect(written.report).toEqual(['Cassettes  1 written'])
  expect(await model.count()).toBe(2)
  const again = await run([], { env: { SKIP: '1', CI: '1' } })
  expect([again.code, statuses(again)]).toEqual([0, { 'skips itself': 'skipped' }])
  expect(await model.count()).toBe(2)
})

test('`only` and `-t` run one of equal names with its own cassette', async () => {
  await model.reset()
  const file = (only: string): string => `${imports}
test('same', async () => { await ask('first') })
test${only}('same', async () => { await ask('second') })
test('other', async () => { await ask('other') })
`
  const { project, run } = createLifeProject(model, { 'test/only.test.js': file('.only') })
  await run()
  expect(project.cassettes()).toEqual(['test/only.test/same--2.json'])
  project.write({ 'test/only.test.js': file('') })
  await run(['-t', 'other'])
  expect(project.cassettes()).toEqual(['test/only.test/other.json', 'test/only.test/same--2.json'])
  const whole = await run()
  expect(whole.report).toEqual(['Cassettes  1 written | 2 replayed'])
  expect(await model.count()).toBe(3)
})

test('nothing is printed and written for tests that ask nothing', async () => {
  const file = `${imports}
test('asks nothing', ({ tape }) => { expect(tape.turns).toEqual([]) })
plain('not covered', async () => { await ask('live') })
`
  const { project, run } = createLifeProject(model, { 'test/idle.test.js': file })
  const idle = await run()
  expect([idle.code, idle.report, project.cassettes(), project.pending()], idle.output).toEqual([0, [], [], []])
})

test('calls of automatic fixtures belong to their own test, before and after the tape is set up, concurrent tests too', async () => {
  const file = `${imports}
const seeding = (name) => [async ({ task }, use) => {
  await ask(name + ' set-up of ' + task.name, { switches: 'wait=20' })
  await use()
  await ask(name + ' teardown of ' + task.name)
}, { auto: true }]
const both = replay(plain.extend({ first: seeding('first') })).extend({ second: seeding('second') })
beforeEach(async ({ task }) => { await ask('hook of ' + task.name) })
both('alone', async ({ tape }) => {
  await ask('body of alone')
  expect(tape.turns).toHaveLength(4)
})
describe.concurrent('at once', () => {
  both.for(['one', 'two', 'three'])('%s', async (name, { tape, expect }) => {
    await ask('body of ' + name)
    expect(tape.turns).toHaveLength(4)
  })
})
`
  const { project, recording, replaying, asked, cassettes } = await recordAndReplay({ 'test/auto.test.js': file })
  expect(recording.report, recording.output).toEqual(['Cassettes  4 written'])
  expect(recording.code, recording.output).toBe(0)
  expect(replaying.report, replaying.output).toEqual(['Cassettes  4 replayed'])
  expect(asked).toHaveLength(24)
  for (const path of cassettes) {
    const name = /(?:__|\/)(alone|one|two|three)\.json$/.exec(path)?.[1]
    const { interactions } = JSON.parse(project.read(`cassettes/${path}`))
    expect(
      interactions.map(
        ({ request }: { request: { body: { json: { messages: { content: string }[] } } } }) =>
          request.body.json.messages[0]?.content,
      ),
    ).toEqual([
      `first set-up of ${name}`,
      `second set-up of ${name}`,
      `hook of ${name}`,
      `body of ${name}`,
      `second teardown of ${name}`,
      `first teardown of ${name}`,
    ])
  }
})
