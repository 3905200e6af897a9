// The least that keeps the promises of identity, in plain calls of Node: what no correct recorder can leave out.
import { hash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'

const decoder = new TextDecoder('utf-8', { fatal: true })

export const leastOf = {
  hit: 'the stored value written and compared with what came, its members sorted, written again and hashed',
  miss: 'what came decoded, parsed, each byte looked at once, compared with the stored value; that sorted, written and hashed',
}

/** What a file was read into lies ready: values, not texts. @param {readonly Buffer[]} bodies as recorded @param {'hit' | 'miss'} kind */
export function leastIdentity(bodies, kind) {
  const recorded = bodies.map((body) => {
    const value = JSON.parse(body.toString())
    return { value, expected: hashOf(value) }
  })
  const isSame = kind === 'hit' ? isText : isValue
  return (/** @type {number} */ number, /** @type {Buffer} */ sent) => {
    const { value, expected } = recorded[number] ?? {}
    if (!isSame(value, sent)) throw new Error('another request')
    if (hashOf(value) !== expected) throw new Error('an edited request')
  }
}

/** @param {unknown} value */
function hashOf(value) {
  return hash('sha256', JSON.stringify(sorted(value)))
}

/** @param {unknown} value @param {Buffer} sent */
function isText(value, sent) {
  return sent.toString() === JSON.stringify(value)
}

/** @param {unknown} value @param {Buffer} sent */
function isValue(value, sent) {
  const parsed = JSON.parse(decoder.decode(sent))
  return namesIn(sent) > 0 && isDeepStrictEqual(parsed, value)
}

/** One look at each byte, as finding secrets takes, and names that parsing lost. @param {Buffer} bytes */
function namesIn(bytes) {
  let names = 0
  for (let at = 1; at < bytes.length; at++) if (bytes[at] === 0x3a && bytes[at - 1] === 0x22) names++
  return names
}

/** @param {any} value @returns {any} */
function sorted(value) {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(sorted)
  /** @type {Record<string, unknown>} */
  const copy = {}
  for (const name of Object.keys(value).sort()) copy[name] = sorted(value[name])
  return copy
}
