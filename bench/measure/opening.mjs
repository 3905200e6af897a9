// What a test pays to begin: the file read and ready to serve, against `JSON.parse` of the same bytes.
import { isUtf8 } from 'node:buffer'
import { mkdirSync, mkdtempSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { answerOf, requestBody } from '../answers.mjs'
import { recorders } from '../peers/recorders.mjs'
import { modelBase, route, startLoopback } from '../peers/replay-peers.mjs'
import { visit } from '../peers/visit.mjs'
import { answer, asked, load, loadHarness } from './child.mjs'
import { compareInTurn } from './in-turn.mjs'

/** @typedef {{ subject: string, bytes: number, pairs: number, folder: string }} Ask `subject`: `ours`, `least`, `yaml`, `js-yaml` or a recorder; `bytes`: of our cassette */

/** @type {Ask} */
const { subject, bytes, pairs, folder } = asked()
const name = `opening-${bytes}`
const file = path.join(folder, `cassettes/${name}.json`)
const { openings, writeRecording } = await loadHarness()
const count = await writeCassetteOf(bytes)
const ops = Math.max(1, Math.min(20, Math.round(2_000_000 / bytes)))
const limit = { ops, open: () => ({ once: () => JSON.parse(readFileSync(file, 'utf8')) }) }
answer({
  ...(await compareInTurn({ subject: { ops, open: await opener() }, limit, pairs })),
  bytes: statSync(file).size,
})

/** Streams of 40 to 400 chunks, as many as fit. @param {number} wanted */
async function writeCassetteOf(wanted) {
  const exchanges = (/** @type {number} */ count) => Array.from({ length: count }, (_, number) => exchangeOf(number))
  const few = Math.min(16, Math.max(1, Math.floor(wanted / 8000)))
  const each = (await writeRecording(folder, name, exchanges(few))) / few
  const count = Math.max(1, Math.floor((wanted * 0.98) / each))
  await writeRecording(folder, name, exchanges(count))
  return count
}

/** @param {number} number */
function questionOf(number) {
  return /** @type {const} */ ({ kind: 'stream', chunks: 40 + ((number * 97) % 360), number })
}

/** @param {number} number */
function exchangeOf(number) {
  return {
    url: modelBase + route,
    body: JSON.stringify(requestBody(questionOf(number))),
    ...answerOf(questionOf(number)),
  }
}

async function opener() {
  if (subject === 'ours') return () => ({ once: openings(folder, name, ops + 1) })
  if (subject === 'least') return () => ({ once: leastOpening })
  if (subject === 'yaml' || subject === 'js-yaml') return yamlOpener()
  const recorder = recorders[subject]
  if (recorder?.read === undefined) throw new TypeError(`no such recorder: ${subject}`)
  mkdirSync(folder, { recursive: true })
  const place = mkdtempSync(path.join(folder, 'opening-'))
  const { base, close } = await startLoopback()
  await recorder.record(place, async () => {
    for (let number = 0; number < count; number++) {
      const headers = { 'content-type': 'application/json' }
      const body = JSON.stringify(requestBody(questionOf(number)))
      await (await fetch(base + route, { method: 'POST', body, headers })).arrayBuffer()
    }
  })
  close()
  const read = await recorder.read(place)
  return () => ({ once: () => read() })
}

/**
 * The file read, as UTF-8 and no other bytes (F19), and parsed; each byte looked at, since no parser tells of a name that stands
 * twice or of a number with too many digits (F19); each name and value looked at. Gives what was counted, so that it is done.
 */
function leastOpening() {
  const bytes = readFileSync(file)
  if (!isUtf8(bytes)) throw new TypeError('no UTF-8')
  const value = JSON.parse(bytes.toString())
  let quotes = 0
  for (let at = 0; at < bytes.length; at += 1) if (bytes[at] === 0x22) quotes += 1
  return quotes + visit(value)
}

/** The same document as YAML. */
async function yamlOpener() {
  const module = await load(subject)
  const { parse, stringify } = { parse: module.parse ?? module.load, stringify: module.stringify ?? module.dump }
  const text = stringify(JSON.parse(readFileSync(file, 'utf8')), { lineWidth: -1 })
  return () => ({ once: () => parse(text) })
}
