// What one operation takes, in figures that are the same on a busy machine: bytes allocated, how often functions and blocks of ours are
// entered, and file system calls. Run by `../counts.mjs`, with flags without which it allocates what the compiler likes.
import fs from 'node:fs'
import { Session } from 'node:inspector/promises'
import { syncBuiltinESMExports } from 'node:module'
import { answerOf, requestBody } from '../answers.mjs'
import { chatRequest } from '../requests.mjs'
import { toolLoop } from '../tool-loop.mjs'
import { answer, asked, loadHarness, replaysOf } from './child.mjs'

/** @typedef {{ ops: number, open(): Promise<Opened> | Opened }} Counted `ops`: so many operations are counted, after one that is not */
/** @typedef {{ once(number: number): unknown, close?(): unknown }} Opened */
/** @typedef {{ allocatedBytes: number, entered: number, fileCalls: number }} Counts of one operation */

const url = 'http://llm.test/v1/chat/completions'
const headers = { 'content-type': 'application/json' }

/** @type {{ scenario: string, folder: string }} */
const { scenario, folder } = asked()
const fileCalls = countFileCalls()
const { openIdentities, openings, writeRecording } = await loadHarness()

/** @type {Record<string, () => Promise<Counted>>} */
const scenarios = {
  json: () => replayed({ kind: 'json', chunks: 1 }, 20),
  'stream-200': () => replayed({ kind: 'stream', chunks: 200 }, 10),
  'identity-hit': () => identities(String),
  'identity-miss': () => identities((body) => `{ ${body.slice(1)}`),
  loop: replayedLoop,
  opening: opened,
}
answer(await countsOf(await chosen()))

function chosen() {
  const made = scenarios[scenario]
  if (made === undefined) throw new TypeError(`no such scenario: ${scenario}`)
  return made()
}

/** @param {{ kind: 'json' | 'stream', chunks: number }} question @param {number} ops @returns {Promise<Counted>} */
async function replayed(question, ops) {
  const numbers = Array.from({ length: ops + 1 }, (_, number) => number)
  const bodies = numbers.map((number) => JSON.stringify(requestBody({ ...question, number })))
  const exchanges = numbers.map((number) => ({ url, body: bodies[number] ?? '', ...answerOf({ ...question, number }) }))
  return { ops, open: await replays(exchanges) }
}

/** @returns {Promise<Counted>} */
async function replayedLoop() {
  const turns = 50
  return { ops: turns - 1, open: await replays(toolLoop({ turns, bytes: 500_000 }).exchanges(url)) }
}

/** @param {readonly import('../harness.ts').Exchange[]} exchanges */
function replays(exchanges) {
  const call = async (/** @type {number} */ number) => {
    const response = await fetch(url, { method: 'POST', body: exchanges[number]?.body ?? '', headers })
    for await (const _ of response.body ?? []);
  }
  return replaysOf({ folder, name: 'counts', exchanges, call })
}

/** @param {(body: string) => string} sent what is sent of a recorded body @returns {Promise<Counted>} */
async function identities(sent) {
  const ops = 20
  const bodies = Array.from({ length: ops + 1 }, (_, number) =>
    JSON.stringify(chatRequest({ bytes: 50_000, image: false, number })),
  )
  const bytes = bodies.map((body) => Buffer.from(sent(body)))
  const found = await openIdentities(folder, 'counts', bodies)
  return {
    ops,
    open() {
      const find = found.start()
      return { once: (number) => find(/** @type {Buffer} */ (bytes[number])) }
    },
  }
}

/** A cassette of about 10 KB. @returns {Promise<Counted>} */
async function opened() {
  const question = /** @type {const} */ ({ kind: 'stream', chunks: 300, number: 0 })
  await writeRecording(folder, 'counts', [{ url, body: JSON.stringify(requestBody(question)), ...answerOf(question) }])
  const ops = 20
  return { ops, open: () => ({ once: openings(folder, 'counts', ops + 1) }) }
}

/** Once for bytes and files; once more for what is entered, since counting that allocates. @param {Counted} counted @returns {Promise<Counts>} */
async function countsOf(counted) {
  const { bytes, files } = await inBlock(counted, async (work) => {
    const [filesBefore, before] = [fileCalls.count, allocated()]
    await work()
    return { bytes: allocated() - before, files: fileCalls.count - filesBefore }
  })
  const entered = await inBlock(counted, enteredIn)
  const each = (/** @type {number} */ count) => Math.round(count / counted.ops)
  return { allocatedBytes: each(bytes), entered: each(entered), fileCalls: each(files) }
}

/** @template T @param {Counted} counted @param {(work: () => Promise<void>) => Promise<T>} count @returns {Promise<T>} */
async function inBlock({ ops, open }, count) {
  const { once, close } = await open()
  try {
    await once(0)
    return await count(async () => {
      for (let number = 1; number <= ops; number++) await once(number)
    })
  } finally {
    await close?.()
  }
}

/** Nothing is collected meanwhile, so that what was allocated is what the heap grew by. */
function allocated() {
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

/** V8's counters of functions and blocks, those of the package alone. @param {() => Promise<void>} work */
async function enteredIn(work) {
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
  await session.post('Profiler.takePreciseCoverage')
  await work()
  const { result } = await session.post('Profiler.takePreciseCoverage')
  session.disconnect()
  const own = result.filter((script) => /turntape-bench\/[^/]+$/.test(script.url))
  return own.reduce(
    (sum, script) =>
      sum + script.functions.flatMap(({ ranges }) => ranges).reduce((count, range) => count + range.count, 0),
    0,
  )
}

/** Of `node:fs`, its promises too, from now on. */
function countFileCalls() {
  const counter = { count: 0 }
  for (const functions of [fs, fs.promises]) {
    for (const [name, made] of Object.entries(functions)) {
      if (typeof made !== 'function' || !/^[a-z]/.test(name)) continue
      const counting = Object.assign((/** @type {any[]} */ ...args) => {
        counter.count++
        return made.apply(functions, args)
      }, made)
      Object.assign(functions, { [name]: counting })
    }
  }
  syncBuiltinESMExports()
  return counter
}
