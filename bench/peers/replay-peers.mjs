// How each peer hands out recorded answers, in its own way and from its own kind of recording.
import { mkdirSync } from 'node:fs'
import http from 'node:http'
import path from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { answerOf, answerTo } from '../answers.mjs'
import { load } from '../measure/child.mjs'

/**
 * @typedef {{ kind: 'json' | 'stream', chunks: number, count: number, folder: string, ask(base: string, number: number): Promise<unknown> }} Scenario `count` answers, numbered from 0; `ask` makes one call
 * @typedef {{ base?: string, close?(): unknown }} Laid `base`: where calls go to, default `modelBase`
 * @typedef {{ lay(scenario: Scenario): Promise<Laid>, ownAnswers?: true, bodyIsBuffer?: true, leastNode?: number }} ReplayPeer
 *   `ownAnswers`: makes its answers itself, as many chunks
 */

export const modelBase = 'http://llm.test'
export const route = '/v1/chat/completions'

/** In memory, a chunk a read: the limit. @param {Scenario} scenario */
export function inMemory(scenario) {
  const answers = answersOf(scenario)
  let next = 0
  return () => new Response(streamOf(answers.bytes[next++ % answers.bytes.length] ?? []), answers.init)
}

/** @param {Scenario} scenario */
function answersOf({ kind, chunks, count }) {
  const answers = Array.from({ length: count }, (_, number) => answerOf({ kind, chunks, number }))
  const bytes = answers.map((answer) => answer.chunks.map((chunk) => new TextEncoder().encode(chunk)))
  const texts = answers.map((answer) => answer.chunks.join(''))
  const type = answers[0]?.type ?? ''
  return { bytes, texts, type, init: { status: 200, headers: { 'content-type': type } } }
}

/** @param {readonly Uint8Array<ArrayBuffer>[]} chunks */
function streamOf(chunks) {
  let next = 0
  return new ReadableStream(
    {
      pull(controller) {
        const chunk = chunks[next++]
        if (chunk === undefined) controller.close()
        else controller.enqueue(chunk)
      },
    },
    { highWaterMark: 0 },
  )
}

/** A model on this machine, in the same process. @returns {Promise<{ base: string, close(): void }>} */
export async function startLoopback() {
  const server = http.createServer(async (request, response) => {
    const parts = []
    for await (const part of request) parts.push(part)
    const { type, chunks } = answerTo(JSON.parse(Buffer.concat(parts).toString()))
    response.writeHead(200, { 'content-type': type })
    for (const chunk of chunks) if (!response.write(chunk)) await new Promise((go) => response.once('drain', go))
    response.end()
  })
  await new Promise((listening) => server.listen(0, '127.0.0.1', () => listening(undefined)))
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
  return { base: `http://127.0.0.1:${port}`, close: () => server.close() }
}

/** Every call of the scenario once, through whatever records now. @param {string} base @param {Scenario} scenario */
async function makeCalls(base, { ask, count }) {
  for (let number = 0; number < count; number++) await ask(base, number)
}

/** One recording a process and scenario. @type {Map<string, Promise<{ base: string }>>} */
const recordings = new Map()

/** @param {string} tool @param {Scenario} scenario @param {(base: string) => Promise<void>} record */
function recordOnce(tool, scenario, record) {
  const key = `${tool}-${scenario.kind}-${scenario.chunks}`
  let recording = recordings.get(key)
  if (recording === undefined) {
    recording = startLoopback().then(async ({ base }) => {
      await record(base)
      return { base }
    })
    recordings.set(key, recording)
  }
  return recording
}

/** @param {Scenario} scenario */
const nameOf = ({ kind, chunks }) => `${kind}-${chunks}`

/** @type {Record<string, ReplayPeer>} */
export const replayPeers = {
  'loopback server': { lay: () => startLoopback() },

  'nock (text)': { leastNode: 22, lay: (scenario) => layNock(answersOf(scenario), (text) => text) },
  'nock (stream)': {
    leastNode: 22,
    lay: (scenario) => layNock(answersOf(scenario), (_, bytes) => Readable.from(bytes, { objectMode: false })),
  },

  'msw (text)': { leastNode: 22, lay: (scenario) => layMsw(answersOf(scenario), (text) => text) },
  'msw (stream)': { leastNode: 22, lay: (scenario) => layMsw(answersOf(scenario), (_, bytes) => streamOf(bytes)) },

  Polly: { lay: layPolly },
  'vcr-test': { lay: layVcrTest },
  'fetch-vcr': { lay: layFetchVcr, bodyIsBuffer: true },
  'undici MockAgent': { leastNode: 22, lay: layMockAgent },
  'undici SnapshotAgent': { leastNode: 22, lay: laySnapshotAgent },
  aimock: { lay: layAimock, ownAnswers: true },
}

/** @typedef {ReturnType<typeof answersOf>} Answers @typedef {(text: string, bytes: readonly Uint8Array<ArrayBuffer>[]) => any} BodyOf */

/** @param {Answers} answers @param {BodyOf} bodyOf @returns {Promise<Laid>} */
async function layNock({ texts, bytes, type }, bodyOf) {
  const { default: nock } = await load('nock')
  if (!nock.isActive()) nock.activate()
  let next = 0
  const body = () => bodyOf(texts[next] ?? '', bytes[next++] ?? [])
  nock(modelBase).persist().post(route).reply(200, body, { 'content-type': type })
  return {
    close() {
      nock.cleanAll()
      nock.restore()
    },
  }
}

