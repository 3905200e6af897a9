/** What someone gets who installs the packed tarball into a fresh project, on each Node line that is supported. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { nodeBinary } from '../../scripts/node-versions.mjs'
import { packPackage } from '../../scripts/pack.mjs'
import { startFlightModel } from '../readme/flight-model.ts'
import { repository } from './package.ts'
import { Project } from './project.ts'

const nodeVersions = [process.versions.node, '22.23.3', '24.21.0']

// The versions this repository is developed with: what is tested here is the package, not the newest of its peers.
const { devDependencies } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8'))
const peers = ['vitest', 'vite', 'openai', 'typescript', '@types/node'].map(
  (name) => `${name}@${devDependencies[name]}`,
)

const files = {
  'package.json': '{ "name": "fresh", "private": true, "type": "module" }\n',
  'tsconfig.json': JSON.stringify({
    compilerOptions: {
      strict: true,
      noEmit: true,
      module: 'nodenext',
      target: 'es2022',
      skipLibCheck: true,
      types: ['node'],
    },
  }),
  'vitest.config.ts': `import { replayPlugin } from 'turntape/vitest'
import { defineConfig } from 'vitest/config'
export default defineConfig({ plugins: [replayPlugin()] })
`,
  'greet.test.ts': `import OpenAI from 'openai'
import { test } from 'turntape/vitest'
import { expect } from 'vitest'

const client = new OpenAI({ baseURL: process.env.OPENAI_BASE_URL ?? 'http://localhost/v1' })

test('asks for a flight', async ({ tape }) => {
  const stream = await client.chat.completions.create({
    model: 'gpt-5-mini',
    stream: true,
    messages: [{ role: 'user', content: process.env.WISH ?? 'A flight from Berlin to Oslo on Friday, for Ada' }],
  })
  const finished: unknown[] = []
  for await (const part of stream) finished.push(...part.choices.flatMap((choice) => choice.finish_reason ?? []))
  expect(finished).toHaveLength(1)
  expect(tape.turns).toHaveLength(1)
})
`,
}

let project: Project

beforeAll(() => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'fresh-')))
  project = new Project(folder)
  project.write(files)
  const tarball = packPackage(join(folder, 'turntape.tgz'))
  const args = ['install', '--no-audit', '--no-fund', '--save-dev', '--prefer-offline', tarball, ...peers]
  execFileSync('npm', args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })
}, 300_000)

afterAll(() => rmSync(project.folder, { recursive: true, force: true }), 60_000)

describe('the packed tarball in a fresh TypeScript project', () => {
  test('has right types', async () => {
    const tsc = await project.node(['node_modules/typescript/bin/tsc', '-p', '.'])
    expect([tsc.code, tsc.output]).toEqual([0, ''])
  })

  test.each(nodeVersions)('records, replays without a key, and diverges on Node %s', async (version) => {
    const found = await nodeBinary(version)
    if ('missing' in found) throw new Error(found.missing)
    const node = found.binary
    rmSync(join(project.folder, 'cassettes'), { recursive: true, force: true })

    const model = await startFlightModel(join(repository, 'examples', 'flight-agent'))
    const recorded = await project.vitest([], { node, env: model.env })
    expect([recorded.code, recorded.output.includes('Cassettes  1 written')], recorded.output).toEqual([0, true])
    await model.stop()
    expect(project.cassettes()).toEqual(['greet.test/asks-for-a-flight.json'])

    const replayed = await project.vitest([], { node, env: { CI: 'true' } })
    expect([replayed.code, replayed.output.includes('Cassettes  1 replayed')], replayed.output).toEqual([0, true])

    const changed = await project.vitest([], { node, env: { WISH: 'A flight from Berlin to Rome on Friday, for Ada' } })
    expect(changed.code).toBe(1)
    expect(changed.output).toContain('messages[0].content')
    expect(changed.output).toContain('npx turntape record "greet.test.ts > asks for a flight"')
  })
})
