/** Who may record, in both runners: CI writes nothing unless TURNTAPE_MODE itself says so. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { type Model, startModel } from '../life/model.ts'
import { files as behaviours } from './behaviours.ts'
import { createRunnerProject, type Outcome, type Runner } from './runner-project.ts'

let model: Model
beforeAll(async () => {
  model = await startModel()
})

const imports = `import { expect, plain, test } from '../runner.js'
import { ask } from '../client.js'
`
const files = {
  'client.js': behaviours['client.js'] ?? '',
  'test/kept.test.js': `${imports}
test('kept', async () => {
  if (!process.env.OPENAI_API_KEY) throw new Error('a client cannot be built without a key')
  await ask('kept' + (process.env.CHANGED ?? ''))
})
`,
  'test/new.test.js': `${imports}
test('new', async () => { await ask('new') })
`,
  'test/snapshot.test.js': `${imports}
plain('snapshot', () => { expect(process.env.SNAPSHOT ?? 'before').toMatchSnapshot() })
`,
}

const kept = 'cassettes/test/kept.test/kept.json'
const fresh = 'cassettes/test/new.test/new.json'

interface Situation {
  readonly name: string
  readonly env?: Readonly<Record<string, string>>
  readonly args?: readonly string[]
  /** What is asked of the model. */
  readonly live: readonly string[]
  readonly statuses: readonly [kept: string, fresh: string]
  readonly writes: readonly ('kept' | 'new')[]
}

const refused: Pick<Situation, 'live' | 'writes'> = { live: [], writes: [] }

function situations(none: string): readonly Situation[] {
  const ci = { CI: '1' }
  return [
    { name: 'CI', env: ci, statuses: ['passed', 'failed'], ...refused },
    {
      name: 'CI, -u',
      env: { ...ci, CHANGED: '!', SNAPSHOT: 'after' },
      args: ['-u'],
      statuses: ['failed', 'failed'],
      ...refused,
    },
    { name: `no CI, ${none}`, args: [none], statuses: ['passed', 'failed'], ...refused },
    {
      name: 'CI, TURNTAPE_MODE=auto',
      env: { ...ci, TURNTAPE_MODE: 'auto', CHANGED: '!' },
      statuses: ['failed', 'passed'],
      live: ['new'],
      writes: ['new'],
    },
    {
      name: 'CI, TURNTAPE_MODE=record',
      env: { ...ci, TURNTAPE_MODE: 'record', CHANGED: '!' },
      statuses: ['passed', 'passed'],
      live: ['kept!', 'new'],
      writes: ['kept', 'new'],
    },
    { name: 'no CI', statuses: ['passed', 'passed'], live: ['new'], writes: ['new'] },
  ]
}

test.each<[Runner, string]>([
  [{ name: 'vitest', version: '4.1.12', form: [] }, '--update=none'],
  [{ name: 'jest', version: '30.5.2', form: 'cjs' }, '--ci'],
])(
  '$name: CI records nothing but by TURNTAPE_MODE, with and without -u, and a run without keys passes',
  async (runner, none) => {
    const life = await createRunnerProject(runner, process.versions.node)
    if ('missing' in life) throw new Error(life.missing)
    const { project } = life
    const run = (args: readonly string[], env: Readonly<Record<string, string>>): Promise<Outcome> =>
      life.run(args, { MODEL_URL: model.url, ...env })
    life.write(files)
    const recording = await run(['kept', 'snapshot'], { OPENAI_API_KEY: 'of the owner' })
    expect(project.cassettes(), recording.output).toEqual(['test/kept.test/kept.json'])
    const committed = project.read(kept)

    for (const { name, env = {}, args = [], live, statuses, writes } of situations(none)) {
      await model.reset()
      const outcome = await run(args, env)
      const written = [...(project.read(kept) === committed ? [] : ['kept']), ...(project.has(fresh) ? ['new'] : [])]
      expect(
        {
          statuses: [outcome.statuses.kept, outcome.statuses.new],
          live: (await model.log()).map(({ body }) => body.messages[0].content).sort(),
          written,
          said: outcome.output.includes('-u touched snapshots only'),
          pending: project.pending(),
        },
        `${name}\n${outcome.output}`,
      ).toEqual({ statuses, live, written: writes, said: name === 'CI, -u', pending: [] })
      if (name === 'CI, -u') {
        const [snapshot = ''] = project.files('test/__snapshots__')
        expect(project.read(`test/__snapshots__/${snapshot}`)).toContain('after')
      }
      rmSync(join(project.folder, fresh), { force: true })
      project.write({ [kept]: committed })
    }
  },
)
