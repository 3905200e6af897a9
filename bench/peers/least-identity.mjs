// The least that keeps the promises of identity, in plain calls of Node: what no correct recorder can leave out.
import { isUtf8 } from 'node:buffer'
import { createHash, hash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'

export const leastOf = {
  hit: 'the stored value written and compared with what came, its members sorted, written again and hashed; long strings are written once',
  miss: 'what came decoded, parsed, each byte looked at once, compared with the stored value; that sorted, written and hashed',
}

/** From here on it pays to write long strings apart. */
const longRequest = 16_384

/** Longer ones are hashed in parts: one letter beyond Latin-1 would double the bytes of all of it. */
const maxWhole = 65_536

/** What a file was read into lies ready: values, not texts. @param {readonly Buffer[]} bodies as recorded @param {'hit' | 'miss'} kind */
export function leastIdentity(bodies, kind) {
  const longest = Math.max(...bodies.map((body) => body.length))
  const hashOf = longest > maxWhole ? hashInParts : hashWhole
  const recorded = bodies.map((body) => {
    const value = JSON.parse(body.toString())
    return { value, expected: hashOf(value) }
  })
  const room = Buffer.allocUnsafe(2 * longest)
  const hashIfText = longest < longRequest ? hashIfShortText : hashIfLongText
  const hashIfSame = kind === 'hit' ? hashIfText : hashIfValue(hashOf)
  return (/** @type {number} */ number, /** @type {Buffer} */ sent) => {
    const { value, expected } = recorded[number] ?? {}
    if (hashIfSame(value, sent, room) !== expected) throw new Error('another request, or an edited one')
  }
}

/** @param {unknown} value @param {Buffer} sent */
function hashIfShortText(value, sent) {
  return sent.toString() === JSON.stringify(value) ? hashWhole(value) : undefined
}

/** @param {unknown} value @param {Buffer} sent @param {Buffer} room */
function hashIfLongText(value, sent, room) {
  /** @type {string[]} */
  const long = []
  const short = shortened(value, long)
  /** @type {{ from: number, to: number }[]} */
  const places = []
  let end = 0
  for (const [at, part] of JSON.stringify(short).split(mark).entries()) {
    const from = end
    const length = room.write(at % 2 === 0 ? part : JSON.stringify(long[Number(part)]))
    end += length
    if (room.compare(sent, from, end, 0, length) !== 0) return undefined
    if (at % 2 === 1) places[Number(part)] = { from, to: end }
  }
  let written = 0
  for (const [at, part] of JSON.stringify(sorted(short)).split(mark).entries()) {
    const place = at % 2 === 0 ? undefined : places[Number(part)]
    written += place ? sent.copy(room, written, place.from, place.to) : room.write(part, written)
  }
  return hash('sha256', room.subarray(0, written))
}

/** @param {(value: unknown) => string} hashOf */
function hashIfValue(hashOf) {
  return (/** @type {unknown} */ value, /** @type {Buffer} */ sent) => {
    if (!isUtf8(sent)) return undefined
    const parsed = JSON.parse(sent.toString())
    return namesIn(sent) > 0 && isDeepStrictEqual(parsed, value) ? hashOf(value) : undefined
  }
}

/** One look at each byte, as names that parsing lost take. @param {Buffer} bytes */
function namesIn(bytes) {
  let names = 0
  for (let at = 1; at < bytes.length; at++) if (bytes[at] === 0x3a && bytes[at - 1] === 0x22) names++
  return names
}

/** @param {unknown} value */
function hashWhole(value) {
  return hash('sha256', JSON.stringify(sorted(value)))
}

/** @param {unknown} value */
function hashInParts(value) {
  /** @type {string[]} */
  const long = []
  const parts = JSON.stringify(sorted(shortened(value, long))).split(mark)
  const all = createHash('sha256')
  for (const [at, part] of parts.entries()) all.update(at % 2 === 0 ? part : JSON.stringify(long[Number(part)]))
  return all.digest('hex')
}

/** As the mark of a long string is written, with its number. */
const mark = /"\\u0001(\d+)"/

/** The value with marks in place of its long strings. @param {any} value @param {string[]} long @returns {any} */
function shortened(value, long) {
  if (typeof value === 'string') return value.length < 100 ? value : `\u0001${long.push(value) - 1}`
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item) => shortened(item, long))
  /** @type {Record<string, unknown>} */
  const copy = {}
  for (const name of Object.keys(value)) copy[name] = shortened(value[name], long)
  return copy
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
