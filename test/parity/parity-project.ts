/**
 * The project of the parity table. Each situation is a pair of twin tests that say the same words, one into a snapshot and
 * one to the model, so that one run shows what becomes of both. Environment variables make the edits.
 */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { files as behaviours } from '../runners/behaviours.ts'
import { createRunnerProject, type Runner, type RunnerProject } from '../runners/runner-project.ts'

/** The edits of a run; each is the name of a variable. */
export type Edit = 'EDITED' | 'GONE' | 'FAILS' | 'ONLY' | 'BROKEN'

const twins = `import { concurrent } from './concurrent.js'
import { expect, plain, test } from './runner.js'
import { ask } from './client.js'

export function twins(name, body, how = (one) => one) {
  let attempt = 0
  let other = 0
  how(plain)(name + ' (snapshot)', () => body((text) => { expect(text).toMatchSnapshot() }, ++attempt))
  how(test)(name + ' (cassette)', () => body(ask, ++other))
}

export function concurrentTwins(name, body) {
  concurrent(name + ' (snapshot)', (expect) => body((text) => { expect(text).toMatchSnapshot() }))
  test.concurrent(name + ' (cassette)', () => body(ask))
}
`

const imports = `import { expect, retrying, test } from '../runner.js'
import { concurrentTwins, twins } from '../twins.js'
import { ask } from '../client.js'
const { EDITED, GONE, FAILS, ONLY, BROKEN } = process.env
`

const edits = `${imports}
twins('unchanged', async (say) => { await say('unchanged') })
if (EDITED) twins('new', async (say) => { await say('new') })
twins('changed', async (say) => { await say(EDITED ? 'changed, as it is now' : 'changed') })
twins('one more', async (say) => {
  await say('one more')
  if (EDITED) await say('one more, the second')
})
twins('one fewer', async (say) => {
  await say('one fewer')
  if (!EDITED) await say('one fewer, the second')
})
twins('none any more', async (say) => { if (!EDITED) await say('none any more') })
twins('reordered', async (say) => {
  for (const text of EDITED ? ['the second', 'the first'] : ['the first', 'the second']) await say('reordered, ' + text)
})
twins('fails', async (say) => {
  await say('fails')
  if (FAILS) throw new Error('fails by itself')
})
twins('fails early', async (say) => {
  if (FAILS) throw new Error('fails before it says anything')
  await say('fails early')
})
twins('changed and fails', async (say) => {
  await say(FAILS ? 'changed and fails, as it is now' : 'changed and fails')
  if (FAILS) throw new Error('fails by itself')
})
if (FAILS) {
  twins('new and fails', async (say) => {
    await say('new and fails')
    throw new Error('fails by itself')
  })
}
if (!GONE) twins('deleted', async (say) => { await say('deleted') })
twins(EDITED ? 'new name' : 'old name', async (say) => { await say('renamed') })
for (const index of EDITED ? [1, 2] : [1]) twins('equal names', async (say) => { await say('equal names, ' + index) })
const overlapping = (name) => concurrentTwins(name, async (say) => {
  await say(name)
  await new Promise((resolve) => setTimeout(resolve, 5))
  await say(name + ', the second')
})
overlapping('concurrent')
if (EDITED) for (const name of ['overlapping', 'overlapping beside it']) overlapping(name)
test('both, unchanged', async () => { expect(await ask('both unchanged')).toMatchSnapshot() })
test('both, changed', async () => {
  expect(await ask(EDITED ? 'both changed, as it is now' : 'both changed')).toMatchSnapshot()
})
if (EDITED) test('both, new', async () => { expect(await ask('both new')).toMatchSnapshot() })
test('both, another answer', async () => {
  expect((await ask('both answered')) + (EDITED ? ', read otherwise' : '')).toMatchSnapshot()
})
`

const retried = `${imports}
retrying('retried', 1, () => {
  twins('changed at first', async (say, attempt) => {
    await say(FAILS && attempt === 1 ? 'changed at first, attempt 1' : 'changed at first')
  })
  twins('fails at first', async (say, attempt) => {
    await say('fails at first')
    if (FAILS && attempt === 1) throw new Error('fails by itself')
  })
  if (FAILS) {
    twins('new, fails at first', async (say, attempt) => {
      await say('new, fails at first, attempt ' + attempt)
      if (attempt === 1) throw new Error('fails by itself')
    })
  }
})
`

const only = `${imports}
twins('chosen', async (say) => { await say('chosen') }, (one) => (ONLY ? one.only : one))
twins('left out', async (say) => { await say('left out') })
if (!GONE) twins('deleted beside only', async (say) => { await say('deleted beside only') })
`

const skipped = `${imports}
twins('skipped', async (say) => { await say('skipped') }, (one) => (GONE ? one.skip : one))
if (!GONE) twins('deleted beside a skipped one', async (say) => { await say('deleted beside a skipped one') })
`

const broken = `${imports}
if (BROKEN) throw new Error('cannot be collected')
twins('in a broken file', async (say) => { await say('in a broken file') })
`

const single = (name: string): string => `${imports}
twins('${name}', async (say) => { await say('${name}') })
`

const files = {
  'client.js': behaviours['client.js'] ?? '',
  'twins.js': twins,
  'test/edits.test.js': edits,
  'test/retried.test.js': retried,
  'test/only.test.js': only,
  'test/skipped.test.js': skipped,
  'test/broken.test.js': broken,
  'test/removed.test.js': single('in a deleted file'),
  'test/old-place.test.js': single('moved'),
}

/** Vitest wants the `expect` of the test for the snapshots of concurrent tests; Jest has one for all. */
const runnerFiles = {
  vitest: {
    'concurrent.js': `import { plain } from './runner.js'
export const concurrent = (name, body) => plain.concurrent(name, ({ expect }) => body(expect))
`,
    'vitest.config.mjs': `import { replayPlugin } from 'turntape/vitest'
const { OBSOLETE: obsolete } = process.env
export default { plugins: [replayPlugin({ obsolete })], test: { include: ['test/**/*.test.js'], allowOnly: true } }
`,
  },
  jest: {
    'concurrent.js': `import { expect, plain } from './runner.js'
export const concurrent = (name, body) => plain.concurrent(name, () => body(expect))
`,
    'jest.config.js': `const { OBSOLETE: obsolete } = process.env
module.exports = {
  preset: 'turntape/jest', transform: {}, testMatch: ['<rootDir>/test/**/*.test.js'],
  reporters: ['default', ['turntape/jest/reporter', { obsolete }]],
}
`,
  },
}

export async function createParityProject(runner: Runner): Promise<RunnerProject> {
  const created = await createRunnerProject(runner, process.versions.node, afterAll)
  if ('missing' in created) throw new Error(created.missing)
  rmSync(join(created.project.folder, 'jest.config.json'), { force: true })
  created.write({ ...files, ...runnerFiles[runner.name] })
  return created
}

/** Test files that are moved or deleted: not by a variable. */
export function applyToFiles({ project }: RunnerProject, edits: readonly Edit[]): void {
  const remove = (path: string): void => rmSync(join(project.folder, path))
  if (edits.includes('GONE')) remove('test/removed.test.js')
  if (!edits.includes('EDITED')) return
  project.write({ 'test/new-place.test.js': project.read('test/old-place.test.js') })
  remove('test/old-place.test.js')
}
