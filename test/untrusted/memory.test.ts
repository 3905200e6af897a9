/** The memory bound that docs/security.md states, held by a heap that has no more. */
import { beforeAll, expect, test } from 'vitest'
import { defaultCaps } from '../../src/core/cassette/caps.ts'
import { createProject, type Project } from '../projects/project.ts'
import { monsters } from './monsters.ts'

/** As the docs state it. */
const heapMegabytes = 512

const load = `
import { openCassette } from 'turntape'
for (const file of process.argv.slice(2)) {
  try {
    console.log(openCassette(file).cassette.interactions.length > 0 ? 'ok' : 'empty')
  } catch (error) {
    console.log(error.code ?? String(error))
  }
}
`

let project: Project
beforeAll(() => {
  project = createProject({ 'load.mjs': load }, (remove) => cleanUps.push(remove))
  for (const [index, { text }] of Object.values(monsters).entries()) {
    expect(Buffer.byteLength(text), names[index]).toBeLessThanOrEqual(defaultCaps.maxCassetteBytes)
    project.write({ [`cassettes/${index}.json`]: text })
  }
  return () => {
    for (const cleanUp of cleanUps) cleanUp()
  }
})

const names = Object.keys(monsters)
const cleanUps: (() => void)[] = []
const heap = `--max-old-space-size=${heapMegabytes}`

test('F20 promise 8 a file at any cap is read, or refused, in a heap of 512 MiB', async () => {
  const files = names.map((_, index) => `cassettes/${index}.json`)
  const { stdout, output } = await project.node([heap, 'load.mjs', ...files])
  const answers = stdout.trim().split('\n')
  expect(Object.fromEntries(names.map((name, index) => [name, answers[index]])), output.slice(-3000)).toEqual(
    Object.fromEntries(names.map((name) => [name, monsters[name]?.answer])),
  )
}, 240_000)

test('F20 promise 8 turntape check looks for secrets in each of them in a heap of 512 MiB', async () => {
  const { code, stdout, output } = await project.node([heap, 'node_modules/turntape/dist/cli.js', 'check'])
  expect(stdout, output.slice(-3000)).toContain(`${names.length} cassettes checked, `)
  expect(code).toBe(1)
}, 600_000)
