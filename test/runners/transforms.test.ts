import { beforeAll, expect, test } from 'vitest'
import { type Model, startModel } from '../life/model.ts'
import { ensureTypes } from '../projects/package.ts'
import { createRunnerProject, type Runner } from './runner-project.ts'

let model: Model
beforeAll(async () => {
  model = await startModel()
  ensureTypes()
}, 120_000)

const runner: Runner = { name: 'jest', version: '30.5.2', form: 'cjs', transforms: true }

const files = {
  'client.ts': `export async function ask(text: string): Promise<string> {
  const body = JSON.stringify({ model: 'small', messages: [{ role: 'user', content: text }] })
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(process.env.MODEL_URL + '/v1/chat/completions', { method: 'POST', headers, body })
  return ((await response.json()) as { choices: { message: { content: string } }[] }).choices[0]!.message.content
}
`,
  'tools.ts': `export async function book(flight: { to: string }): Promise<string> {
  if (process.env.CI) throw new Error('a tool ran in replay')
  return 'booked ' + flight.to
}
`,
  'test/typed.test.ts': `import { recordTools, replay, test as taped, useReplay, type Tape } from 'turntape/jest'
import { ask } from '../client'
import { book } from '../tools'

jest.mock('../tools', () => recordTools(jest.requireActual<typeof import('../tools')>('../tools')))

taped('wrapped', async ({ tape }) => {
  const answer: string = await ask('wrapped')
  expect(answer).toBe('answer to: wrapped')
  expect(tape.turns).toHaveLength(1)
  expect(tape).toHaveFinalText('answer to: wrapped')
})
replay(it, { order: 'any' }).each([['a', 1], ['b', 2]] as const)('each %s', async (letter, number) => {
  const exact: 1 | 2 = number
  await ask(letter + exact)
})
taped.for([{ word: 'c' }])('for $word', async ({ word }, { tape }) => {
  await ask(word)
  const same: Tape = tape
  expect(same.turns).toHaveLength(1)
})
it('covers itself', async () => {
  const tape: Tape = useReplay()
  await ask('within')
  expect(tape.turns).toHaveLength(1)
})
taped('tools', async () => { expect(await book({ to: 'Oslo' })).toBe('booked Oslo') })
`,
}

/** With the functions of `@jest/globals`, whose matchers the project declares itself. */
const fromGlobals = {
  'test/globals.test.ts': `import { expect, it } from '@jest/globals'
import { replay, type TrajectoryMatchers } from 'turntape/jest'
import { ask } from '../client'

declare module 'expect' {
  interface Matchers<R extends void | Promise<void>> extends TrajectoryMatchers<R> {}
}

replay(it)('of the package', async ({ tape }) => {
  await ask('of the package')
  expect(tape).toHaveFinalText('answer to: of the package')
})
`,
}

const requiringFactory = {
  'test/typed.test.ts': files['test/typed.test.ts']
    .replace('recordTools, replay', 'replay')
    .replace('() => recordTools(', "() => require('turntape/jest').recordTools("),
}

const compilerOptions = { strict: true, noUncheckedIndexedAccess: true, target: 'es2022', types: ['jest', 'node'] }

const presets = ['@babel/preset-typescript', ['@babel/preset-env', { targets: { node: 'current' } }]]

const transforms: Readonly<Record<string, { readonly transform: object; readonly compilerOptions?: object }>> = {
  'ts-jest, resolution as in Node': {
    transform: { '\\.ts$': 'ts-jest' },
    compilerOptions: { module: 'nodenext', moduleResolution: 'nodenext' },
  },
  'ts-jest, resolution of old': {
    transform: { '\\.ts$': 'ts-jest' },
    compilerOptions: { module: 'commonjs', moduleResolution: 'node10' },
  },
  'babel-jest': { transform: { '\\.ts$': ['babel-jest', { presets }] } },
  swc: { transform: { '\\.ts$': ['@swc/jest', { jsc: { parser: { syntax: 'typescript' }, target: 'es2022' } }] } },
}

// The whole matrix only: what transforms TypeScript is three hundred packages.
const wanted = process.env.TURNTAPE_MATRIX === 'full' || process.env.TURNTAPE_MATRIX === 'transforms'

test.skipIf(!wanted).for(Object.entries(transforms))(
  'TypeScript by %s records and replays, types checked where it checks',
  { timeout: 240_000 },
  async ([, { transform, compilerOptions: own = {} }], { skip }) => {
    await model.reset()
    const project = await createRunnerProject(runner, process.versions.node)
    if ('missing' in project) return skip(project.missing)
    project.write({
      ...files,
      ...fromGlobals,
      // babel-jest lets the factory of a mock use nothing that was imported.
      ...(JSON.stringify(transform).includes('babel-jest') ? requiringFactory : {}),
      'jest.config.json': JSON.stringify({ preset: 'turntape/jest', transform }),
      'tsconfig.json': JSON.stringify({ compilerOptions: { ...compilerOptions, ...own } }),
    })
    const env = { MODEL_URL: model.url }
    const recorded = await project.run([], env)
    expect([recorded.code, recorded.counts], recorded.output).toEqual([0, '7 written'])
    const replayed = await project.run([], { ...env, CI: '1' })
    expect([replayed.code, replayed.counts], replayed.output).toEqual([0, '7 replayed'])
    expect(await model.count()).toBe(6)
  },
)