/** @param {Answers} answers @param {BodyOf} bodyOf @returns {Promise<Laid>} */
async function layMsw({ texts, bytes, init }, bodyOf) {
  const [{ http: rules, HttpResponse }, { setupServer }] = await Promise.all([load('msw'), load('msw/node')])
  let next = 0
  const answer = () => new HttpResponse(bodyOf(texts[next] ?? '', bytes[next++] ?? []), init)
  const server = setupServer(rules.post(modelBase + route, answer))
  await server.listen({ onUnhandledRequest: 'error' })
  return { close: () => server.close() }
}

/** @type {Map<string, unknown>} */
const pollyRecordings = new Map()

/** @param {Scenario} scenario @returns {Promise<Laid>} */
async function layPolly(scenario) {
  const [{ Polly }, { default: FetchAdapter }, { default: Persister }] = await Promise.all(
    ['@pollyjs/core', '@pollyjs/adapter-fetch', '@pollyjs/persister'].map(load),
  )
  class InMemory extends Persister {
    static get id() {
      return 'in-memory'
    }
    onFindRecording(/** @type {string} */ id) {
      return pollyRecordings.get(id) ?? null
    }
    onSaveRecording(/** @type {string} */ id, /** @type {unknown} */ data) {
      pollyRecordings.set(id, data)
    }
    onDeleteRecording(/** @type {string} */ id) {
      pollyRecordings.delete(id)
    }
  }
  Polly.register(FetchAdapter)
  Polly.register(InMemory)
  const start = (/** @type {'record' | 'replay'} */ mode) =>
    new Polly(nameOf(scenario), {
      adapters: ['fetch'],
      persister: 'in-memory',
      mode,
      recordIfMissing: mode === 'record',
      logLevel: 'silent',
      matchRequestsBy: { order: false, headers: false },
    })
  const { base } = await recordOnce('polly', scenario, async (base) => {
    const polly = start('record')
    await makeCalls(base, scenario)
    await polly.stop()
  })
  const polly = start('replay')
  return { base, close: () => polly.stop() }
}

/** @param {Scenario} scenario @returns {Promise<Laid>} */
async function layVcrTest(scenario) {
  const { VCR, FileStorage, RecordMode } = await load('vcr-test')
  const vcr = new VCR(new FileStorage(scenario.folder))
  const name = `vcr-test-${nameOf(scenario)}`
  const { base } = await recordOnce('vcr-test', scenario, async (base) => {
    vcr.mode = RecordMode.all
    await vcr.useCassette(name, () => makeCalls(base, scenario))
  })
  vcr.mode = RecordMode.none
  const cassette = await vcr.useCassette(name)
  return { base, close: () => cassette[Symbol.asyncDispose]() }
}

/** @param {Scenario} scenario @returns {Promise<Laid>} */
async function layFetchVcr(scenario) {
  const { default: fetchVcr } = await load('fetch-vcr')
  const fixturePath = path.join(scenario.folder, `fetch-vcr-${nameOf(scenario)}`)
  const { base } = await recordOnce('fetch-vcr', scenario, async (base) => {
    mkdirSync(fixturePath, { recursive: true })
    fetchVcr.configure({ fixturePath, mode: 'record' })
    const restore = useFetch(fetchVcr)
    await makeCalls(base, scenario)
    await delay(200) // it writes behind the caller's back
    restore()
  })
  fetchVcr.configure({ fixturePath, mode: 'playback' })
  return { base, close: useFetch(fetchVcr) }
}

/** @param {typeof fetch} replacement */
function useFetch(replacement) {
  const native = globalThis.fetch
  globalThis.fetch = replacement
  return () => {
    globalThis.fetch = native
  }
}

/** @param {Scenario} scenario @returns {Promise<Laid>} */
async function layMockAgent(scenario) {
  const { MockAgent } = await load('undici')
  const { texts, type } = answersOf(scenario)
  const agent = new MockAgent()
  agent.disableNetConnect()
  let next = 0
  const reply = { headers: { 'content-type': type } }
  agent
    .get(modelBase)
    .intercept({ path: route, method: 'POST' })
    .reply(200, () => texts[next++], reply)
    .persist()
  return { close: await useDispatcher(agent) }
}

/** @param {Scenario} scenario @returns {Promise<Laid>} */
async function laySnapshotAgent(scenario) {
  const { SnapshotAgent } = await load('undici')
  const snapshotPath = path.join(scenario.folder, `snapshots-${nameOf(scenario)}.json`)
  const { base } = await recordOnce('snapshots', scenario, async (base) => {
    const agent = new SnapshotAgent({ mode: 'record', snapshotPath })
    const restore = await useDispatcher(agent)
    await makeCalls(base, scenario)
    await agent.saveSnapshots()
    await restore()
  })
  return { base, close: await useDispatcher(new SnapshotAgent({ mode: 'playback', snapshotPath })) }
}

/** @param {{ close(): Promise<void> }} agent */
async function useDispatcher(agent) {
  const { getGlobalDispatcher, setGlobalDispatcher } = await load('undici')
  const native = getGlobalDispatcher()
  setGlobalDispatcher(agent)
  return async () => {
    setGlobalDispatcher(native)
    await agent.close()
  }
}

/** @param {Scenario} scenario @returns {Promise<Laid>} */
async function layAimock({ kind, chunks }) {
  const { LLMock } = await load('@copilotkit/aimock')
  const chunkSize = 5
  const content = kind === 'json' ? 'a'.repeat(200) : 'abcd '.repeat(chunks - 3)
  const mock = new LLMock({ port: 0, chunkSize, latency: 0, logLevel: 'silent' })
  mock.onMessage(/haiku/, { content })
  await mock.start()
  return { base: mock.url, close: () => mock.stop() }
}
