// An agent's loop whose request grows with every turn, replayed: against one read of each request's bytes.
import { createHash } from 'node:crypto'
import { canonicalisers } from '../peers/canonicalisers.mjs'
import { modelBase, route } from '../peers/replay-peers.mjs'
import { toolLoop } from '../tool-loop.mjs'
import { answer, asked, replaysOf } from './child.mjs'
import { compareInTurn } from './in-turn.mjs'

/** @typedef {{ subject: 'ours' | 'canonicalising recorder', turns: number, bytes: number, pairs: number, folder: string }} Ask */

/** @type {Ask} */
const { subject, turns, bytes, pairs, folder } = asked()
const loop = toolLoop({ turns, bytes })
const open = await (subject === 'ours'
  ? replaysOf({ folder, name: 'loop', exchanges: loop.exchanges(`${modelBase}${route}`), call: ask })
  : openCanonicalising())
answer(await compareInTurn({ subject: { ops: turns - 1, open }, limit: { ops: turns - 1, open: openLimit }, pairs }))

/** A mock that reads each request's bytes once. */
function openLimit() {
  const before = globalThis.fetch
  globalThis.fetch = /** @type {typeof fetch} */ (
    async (_url, init) => {
      const read = createHash('sha256')
        .update(Buffer.from(String(init?.body)))
        .digest('hex')
      return new Response(loop.answers[0], { headers: { 'content-type': 'application/json', 'x-read': read } })
    }
  )
  return { once: ask, close: () => (globalThis.fetch = before) }
}

/** Reads, canonicalises and compares each request whole, as recorders that diff do. */
async function openCanonicalising() {
  const canonicalise = await canonicalisers['json-canonicalize']?.()
  if (canonicalise === undefined) throw new TypeError('no canonicaliser')
  const recorded = loop.requests.map((request) => canonicalise(JSON.parse(request)))
  return () => {
    const before = globalThis.fetch
    let turn = 0
    globalThis.fetch = /** @type {typeof fetch} */ (
      async (_url, init) => {
        if (canonicalise(JSON.parse(String(init?.body))) !== recorded[turn++]) throw new Error('not as recorded')
        return new Response(loop.answers[0], { headers: { 'content-type': 'application/json' } })
      }
    )
    return { once: ask, close: () => (globalThis.fetch = before) }
  }
}

/** @param {number} turn */
async function ask(turn) {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(modelBase + route, { method: 'POST', body: loop.requests[turn] ?? '', headers })
  const text = await response.text()
  if (response.status !== 200) throw new Error(text)
}
