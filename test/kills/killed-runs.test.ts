/** Whole runs of Vitest killed in the middle of a recording, and the runs after them. */
import { beforeAll, expect, test } from 'vitest'
import { createLifeProject } from '../life/life-project.ts'
import type { Model } from '../life/model.ts'
import { startModel } from '../life/model.ts'

let model: Model
beforeAll(async () => {
  model = await startModel()
})

const calls = 8

const source = `import { test } from 'turntape/vitest'
import { ask } from '../client.js'
for (const name of ['one', 'two']) {
  test(name, { timeout: 30_000 }, async () => {
    for (let call = 1; call <= ${calls}; call++) {
      await ask(name + ' ' + call, { switches: 'wait=15' })
      console.log('ANSWERED ' + name + ' ' + call)
    }
  })
}
`

test('promise 6: runs killed while they record lose no answer: each goes on where the one before was killed, nothing is paid for twice', async () => {
  const { project, run } = createLifeProject(model, { 'test/work.test.js': source })
  const pool = ['--pool=threads', '--disableConsoleIntercept']
  for (const killAt of [2, 5]) {
    let killed = false
    await run(pool, {
      onOutput: (output, kill) => {
        if (killed || !output.includes(`ANSWERED one ${killAt}`)) return
        killed = true
        kill('SIGKILL')
      },
    })
    expect(killed).toBe(true)
    expect(project.cassettes()).toEqual([])
    expect(project.pending()).toEqual(['cassettes/test/work.test/one.json'])
  }
  const last = await run(pool)
  expect(last.report, last.output).toEqual(['Cassettes  2 written'])
  expect(project.cassettes()).toEqual(['test/work.test/one.json', 'test/work.test/two.json'])
  expect(project.pending()).toEqual([])
  const asked = (await model.log()).map(({ body }) => body.messages[0].content as string)
  // The call under way when a run is killed has not been answered: it alone is asked for again.
  const twice = asked.filter((question, at) => asked.indexOf(question) !== at)
  expect(twice.length).toBeLessThanOrEqual(2)
  expect(new Set(asked).size).toBe(2 * calls)
})
