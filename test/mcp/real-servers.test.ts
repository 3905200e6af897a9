/** The published servers as real tools: recorded over each transport, then replayed without their process. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { describe, expect, onTestFinished, test } from 'vitest'
import { recordTransport } from '../../src/mcp/index.ts'
import { recordedTest } from '../session/recorded-test.ts'
import { ableClient, everythingScript, filesystemScript, startEverything } from './everything-server.ts'

/** All that server-everything offers, once. */
async function tour(transport: Transport): Promise<object> {
  const { client, heard } = ableClient()
  await client.connect(transport)
  const call = async (name: string, args: object = {}): Promise<unknown> =>
    (await client.callTool({ name, arguments: { ...args } })).content
  const progress: unknown[] = []
  const onprogress = (step: unknown): void => void progress.push(step)
  const long = { name: 'trigger-long-running-operation', arguments: { duration: 0.4, steps: 4 } }
  const told = {
    tools: (await client.listTools()).tools.map(({ name }) => name),
    echo: await call('echo', { message: 'héllo 👋' }),
    sums: await Promise.all([call('get-sum', { a: 2, b: 3 }), call('get-sum', { a: 20, b: 22 })]),
    wrong: await call('get-sum', { a: 'x' }),
    long: await client.callTool(long, undefined, { onprogress }),
    sampled: await call('trigger-sampling-request', { prompt: 'Say something', maxTokens: 20 }),
    elicited: await call('trigger-elicitation-request'),
    structured: await client.callTool({ name: 'get-structured-content', arguments: { location: 'Chicago' } }),
    roots: await call('get-roots-list'),
    resource: await client.readResource({ uri: 'demo://resource/static/document/architecture.md' }),
    prompt: await client.getPrompt({ name: 'args-prompt', arguments: { city: 'Paris' } }),
    missing: await client.getPrompt({ name: 'none' }).catch((error: unknown) => error),
  }
  await client.close()
  return { ...told, progress, heard: heard.sort() }
}

describe('server-everything is replayed without its process', () => {
  test('over stdio: progress, sampling, elicitation, roots, structured content, resources, prompts, errors', async () => {
    const server = recordedTest()
    const live = (): StdioClientTransport =>
      new StdioClientTransport({ command: process.execPath, args: [everythingScript, 'stdio'], stderr: 'ignore' })
    const recorded = await server.attempt('auto', () => tour(recordTransport(live, { name: 'everything' })))
    expect(recorded).toMatchObject({ error: undefined, report: { outcome: 'written' } })
    const committed = server.text()
    const never = (): StdioClientTransport => expect.fail('the transport was made')
    const replayed = await server.attempt('replay', () => tour(recordTransport(never, { name: 'everything' })))
    expect(replayed).toMatchObject({ error: undefined, report: { outcome: 'replayed', live: 0 } })
    expect(replayed.value).toEqual(recorded.value)
    expect(server.text()).toBe(committed)
  })

  test.for([
    ['SSE', 'sse', '/sse', SSEClientTransport],
    ['streamable HTTP', 'streamableHttp', '/mcp', StreamableHTTPClientTransport],
  ] as const)('over %s, whose HTTP is not recorded on its own', async ([, kind, path, Live]) => {
    const server = recordedTest()
    const everything = await startEverything(kind)
    onTestFinished(everything.stop)
    const options = { capture: [everything.url] }
    const live = (): Transport => new Live(new URL(everything.url + path)) as Transport
    const run = (): Promise<object> => tour(recordTransport(live, { name: 'everything' }))
    const recorded = await server.attempt('auto', run, options)
    expect(recorded).toMatchObject({ error: undefined, report: { outcome: 'written' } })
    expect(new Set(server.cassette().interactions.map((one) => one.kind))).toEqual(new Set(['call', 'tool']))
    await everything.stop()
    const replayed = await server.attempt('replay', run, options)
    expect(replayed).toMatchObject({ error: undefined, report: { outcome: 'replayed', live: 0 } })
    expect(replayed.value).toEqual(recorded.value)
  })
})

test('streamable HTTP is recorded as HTTP, without a line in the code under test', async () => {
  const server = recordedTest()
  const everything = await startEverything('streamableHttp')
  onTestFinished(everything.stop)
  const options = { capture: [everything.url] }
  const run = (message: string) => async () => {
    const { client } = ableClient()
    const transport = new StreamableHTTPClientTransport(new URL(`${everything.url}/mcp`))
    await client.connect(transport as Transport)
    const progress: unknown[] = []
    const onprogress = (step: unknown): void => void progress.push(step)
    const long = { name: 'trigger-long-running-operation', arguments: { duration: 0.1, steps: 2 } }
    const told = {
      tools: await client.listTools(),
      echo: await client.callTool({ name: 'echo', arguments: { message } }),
      long: await client.callTool(long, undefined, { onprogress }),
    }
    await transport.terminateSession()
    await client.close()
    return { ...told, progress }
  }
  const recorded = await server.attempt('auto', run('hello'), options)
  expect(recorded).toMatchObject({ error: undefined, report: { outcome: 'written' } })
  expect(new Set(server.outline())).toEqual(
    new Set(['POST', 'GET', 'DELETE'].map((method) => `http ${method} http://localhost/mcp`)),
  )
  await everything.stop()
  for (const _again of [1, 2]) {
    const replayed = await server.attempt('replay', run('hello'), options)
    expect(replayed).toMatchObject({ error: undefined, report: { outcome: 'replayed', live: 0 } })
    expect(replayed.value).toEqual(recorded.value)
  }
  const changed = await server.attempt('replay', run('goodbye'), options)
  expect(changed.error).toMatchObject({
    shortMessage: 'POST http://localhost/mcp is not as recorded: params.arguments.message changed [TURNTAPE_DIVERGED]',
  })
})

test('server-filesystem is replayed without its process, and writes nothing', async () => {
  const server = recordedTest()
  const folder = join(server.root, 'files')
  mkdirSync(folder)
  writeFileSync(join(folder, 'a.txt'), 'alpha\n')
  const note = join(folder, 'note.txt')
  const work = (command: string) => async () => {
    const { client } = ableClient()
    const live = new StdioClientTransport({ command, args: [filesystemScript, folder], stderr: 'ignore' })
    await client.connect(recordTransport(live, { name: 'files' }))
    const call = async (name: string, args: object): Promise<unknown> =>
      (await client.callTool({ name, arguments: { ...args } })).content
    const read = await call('read_text_file', { path: join(folder, 'a.txt') })
    const written = await call('write_file', { path: note, content: 'Buy milk' })
    const refused = await call('read_text_file', { path: '/etc/passwd' })
    await client.close()
    return [read, written, refused]
  }
  const recorded = await server.attempt('auto', work(process.execPath))
  expect(recorded).toMatchObject({ error: undefined, report: { outcome: 'written' } })
  expect(readFileSync(note, 'utf8')).toBe('Buy milk')
  writeFileSync(note, 'mine')
  const replayed = await server.attempt('replay', work('no-such-command'))
  expect(replayed).toMatchObject({ error: undefined, report: { outcome: 'replayed' } })
  expect(JSON.stringify(replayed.value)).toBe(JSON.stringify(recorded.value).replaceAll(server.root, '<project>'))
  expect(readFileSync(note, 'utf8')).toBe('mine')
})
