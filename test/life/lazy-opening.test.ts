import { beforeAll, expect, test } from 'vitest'
import { createLifeProject } from './life-project.ts'
import { type Model, startModel } from './model.ts'

let model: Model
beforeAll(async () => {
  model = await startModel()
})

const file = `
import { test as plain } from 'vitest'
import { replay } from 'turntape/vitest'
import { askStreamed } from '../client.js'
const test = replay(plain, { allow: { unused: true } })
test('three', async () => {
  for (const turn of (process.env.TURNS ?? '1,2,3').split(',')) await askStreamed('question ' + turn, { switches: 'words=40' })
})
`
const cassette = 'cassettes/test/lazy.test/three.json'

test('CU-14 a session unfolds what it serves: a fault that only unfolding shows is found when its call is made', async () => {
  const { project, run, statuses } = createLifeProject(model, { 'test/lazy.test.js': file })
  expect((await run()).report).toEqual(['Cassettes  1 written'])
  const broken = JSON.parse(project.read(cassette))
  const { body } = broken.interactions[2].response
  body.cuts = { bytes: [body.gapsMs.length] }
  delete body.gapsMs
  project.write({ [cassette]: JSON.stringify(broken) })

  const others = await run([], { env: { CI: '1', TURNS: '1,2' } })
  expect(statuses(others), others.output).toEqual({ three: 'passed' })
  const all = await run([], { env: { CI: '1' } })
  expect(statuses(all)).toEqual({ three: 'failed' })
  expect(all.tests.three?.errors[0]).toContain('pointer     /interactions/2/response/body/cuts/bytes')
})
