import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { type Model, startModel } from '../life/model.ts'
import { cassettes, files } from './behaviours.ts'
import { createRunnerProject, type Runner, type RunnerProject } from './runner-project.ts'

let model: Model
beforeAll(async () => {
  model = await startModel()
})

const vitest: Runner = { name: 'vitest', version: '4.1.12', form: ['--pool=forks'] }
const jest: Runner = { name: 'jest', version: '30.5.2', form: 'cjs' }

test.for([
  ['Vitest', 'Jest', vitest, jest],
  ['Jest', 'Vitest', jest, vitest],
] as const)('cassettes recorded under %s replay under %s', { timeout: 120_000 }, async ([, , from, to], { skip }) => {
  await model.reset()
  const recorder = await createRunnerProject(from, process.versions.node)
  const player = await createRunnerProject(to, process.versions.node)
  if ('missing' in recorder) return skip(recorder.missing)
  if ('missing' in player) return skip(player.missing)
  recorder.write(files)
  player.write(files)
  const recorded = await recorder.run([], { MODEL_URL: model.url })
  expect(recorded.counts, recorded.output).toBe(`${cassettes.length} written`)
  const asked = await model.count()
  cpSync(folderOf(recorder), folderOf(player), { recursive: true })
  const replayed = await player.run([], { MODEL_URL: model.url, CI: '1' })
  expect([replayed.code, replayed.counts], replayed.output).toEqual([0, `${cassettes.length} replayed`])
  expect(await model.count()).toBe(asked)
})

function folderOf({ project }: RunnerProject): string {
  return join(project.folder, 'cassettes')
}
