// What a live caller feels of being recorded: the first chunk, and memory.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { requestBody } from '../answers.mjs'
import { route } from '../peers/replay-peers.mjs'
import { median } from '../statistics.mjs'
import { answer, asked, loadHarness } from './child.mjs'

/** @typedef {{ what: 'first chunk' | 'memory', headMs: number, calls: number, folder: string }} Ask `headMs`: how long the model thinks */

/** @type {Ask} */
const { what, headMs, calls, folder } = asked()
const { Workspace } = await loadHarness()
const model = await startModel()
answer(what === 'memory' ? await measureMemory() : await measureFirstChunk())

/** The bare calls come first: with the roads laid, a call of no test is refused. */
async function measureFirstChunk() {
  const bare = await firstChunksMs()
  const test = new Workspace(folder, { mode: 'auto' }).start('first-chunk')
  const recorded = await test.run(firstChunksMs)
  await test.end()
  const [bareMs, recordedMs] = [median(bare), median(recorded)]
  return { wall: recordedMs / bareMs, addedUs: (recordedMs - bareMs) * 1000 }
}

/** A few warm up. */
async function firstChunksMs() {
  const measured = []
  for (let number = 0; number < calls + 5; number++) measured.push(await firstChunkMs(number))
  return measured.slice(5)
}

/** A long answer of chunks of 1 KB: what is on the heap at its end, against the bytes that came. */
async function measureMemory() {
  await readAnswer('bytes-64')
  const bare = await grownBy(() => readAnswer('bytes-4096'))
  const test = new Workspace(folder, { mode: 'auto' }).start('memory')
  await test.run(() => readAnswer('bytes-64'))
  const recorded = await grownBy(() => test.run(() => readAnswer('bytes-4096')))
  return { ratio: (recorded.bytes - bare.bytes) / recorded.came }
}

/** @param {() => Promise<number>} work */
async function grownBy(work) {
  const before = heldBytes()
  const came = await work()
  await delay(500) // what comes after the end of a stream
  return { bytes: heldBytes() - before, came }
}

function heldBytes() {
  globalThis.gc?.()
  globalThis.gc?.()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

/** @param {number} number */
async function firstChunkMs(number) {
  const body = JSON.stringify(requestBody({ kind: 'stream', chunks: 200, number }))
  const start = performance.now()
  const response = await ask(body)
  const reader = /** @type {ReadableStream<Uint8Array>} */ (response.body).getReader()
  await reader.read()
  const ms = performance.now() - start
  for (let ended = false; !ended; ) ended = (await reader.read()).done
  return ms
}

/** @param {string} name */
async function readAnswer(name) {
  let bytes = 0
  const response = await ask(
    JSON.stringify({ model: `bench-${name}`, messages: [{ role: 'user', content: 'number 1' }] }),
  )
  for await (const chunk of /** @type {AsyncIterable<Uint8Array>} */ (response.body)) bytes += chunk.length
  return bytes
}

/** @param {string} body */
function ask(body) {
  return fetch(model + route, { method: 'POST', body, headers: { 'content-type': 'application/json' } })
}

async function startModel() {
  const script = fileURLToPath(new URL('../model.mjs', import.meta.url))
  const child = spawn(process.execPath, [script, String(headMs)], { stdio: ['pipe', 'pipe', 'inherit'] })
  const [line] = await once(child.stdout, 'data')
  return String(line).trim()
}
