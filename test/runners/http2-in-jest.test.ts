/** Node's modules are outside of Jest's realm: the road of HTTP/2 is laid there, and holds for the test's own code. */
import { expect, test } from 'vitest'
import { http2Server } from '../interception/http2-server.ts'
import { converseFrames } from '../wire/amazon-codec.ts'
import { createRunnerProject } from './runner-project.ts'

test('a stream of frames over HTTP/2 is recorded and replayed in Jest, through both forms of import', async () => {
  const server = await http2Server((stream) => {
    stream.respond({ ':status': 200, 'content-type': 'application/vnd.amazon.eventstream' })
    for (const frame of converseFrames()) stream.write(frame)
    stream.end()
  })
  const project = await createRunnerProject({ name: 'jest', version: '30.5.2', form: 'cjs' }, process.versions.node)
  if ('missing' in project) throw new Error(project.missing)
  project.write({
    'jest.config.json': JSON.stringify({ preset: 'turntape/jest', transform: {} }),
    'test/http2.test.js': `
const http2 = require('node:http2')
const { connect } = require('node:http2')
const { test } = require('turntape/jest')
async function ask(open, text) {
  const session = open(process.env.MODEL_URL)
  const stream = session.request({ ':method': 'POST', ':path': '/model/m/converse-stream' })
  let bytes = 0
  stream.on('data', (piece) => { bytes += piece.length })
  stream.end(JSON.stringify({ messages: [{ role: 'user', content: [{ text }] }] }))
  await new Promise((resolve, reject) => stream.once('close', resolve).once('error', reject))
  session.close()
  return bytes
}
test('asks', async ({ tape }) => {
  expect(await ask(http2.connect, 'one')).toBe(await ask(connect, 'two'))
  expect(tape.turns.map(({ text }) => text)).toEqual(['Oslo is 89 euros 🛫', 'Oslo is 89 euros 🛫'])
})
`,
  })
  const recorded = await project.run([], { MODEL_URL: server.url })
  expect([recorded.code, recorded.counts], recorded.output).toEqual([0, '1 written'])
  const replayed = await project.run([], { MODEL_URL: server.url, CI: '1' })
  expect([replayed.code, replayed.counts], replayed.output).toEqual([0, '1 replayed'])
  expect(server.seen).toHaveLength(2)
})
