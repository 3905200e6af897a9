import { beforeAll, describe, test } from 'vitest'
import { type Model, startModel } from '../life/model.ts'
import { checkBehaviours } from './check-behaviours.ts'
import { type Cell, cellsToRun, nameOf } from './matrix.ts'
import { createRunnerProject } from './runner-project.ts'

let model: Model
beforeAll(async () => {
  model = await startModel()
})

describe('record, replay, diverge and update alike', () => {
  test.for(cellsToRun().map((cell): [string, Cell] => [nameOf(cell), cell]))(
    '%s',
    { timeout: 300_000 },
    async ([, { runner, node }], { skip }) => {
      const project = await createRunnerProject(runner, node)
      if ('missing' in project) return skip(project.missing)
      await checkBehaviours(project, model)
    },
  )
})
