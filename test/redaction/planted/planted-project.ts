/** The project that records every planting against a server, and what becomes of each. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createProject, type Project } from '../../projects/project.ts'
import type { Answer, Planting } from './planted-places.ts'
import { environment, hostName, userName } from './planted-secrets.ts'

/** One test of the project: what it makes, one after the other. */
export interface PlantedTest {
  readonly name: string
  readonly plantings: readonly Planting[]
}

const testFile = `import { readFileSync } from 'node:fs'
import { test } from 'turntape/vitest'

const plan = JSON.parse(readFileSync('plan.json', 'utf8'))
const changed = process.env.CHANGED === '1'
// Short, so that a message that shows what changed would show it whole.
let told = ''

for (const [index, { name, plantings }] of plan.entries()) {
  test(name, async ({ tape }) => {
    told = 'now it is ' + process.env['SHOP_SECRET_' + (1 + index % 11)]
    for (const [which, planting] of plantings.entries()) await make(tape, planting, process.env.SERVER + '/' + index + '-' + which)
  })
}

async function make(tape, { path = '', headers = {}, body, value, lane }, server) {
  if (value !== undefined) return makeValue(tape, value)
  const call = async () => {
    const bytes = Buffer.from(body ?? Buffer.from('{"model":"small","messages":[]}').toString('base64'), 'base64')
    const sent = changed ? Buffer.from(JSON.stringify({ model: 'small', messages: [{ role: 'user', content: told }] })) : bytes
    const type = changed ? {} : { 'content-type': 'application/json', ...headers }
    const response = await fetch(server + '/v1/chat/completions' + path, { method: 'POST', headers: type, body: sent })
    await response.arrayBuffer()
  }
  return lane === undefined ? call() : tape.lane(lane, call)
}

async function makeValue(tape, { kind, name, input, value, elements, error }) {
  const given = changed ? [input, told] : input
  const live = async () => {
    if (error === undefined) return value
    const cause = error.cause === undefined ? undefined : new Error(error.cause)
    throw Object.assign(new Error(error.message, { cause }), error.code === undefined ? {} : { code: error.code })
  }
  async function* each() {
    yield* elements
  }
  try {
    if (kind === 'tool') return await tape.tool(name, (input) => live())(given)
    if (elements === undefined) return await tape.call(name, given, live)
    for await (const element of tape.call(name, given, each)) void element
  } catch (thrown) {
    if (error === undefined || thrown.message.includes('TURNTAPE')) throw thrown
  }
}
`

const config = `import { replayPlugin } from 'turntape/vitest'
import { defineConfig } from 'vitest/config'
export default defineConfig({
  plugins: [replayPlugin({ redact: { patterns: [{ name: 'employee', pattern: /emp-[0-9]{9}/ }] } })],
})
`

/** Puts a name of its own in place of the account's and the machine's. */
const names = `import os from 'node:os'
import { syncBuiltinESMExports } from 'node:module'
const real = os.userInfo
os.userInfo = (...given) => ({ ...real(...given), username: process.env.USER_NAME })
os.hostname = () => process.env.HOST_NAME
syncBuiltinESMExports()
`

export function createPlantedProject(tests: readonly PlantedTest[], atEnd: (remove: () => void) => void): Project {
  const files = {
    'planted.test.js': testFile,
    'plan.json': JSON.stringify(tests),
    'vitest.config.ts': config,
    'names.mjs': names,
  }
  return createProject(files, atEnd)
}

/** What every run of the project has in its environment. */
export function plantedEnvironment(project: Project): Record<string, string> {
  return {
    ...environment,
    USER_NAME: userName,
    HOST_NAME: hostName,
    NODE_OPTIONS: `--import=${project.folder}/names.mjs`,
  }
}

/** Answers each planting as it says, until `stop`. */
export async function startPlantedServer(
  tests: readonly PlantedTest[],
): Promise<{ readonly url: string; readonly stop: () => void }> {
  const server = createServer((request, response) => {
    request.resume().on('end', () => void answer(request, response, tests))
  })
  // On a busy machine a test may take longer than a connection is kept by default.
  server.keepAliveTimeout = 120_000
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const stop = (): void => {
    server.closeAllConnections()
    server.close()
  }
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, stop }
}

const usual: Answer = {
  headers: [['content-type', 'application/json']],
  chunks: [Buffer.from('{}').toString('base64')],
}

async function answer(
  { url = '' }: IncomingMessage,
  response: ServerResponse,
  tests: readonly PlantedTest[],
): Promise<void> {
  const [, test = '', which = ''] = /^\/(\d+)-(\d+)\//.exec(url) ?? []
  const planted = tests[Number(test)]?.plantings[Number(which)]?.answer
  const {
    status = 200,
    statusText,
    headers = [],
    chunks,
  } = planted === undefined || url.includes('/final') ? usual : planted
  response.writeHead(status, statusText ?? 'OK', headers.flat())
  for (const chunk of chunks) {
    response.write(Buffer.from(chunk, 'base64'))
    if (chunks.length > 50) await new Promise((resolve) => setImmediate(resolve))
  }
  response.end()
}
