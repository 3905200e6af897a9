// What handing out one recorded answer costs, against an in-memory `Response`: one subject, one scenario, one process.
import path from 'node:path'
import { answerOf, requestBody } from '../answers.mjs'
import { leastReplay } from '../peers/least-replay.mjs'
import { inMemory, modelBase, replayPeers, route } from '../peers/replay-peers.mjs'
import { answer, asked, load, replaysOf } from './child.mjs'
import { compareInTurn } from './in-turn.mjs'

/** @typedef {import('../peers/replay-peers.mjs').Scenario} Scenario */
/**
 * @typedef {{ subject: string, kind: 'json' | 'stream', chunks: number, through: 'fetch' | 'openai', ops: number, limitOps: number, pairs: number, folder: string }} Ask
 *   `subject`: `ours`, `least`, each also `joined` (`chunks: 'joined'`), or the name of a peer
 */

/** @type {Ask} */
const { subject, kind, chunks, through, ops, limitOps, pairs, folder } = asked()
const nativeFetch = globalThis.fetch
const OpenAI = through === 'openai' ? (await load('openai')).default : undefined
const isJoined = subject.endsWith(' joined')
let reads = 0
answer({ ...(await measure()), reads })

async function measure() {
  const ask = (/** @type {string} */ base, /** @type {number} */ number) => call(base, number)
  const scenario = { kind, chunks, folder, count: ops + 1, ask }
  const limit = {
    ops: limitOps,
    open() {
      const respond = inMemory({ ...scenario, count: Math.min(limitOps, ops) + 1 })
      return answeredBy(async () => respond())
    },
  }
  return compareInTurn({ subject: { ops, open: await openerOf(scenario) }, limit, pairs })
}

/** @param {Scenario} scenario */
async function openerOf(scenario) {
  if (subject.startsWith('ours')) return openOurs(scenario)
  if (subject.startsWith('least')) return () => answeredBy(leastReplay(scenario, isJoined ? 'joined' : 'recorded'))
  return openPeer(scenario)
}

/** @param {Function} replacement takes the place of `fetch` until closed */
function answeredBy(replacement) {
  const before = globalThis.fetch
  globalThis.fetch = /** @type {typeof fetch} */ (replacement)
  return {
    once: (/** @type {number} */ number) => call(modelBase, number),
    close() {
      globalThis.fetch = before
    },
  }
}

/** @param {Scenario} scenario */
async function openOurs({ count }) {
  const url = `${modelBase}${route}`
  const exchanges = Array.from({ length: count }, (_, number) => {
    const { type, chunks: texts } = answerOf({ kind, chunks, number })
    return { url, body: JSON.stringify(requestBody({ kind, chunks, number })), type, chunks: texts }
  })
  const call = (/** @type {number} */ number) => callCounted(modelBase, number)
  const options = { chunks: isJoined ? 'joined' : 'recorded' }
  return replaysOf({ folder, name: `replay-${kind}-${chunks}`, exchanges, call, options })
}

/** @param {Scenario} scenario */
function openPeer(scenario) {
  const peer = replayPeers[subject]
  if (peer === undefined) throw new TypeError(`no such peer: ${subject}`)
  return async () => {
    const laid = await peer.lay({ ...scenario, folder: path.join(folder, 'peers') })
    return {
      once: (/** @type {number} */ number) => callCounted(laid.base ?? modelBase, number, peer.ownAnswers),
      async close() {
        await laid.close?.()
        globalThis.fetch = nativeFetch
      },
    }
  }
}

/** @param {string} base @param {number} number @param {boolean} [hasOwnAnswers] */
async function callCounted(base, number, hasOwnAnswers) {
  reads = await call(base, number, hasOwnAnswers)
}

/** One call, its answer read to the end and checked: how many reads it took. @param {string} base @param {number} number */
async function call(base, number, hasOwnAnswers = false) {
  const body = requestBody({ kind, chunks, number })
  if (OpenAI !== undefined) {
    await callThroughSdk(base, body)
    return 0
  }
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(base + route, { method: 'POST', body: JSON.stringify(body), headers })
  if (response.status !== 200) throw new Error(`status ${response.status}: ${await response.text()}`)
  let [bytes, counted] = [0, 0]
  if (replayPeers[subject]?.bodyIsBuffer && 'buffer' in response) {
    bytes = (await response.arrayBuffer()).byteLength
    counted = 1
  } else {
    for await (const chunk of /** @type {AsyncIterable<Uint8Array>} */ (response.body)) {
      bytes += chunk.length
      counted++
    }
  }
  if (!hasOwnAnswers && bytes < chunks * 100) throw new Error(`only ${bytes} bytes came`)
  return counted
}

/** @param {string} base @param {ReturnType<typeof requestBody>} body */
async function callThroughSdk(base, body) {
  const ask = (/** @type {Parameters<typeof fetch>} */ ...given) => fetch(...given)
  const client = new OpenAI({ apiKey: 'bench', baseURL: `${base}/v1`, maxRetries: 0, fetch: ask })
  const answered = await client.chat.completions.create(body)
  if (answered.choices[0].message.content.length < 100) throw new Error('a short answer')
}
