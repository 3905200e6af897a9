// The least that keeps the promises of a replay, in plain calls of Node: what no correct recorder can leave out.
import { hash } from 'node:crypto'
import { answerOf, requestBody } from '../answers.mjs'

/** @typedef {import('./replay-peers.mjs').Scenario} Scenario */

const encoder = new TextEncoder()

const secretNames = /authorization|cookie|key|token|secret/
const hostsToPass = new Set(['telemetry.test', 'traces.test'])

export const leastCall =
  'the address read and told apart, headers copied and looked through, the abort watched, the stored request written, compared and hashed, an entry for the report, a Response with its address'

/**
 * A `fetch` that answers one call after the other. What a file was read into lies ready: values, not texts. The head of each call is read and
 * compared, the body compared with the stored request, whose hash is verified; the answer is written from its values into memory of its
 * own, and handed out as a byte stream, which ends when the caller aborts; what a report needs of the call is kept.
 * @param {Scenario} scenario @param {'recorded' | 'joined'} chunksAs
 */
export function leastReplay({ kind, chunks, count }, chunksAs) {
  const recorded = Array.from({ length: count }, (_, number) => stored({ kind, chunks, number }))
  /** @type {object[]} */
  const entries = []
  return async (/** @type {string | URL} */ input, /** @type {RequestInit & { body: string }} */ init) => {
    const number = entries.length % count
    const { request, sorted, hash: expected, type, texts, usage } = recorded[number] ?? recorded[0]
    const head = headOf(input, init)
    if (head === undefined || head.method !== 'POST') throw new Error('not of the recording')
    if (JSON.stringify(request) !== init.body) throw new Error('another request')
    if (hash('sha256', JSON.stringify(sorted)) !== expected) throw new Error('an edited request')
    entries.push({ number, ...head, status: 200, usage })
    const stream = byteStream(chunksAs === 'joined' ? () => [texts().join('')] : texts, init.signal ?? undefined)
    const response = new Response(stream, { status: 200, headers: { 'content-type': type } })
    return Object.defineProperty(response, 'url', { value: head.url, configurable: true })
  }
}

/** Undefined for what goes on to the network. @param {string | URL} input @param {RequestInit} init */
function headOf(input, init) {
  init.signal?.throwIfAborted()
  const { protocol, hostname, href } = new URL(input)
  if (!protocol.startsWith('http') || hostsToPass.has(hostname)) return undefined
  const headers = [...new Headers(init.headers)].map(([name, value]) => [
    name,
    secretNames.test(name) ? '[REDACTED]' : value,
  ])
  return { method: String(init.method).toUpperCase(), url: href, headers }
}

/** @param {import('../answers.mjs').Question} question @returns {any} */
function stored(question) {
  const request = JSON.parse(JSON.stringify(requestBody(question)))
  const sorted = Object.fromEntries(Object.entries(request).sort())
  const { type, chunks } = answerOf(question)
  const ofRequest = { request, sorted, hash: hash('sha256', JSON.stringify(sorted)), type }
  if (question.kind === 'json') {
    const answer = JSON.parse(chunks[0] ?? '')
    return { ...ofRequest, texts: () => [JSON.stringify(answer)], usage: answer.usage }
  }
  const [first = '', ...rest] = chunks
  const ends = rest.splice(-2)
  const contents = rest.map((text) => JSON.parse(text.slice('data: '.length)).choices[0].delta.content)
  const [before = '', after = ''] = (rest[0] ?? '').split(JSON.stringify(contents[0]))
  return { ...ofRequest, texts: () => [first, ...column(contents, `${before}"`, `"${after}`), ...ends] }
}

/** All values in one call. @param {readonly string[]} values @param {string} before @param {string} after */
function column(values, before, after) {
  const written = JSON.stringify(values).slice(2, -2).split('","')
  return written.map((text) => before + text + after)
}

/** As the body of a live call is one: a chunk a read, each in memory of its own. @param {() => readonly string[]} texts @param {AbortSignal | undefined} signal */
function byteStream(texts, signal) {
  /** @type {readonly string[] | undefined} */
  let written
  let next = 0
  return new ReadableStream(
    {
      type: 'bytes',
      start(controller) {
        signal?.addEventListener('abort', () => controller.error(signal.reason), { once: true })
      },
      pull(controller) {
        written ??= texts()
        const text = written[next++]
        if (text !== undefined) controller.enqueue(encoder.encode(text))
        else controller.close()
      },
    },
    { highWaterMark: 0 },
  )
}
