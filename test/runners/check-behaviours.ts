/** Runs the behaviours in one cell of the matrix and holds each of them. */
import { expect } from 'vitest'
import type { Model } from '../life/model.ts'
import { cassettes, files } from './behaviours.ts'
import type { Outcome, RunnerProject } from './runner-project.ts'

export async function checkBehaviours(project: RunnerProject, model: Model): Promise<void> {
  await model.reset()
  project.write(files)
  const env = { MODEL_URL: model.url }
  await records(project, { model, env })
  const asked = await model.count()
  await replays(project, { ...env, CI: '1' })
  await diverges(project, { ...env, CI: '1', CHANGED: '1', DIVERGE: '1' })
  expect(await model.count(), 'nothing goes live in CI').toBe(asked)
  await updates(project, { model, env, asked })
}

type Environment = Readonly<Record<string, string>>

async function records(project: RunnerProject, { model, env }: { readonly model: Model; readonly env: Environment }) {
  const recording = await project.run([], env)
  expect(statusesOtherThan('passed', recording), recording.output).toEqual(notRun)
  expect([recording.code, recording.counts], recording.output).toEqual([0, `${cassettes.length} written`])
  expect(project.project.cassettes()).toEqual(cassettes.map((path) => `test/${path}`))
  const asked = (await model.log()).map(({ body }) => body.messages[0].content as string)
  expect(asked).not.toContain('never')
  expect(asked.filter((text) => text === 'question')).toHaveLength(2)
  expect(project.project.pending()).toEqual([])
}

async function replays(project: RunnerProject, env: Environment) {
  const replaying = await project.run([], env)
  expect(statusesOtherThan('passed', replaying), replaying.output).toEqual(notRun)
  expect([replaying.code, replaying.counts], replaying.output).toEqual([0, `${cassettes.length} replayed`])
}

async function diverges(project: RunnerProject, env: Environment) {
  const changed = await project.run([], env)
  expect(changed.code).toBe(1)
  expect(statusesOtherThan('passed', changed), changed.output).toEqual({
    ...notRun,
    ...Object.fromEntries(diverged.map((name) => [name, 'failed'])),
  })
  const firstLines = Object.fromEntries(diverged.map((name) => [name, changed.errors[name]?.map(withoutName)[0]]))
  expect(firstLines, changed.output).toEqual({
    ...Object.fromEntries(diverged.map((name) => [name, promptChanged])),
    'after a failure has an assertion before the divergence': expect.stringMatching(/^expect\(|^expected /),
    'asks for less': expect.stringContaining('[TURNTAPE_UNUSED]'),
    'asks for more': expect.stringContaining('[TURNTAPE_EXHAUSTED]'),
  })
  const replayed = cassettes.length - diverged.length
  const counts = `${replayed} replayed | ${diverged.length - 1} diverged | 1 diverged before passing | 1 unused`
  expect(changed.counts).toBe(counts)
  // A retry that passed does not hide what its first attempt was refused.
  expect(changed.notes).toEqual([`retried > passes at last: an attempt failed before: ${promptChanged}`])
}

interface Update {
  readonly model: Model
  readonly env: Environment
  readonly asked: number
}

async function updates(project: RunnerProject, { model, env, asked }: Update) {
  const before = texts(project)
  const unchanged = await project.run(['-u'], { ...env, CI: '' })
  expect([unchanged.code, unchanged.counts], unchanged.output).toEqual([0, `${cassettes.length} replayed`])
  expect(texts(project)).toEqual(before)
  expect(await model.count()).toBe(asked)

  const changed = await project.run(['-u', ...project.only('test/verdict.test.js')], { ...env, CI: '', CHANGED: '1' })
  expect(changed.counts, changed.output).toMatch(/\d+ updated/)
  const after = texts(project)
  expect(after['test/verdict.test/swallows-the-divergence.json']).toContain('one changed')
  for (const untouched of ['test/verdict.test/stays-as-it-is.json', 'test/forms.test/wrapped.json'])
    expect(after[untouched]).toBe(before[untouched])
}

const notRun = { skipped: 'skipped', 'to do': 'skipped', 'left out': 'skipped' }

const promptChanged = 'Turn 1 is not as recorded: messages[0].content changed [TURNTAPE_DIVERGED]'

const diverged = [
  'swallows the divergence',
  'fails by the divergence that an SDK throws',
  'has an assertion after the divergence',
  'after a failure has an assertion before the divergence',
  'is to fail, and not by a divergence',
  'asks for less',
  'asks for more',
  'swallows it, concurrent',
  'in a hook swallows it after the test',
]

function statusesOtherThan(status: string, { statuses }: Outcome): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(statuses).filter(([, found]) => found !== status))
}

function withoutName(line: string): string {
  return line.replace(/^\w*Error: /, '')
}

function texts({ project }: RunnerProject): Readonly<Record<string, string>> {
  return Object.fromEntries(project.cassettes().map((path) => [path, project.read(`cassettes/${path}`)]))
}
