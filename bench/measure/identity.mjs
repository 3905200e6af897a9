// What it costs to know which recorded request a request is, against reading its JSON and hashing its bytes.
import { createHash } from 'node:crypto'
import { canonicaliserNames, canonicalisers } from '../peers/canonicalisers.mjs'
import { leastIdentity } from '../peers/least-identity.mjs'
import { chatRequest } from '../requests.mjs'
import { answer, asked, loadHarness } from './child.mjs'
import { compareInTurn } from './in-turn.mjs'

/** @typedef {{ subject: string, bytes: number, image: boolean, pairs: number, folder: string }} Ask `subject`: `hit`, `miss`, each also `least`, or the name of a canonicaliser */

/** @type {Ask} */
const { subject, bytes, image, pairs, folder } = asked()
const ops = Math.max(4, Math.min(400, Math.round(4_000_000 / bytes)))
const request = (/** @type {number} */ number) => JSON.stringify(chatRequest({ bytes, image, number }))
const bodies = Array.from({ length: ops + 1 }, (_, number) => Buffer.from(request(number)))
answer(await compareInTurn({ subject: { ops, open: await opener() }, limit: { ops, open: openLimit }, pairs }))

function openLimit() {
  let parsed
  return {
    once(/** @type {number} */ number) {
      const body = /** @type {Buffer} */ (bodies[number])
      parsed = JSON.parse(body.toString())
      return [parsed, createHash('sha256').update(body).digest('hex')]
    },
  }
}

async function opener() {
  if (canonicaliserNames.includes(subject)) {
    const canonicalise = await canonicalisers[subject]?.()
    if (canonicalise === undefined) throw new TypeError(`no such canonicaliser: ${subject}`)
    const once = (/** @type {number} */ number) => {
      const text = canonicalise(JSON.parse(/** @type {Buffer} */ (bodies[number]).toString()))
      return createHash('sha256').update(text).digest('hex')
    }
    return () => ({ once })
  }
  // A miss is the same request in another spelling: its bytes are no recorded ones.
  const kind = subject.endsWith('hit') ? 'hit' : 'miss'
  const sent = kind === 'hit' ? bodies : bodies.map((body) => Buffer.from(respelled(body.toString())))
  if (subject.startsWith('least')) {
    const find = leastIdentity(bodies, kind)
    return () => ({ once: (/** @type {number} */ number) => find(number, /** @type {Buffer} */ (sent[number])) })
  }
  const { openIdentities } = await loadHarness()
  const identities = await openIdentities(folder, `identity-${bytes}`, bodies.map(String))
  return () => {
    const find = identities.start()
    return { once: (/** @type {number} */ number) => find(/** @type {Buffer} */ (sent[number])) }
  }
}

/** With a blank after the first brace. @param {string} text */
function respelled(text) {
  return `{ ${text.slice(1)}`
}
