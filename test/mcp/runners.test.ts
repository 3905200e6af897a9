/** The entry as users have it, in a test under each runner: recorded once, then replayed with a command that is not there. */
import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { repository } from '../projects/package.ts'
import { createProject } from '../projects/project.ts'
import { createRunnerProject } from '../runners/runner-project.ts'
import { everythingScript } from './everything-server.ts'

const agent = `import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { recordTransport } from 'turntape/mcp'

export async function sumUp() {
  const client = new Client({ name: 'agent', version: '1.0.0' })
  const live = () => new StdioClientTransport({ command: process.env.COMMAND, args: [process.env.SCRIPT], stderr: 'ignore' })
  await client.connect(recordTransport(live, { name: 'everything' }))
  const { content } = await client.callTool({ name: 'get-sum', arguments: { a: 2, b: 3 } })
  await client.close()
  return content[0].text
}
`
const body = `test('sums up', async () => {
  expect(await sumUp()).toBe('The sum of 2 and 3 is 5.')
})
`
/** The SDK of an agent makes the transport itself. */
const deepAgent = `import { MCPServerStdio } from '@openai/agents'

export async function sumUp() {
  const server = new MCPServerStdio({ command: process.env.COMMAND, args: [process.env.SCRIPT], name: 'everything' })
  await server.connect()
  const [{ text }] = await server.callTool('get-sum', { a: 2, b: 3 })
  await server.close()
  return text
}
`
const mockedTransport = `import { test } from 'turntape/vitest'
import { expect, vi } from 'vitest'
import { sumUp } from './deep-agent.js'

vi.mock('@modelcontextprotocol/sdk/client/stdio.js', async (original) => {
  const { recordTransport } = await import('turntape/mcp')
  const sdk = await original()
  function StdioClientTransport(server) {
    return recordTransport(new sdk.StdioClientTransport(server), { name: 'everything' })
  }
  return { ...sdk, StdioClientTransport }
})

`
const inlineAgents = `import { replayPlugin } from 'turntape/vitest'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  plugins: [replayPlugin()],
  test: { server: { deps: { inline: [/@openai.agents/] } } },
})
`
const live = { COMMAND: process.execPath, SCRIPT: everythingScript }
const gone = { COMMAND: 'no-such-command', SCRIPT: '', CI: '1' }

test('under Vitest a server is recorded once and not started again, also one that an SDK starts deep inside', async () => {
  const project = createProject({
    'agent.js': agent,
    'vitest.config.ts': inlineAgents,
    'deep-agent.js': deepAgent,
    'deep.test.js': mockedTransport + body,
    'sum.test.js': `import { test } from 'turntape/vitest'\nimport { expect } from 'vitest'\nimport { sumUp } from './agent.js'\n\n${body}`,
  })
  const recorded = await project.vitest([], { env: live })
  expect([recorded.code, project.cassettes()], recorded.output).toEqual([
    0,
    ['deep.test/sums-up.json', 'sum.test/sums-up.json'],
  ])
  const replayed = await project.vitest([], { env: gone })
  expect([replayed.code, replayed.output]).toEqual([0, expect.stringMatching(/Cassettes {2}2 replayed/)])
})

test('under Jest a server is recorded once and not started again', async () => {
  const project = await createRunnerProject({ name: 'jest', version: '30.5.2', form: 'cjs' }, process.versions.node)
  if ('missing' in project) throw new Error(project.missing)
  const scope = '@modelcontextprotocol'
  symlinkSync(join(repository, 'node_modules', scope), join(project.project.folder, 'node_modules', scope), 'junction')
  project.write({
    'agent.js': agent,
    'sum.test.js': `import { test } from 'turntape/jest'\nimport { sumUp } from './agent.js'\n\n${body}`,
    'jest.config.json': JSON.stringify({ preset: 'turntape/jest', transform: {} }),
  })
  const recorded = await project.run([], live)
  expect([recorded.code, recorded.counts], recorded.output).toEqual([0, '1 written'])
  const replayed = await project.run([], gone)
  expect([replayed.code, replayed.counts], replayed.output).toEqual([0, '1 replayed'])
})
