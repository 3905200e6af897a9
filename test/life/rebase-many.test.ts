import { beforeAll, expect, test } from 'vitest'
import { createLifeProject } from './life-project.ts'
import { type Model, startModel } from './model.ts'

let model: Model
beforeAll(async () => {
  model = await startModel()
})

const files = 5
const perFile = 20

const testFile = `
import { test } from 'turntape/vitest'
import { expect } from 'vitest'
import { post } from '../client.js'
const prompt = 'You look after a house of many rooms. ' + (process.env.EDITED ?? 'Be brief.') + ' Name each room once.'
for (let number = 1; number <= ${perFile}; number += 1) {
  test('room ' + number, async () => {
    const response = await post([{ role: 'system', content: prompt }, { role: 'user', content: 'room ' + number }])
    expect((await response.json()).choices[0].message.content).toBe('answer to: room ' + number)
  })
}
`

test('rebase takes one edit of a prompt over into every cassette, without a key or a call, and lists and marks each', async () => {
  const paths = Array.from({ length: files }, (_, index) => `test/house-${index + 1}.test.js`)
  const { project, run } = createLifeProject(model, Object.fromEntries(paths.map((path) => [path, testFile])))
  const recorded = await run()
  expect(recorded.report, recorded.output).toEqual([`Cassettes  ${files * perFile} written`])
  const cassettes = project.cassettes().map((path) => `cassettes/${path}`)
  expect(cassettes).toHaveLength(files * perFile)
  const before = cassettes.map((path) => project.read(path))
  await model.reset()

  // Where nobody listens: a call would fail.
  const nowhere = { MODEL_URL: 'http://127.0.0.1:9', EDITED: 'Be kind.' }
  const rebase = await project.turntape(['record', '--all', '--mode', 'rebase'], { env: nowhere })
  expect(rebase.code, rebase.output).toBe(0)
  expect(rebase.output).toContain(`Cassettes  ${files * perFile} rebased`)
  const listed = [...rebase.output.matchAll(/^ +rebased (\S+)$/gm)].map(([, path]) => path)
  expect(listed.toSorted()).toEqual(cassettes)

  for (const [index, path] of cassettes.entries()) {
    const [old, now] = [before[index] as string, project.read(path)].map((text) => text.split('\n'))
    expect(now, path).toHaveLength(old?.length ?? 0)
    expect(
      now?.filter((line, at) => line !== old?.[at]).map((line) => line.trim()),
      path,
    ).toEqual([
      '"provenance": { "kind": "derived", "reason": "rebased" },',
      expect.stringMatching(/^"hash": "/),
      expect.stringContaining('Be kind.'),
    ])
  }
  const replay = await run([], { env: { ...nowhere, CI: '1' } })
  expect(replay.report, replay.output).toEqual([`Cassettes  ${files * perFile} replayed`])
  expect(await model.count()).toBe(0)
})
