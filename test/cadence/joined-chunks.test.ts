/** The option `chunks`: a recorded stream in one chunk, over the roads, and where it stays as recorded. */
import http from 'node:http'
import http2 from 'node:http2'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { request } from 'undici'
import { expect, onTestFinished, test } from 'vitest'
import type { Tape } from '../../src/session/tape.ts'
import { http2Server } from '../interception/http2-server.ts'
import { type RecordedTest, recordedTest } from '../session/recorded-test.ts'

const chunks = ['a', 'b', 'ü', 'd'].map((text) => `data: {"choices":[{"delta":{"content":"${text}"}}]}\n\n`)
const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'spell' }] })
const headers = { 'content-type': 'application/json' }

/** The model is of this very process, whose ports are captured only where that is asked for. */
function attempts(): RecordedTest['attempt'] {
  const { attempt } = recordedTest()
  return (mode, made, options) => attempt(mode, made, { ...options, capture: ['127.0.0.1'] })
}

/** Streams the chunks, and breaks the connection after them where the path says so. */
async function startModel(): Promise<string> {
  const server = http.createServer(async (request, response) => {
    for await (const _ of request);
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const chunk of chunks) {
      response.write(chunk)
      await delay(15)
    }
    if (request.url?.startsWith('/broken')) response.destroy()
    else response.end()
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function overFetch(url: string): Promise<string[]> {
  const read: string[] = []
  const response = await fetch(`${url}/v1/chat/completions`, { method: 'POST', body, headers })
  for await (const chunk of response.body ?? []) read.push(Buffer.from(chunk).toString())
  return read
}

function overHttp(url: string): Promise<string[]> {
  return new Promise((resolve, reject) => {
    const read: string[] = []
    const request = http.request(`${url}/v1/chat/completions`, { method: 'POST', headers }, (response) => {
      response.on('data', (chunk) => read.push(String(chunk)))
      response.on('end', () => resolve(read))
    })
    request.on('error', reject)
    request.end(body)
  })
}

async function overUndici(url: string): Promise<string[]> {
  const read: string[] = []
  const answer = await request(`${url}/v1/chat/completions`, { method: 'POST', body, headers })
  for await (const chunk of answer.body) read.push(Buffer.from(chunk).toString())
  return read
}

async function overHttp2(url: string): Promise<string[]> {
  const session = http2.connect(url)
  const stream = session.request({ ':method': 'POST', ':path': '/v1/chat/completions', ...headers })
  stream.end(body)
  const read: string[] = []
  for await (const chunk of stream) read.push(Buffer.from(chunk).toString())
  session.close()
  return read
}

test.each([
  ['fetch', overFetch],
  ['node:http', overHttp],
  ['a dispatcher of undici', overUndici],
] as const)('a joined answer is one chunk of the recorded bytes over %s', async (_road, ask) => {
  const url = await startModel()
  const attempt = attempts()
  expect((await attempt('auto', () => ask(url), { chunks: 'joined' })).value).toEqual(chunks)
  expect(await attempt('replay', () => ask(url))).toMatchObject({ value: chunks, error: undefined })
  const joined = await attempt('replay', () => ask(url), { chunks: 'joined' })
  expect(joined).toMatchObject({ value: [chunks.join('')], error: undefined })
})

test('a joined answer is the recorded bytes over HTTP/2', async () => {
  const { url } = await http2Server(async (stream) => {
    stream.respond({ ':status': 200, 'content-type': 'text/event-stream' })
    for (const chunk of chunks) {
      stream.write(chunk)
      await delay(15)
    }
    stream.end()
  })
  const attempt = attempts()
  expect((await attempt('auto', () => overHttp2(url), { chunks: 'joined' })).value).toEqual(chunks)
  expect(await attempt('replay', () => overHttp2(url))).toMatchObject({ value: chunks, error: undefined })
  const joined = await attempt('replay', () => overHttp2(url), { chunks: 'joined' })
  expect(joined).toMatchObject({ value: [chunks.join('')], error: undefined })
})

test('a cadence other than instant keeps the recorded chunks', async () => {
  const url = await startModel()
  const attempt = attempts()
  await attempt('auto', () => overFetch(url))
  const options = { chunks: 'joined', cadence: { maxGapMs: 1 } } as const
  expect((await attempt('replay', () => overFetch(url), options)).value).toEqual(chunks)
})

test('a lane that a test holds keeps the recorded chunks', async () => {
  const url = await startModel()
  const attempt = attempts()
  await attempt('auto', () => overFetch(url))
  const held = async (tape: Tape) => {
    const stepper = tape.hold()
    const answer = overFetch(url)
    const { text } = await stepper.next('text', 2)
    stepper.release()
    return { text, answer: await answer }
  }
  const { value, error } = await attempt('replay', held, { chunks: 'joined' })
  expect({ value, error }).toEqual({ value: { text: 'ab', answer: chunks }, error: undefined })
})

test('F10 the failure of a body comes after its joined bytes', async () => {
  const url = `${await startModel()}/broken`
  const attempt = attempts()
  const ask = async () => {
    const response = await fetch(`${url}/v1/chat/completions`, { method: 'POST', body, headers })
    const reader = (response.body as ReadableStream<Uint8Array>).getReader()
    const read: string[] = []
    const failed = async (): Promise<unknown> => {
      for (;;) {
        const { value } = await reader.read()
        read.push(Buffer.from(value ?? []).toString())
      }
    }
    const error = await failed().catch((thrown: Error) => thrown.message)
    return { read, error }
  }
  const live = await attempt('auto', ask)
  expect(live.value).toEqual({ read: chunks, error: 'terminated' })
  const replayed = await attempt('replay', ask, { chunks: 'joined' })
  expect(replayed.value).toEqual({ read: [chunks.join('')], error: 'terminated' })
})
