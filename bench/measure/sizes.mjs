// What recordings take on disk: the same calls through every recorder, against what was said, once, compressed.
import { mkdirSync, mkdtempSync } from 'node:fs'
import http from 'node:http'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { answerOf, requestBody } from '../answers.mjs'
import { corpusStreams } from '../corpus.mjs'
import { bytesBelow, recorders } from '../peers/recorders.mjs'
import { modelBase, route } from '../peers/replay-peers.mjs'
import { toolLoop } from '../tool-loop.mjs'
import { answer, asked, loadHarness } from './child.mjs'

/** @typedef {'made-up stream' | 'recorded streams' | 'loop'} SampleKind */
/** @typedef {{ body: string, type: string, chunks: readonly (string | Uint8Array)[] }} Call */
/** @typedef {{ name: string, kind: SampleKind, groups: readonly (readonly Call[])[], distinct: readonly string[] }} Sample `groups`: calls of one recording each */
/** @typedef {{ name: string, kind: SampleKind, answerBytes: number, distinctBytes: number, gzipBytes: number, ours: number, peers: Record<string, number | null> }} Sized `answerBytes`: of all answers, as they came; a peer's null: it could not */

const { folder } = asked()
const { writeRecording } = await loadHarness()
const [major = 0] = process.versions.node.split('.').map(Number)
/** @type {Sized[]} */
const sized = []
for (const sample of await samples()) sized.push(await sizeOf(sample))
answer({ sizes: sized })

/** @returns {Promise<readonly Sample[]>} */
async function samples() {
  const streams = [200, 5000].map((chunks) =>
    streamSample(`stream of ${chunks} chunks`, 'made-up stream', [made(chunks)]),
  )
  const loops = [50, 200].map((turns) => loopSample(turns))
  const corpus = await corpusStreams()
  const recorded = streamSample(`${corpus.length} recorded streams`, 'recorded streams', corpus)
  return [...streams, ...loops, ...(corpus.length === 0 ? [] : [recorded])]
}

/** @param {number} turns @returns {Sample} */
function loopSample(turns) {
  const { exchanges, distinct } = toolLoop({ turns, bytes: 8_000 + turns * 1_000 })
  return { name: `${turns}-turn loop`, kind: 'loop', groups: [exchanges('')], distinct: [distinct] }
}

/** @param {string} name @param {SampleKind} kind @param {readonly Call[]} calls each a recording of its own @returns {Sample} */
function streamSample(name, kind, calls) {
  const distinct = calls.map(({ body, chunks }) => body + textOf(chunks))
  return { name, kind, groups: calls.map((call) => [call]), distinct }
}

/** @param {number} chunks @returns {Call} */
function made(chunks) {
  const question = /** @type {const} */ ({ kind: 'stream', chunks, number: 1 })
  return { body: JSON.stringify(requestBody(question)), ...answerOf(question) }
}

/** @param {Sample} sample @returns {Promise<Sized>} */
async function sizeOf({ name, kind, groups, distinct }) {
  let ours = 0
  for (const calls of groups)
    ours += await writeRecording(
      folder,
      'size',
      calls.map((call) => ({ ...call, url: modelBase + route })),
    )
  /** @type {Record<string, number | null>} */
  const peers = {}
  for (const [tool, { record, leastNode = 0 }] of Object.entries(recorders)) {
    if (major < leastNode) continue
    let bytes = 0
    try {
      for (const calls of groups) bytes += await recordWith(record, calls)
      peers[tool] = bytes
    } catch {
      peers[tool] = null
    }
  }
  const answers = groups.flat().map(({ chunks }) => Buffer.byteLength(textOf(chunks)))
  return {
    name,
    kind,
    answerBytes: sum(answers),
    distinctBytes: sum(distinct.map((text) => Buffer.byteLength(text))),
    gzipBytes: sum(distinct.map((text) => gzipSync(text).byteLength)),
    ours,
    peers,
  }
}

/** @param {import('../peers/recorders.mjs').Recorder['record']} record @param {readonly Call[]} calls */
async function recordWith(record, calls) {
  mkdirSync(folder, { recursive: true })
  const place = mkdtempSync(path.join(folder, 'peer-'))
  const server = await serve(calls)
  try {
    await record(place, async () => {
      for (const { body } of calls) {
        const headers = { 'content-type': 'application/json' }
        await (await fetch(server.base + route, { method: 'POST', body, headers })).arrayBuffer()
      }
    })
  } finally {
    server.close()
  }
  return bytesBelow(place)
}

/** Answers in the order given. @param {readonly Call[]} calls */
async function serve(calls) {
  let next = 0
  const server = http.createServer((request, response) => {
    request.resume().once('end', () => {
      const { type, chunks } = calls[next++ % calls.length] ?? { type: '', chunks: [] }
      response.writeHead(200, { 'content-type': type })
      for (const chunk of chunks) response.write(chunk)
      response.end()
    })
  })
  await new Promise((listening) => server.listen(0, '127.0.0.1', () => listening(undefined)))
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
  const close = () => {
    server.close()
    server.closeAllConnections()
  }
  return { base: `http://127.0.0.1:${port}`, close }
}

/** @param {readonly (string | Uint8Array)[]} chunks */
function textOf(chunks) {
  return chunks.map((chunk) => (typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString())).join('')
}

/** @param {readonly number[]} numbers */
function sum(numbers) {
  return numbers.reduce((total, number) => total + number, 0)
}
