// The least that keeps the promises of a replay, in plain calls of Node: what no correct recorder can leave out.
import { hash } from 'node:crypto'
import { answerOf, requestBody } from '../answers.mjs'

/** @typedef {import('./replay-peers.mjs').Scenario} Scenario */

const encoder = new TextEncoder()

/**
 * A `fetch` that answers one call after the other. What a file was read into lies ready: values, not texts. Each call is compared with the
 * stored request, whose hash is verified; the answer is written from its values into memory of its own, and handed out as a byte stream.
 * @param {Scenario} scenario @param {'recorded' | 'joined'} chunksAs
 */
export function leastReplay({ kind, chunks, count }, chunksAs) {
  const recorded = Array.from({ length: count }, (_, number) => stored({ kind, chunks, number }))
  let next = 0
  return async (/** @type {unknown} */ _url, /** @type {{ body: string }} */ { body }) => {
    const { request, sorted, hash: expected, type, texts } = recorded[next++ % count] ?? recorded[0]
    if (JSON.stringify(request) !== body) throw new Error('another request')
    if (hash('sha256', JSON.stringify(sorted)) !== expected) throw new Error('an edited request')
    const stream = byteStream(chunksAs === 'joined' ? () => [texts().join('')] : texts)
    return new Response(stream, { status: 200, headers: { 'content-type': type } })
  }
}

/** @param {import('../answers.mjs').Question} question @returns {any} */
function stored(question) {
  const request = JSON.parse(JSON.stringify(requestBody(question)))
  const sorted = Object.fromEntries(Object.entries(request).sort())
  const { type, chunks } = answerOf(question)
  const ofRequest = { request, sorted, hash: hash('sha256', JSON.stringify(sorted)), type }
  if (question.kind === 'json') {
    const answer = JSON.parse(chunks[0] ?? '')
    return { ...ofRequest, texts: () => [JSON.stringify(answer)] }
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

/** As the body of a live call is one: a chunk a read, each in memory of its own. @param {() => readonly string[]} texts */
function byteStream(texts) {
  /** @type {readonly string[] | undefined} */
  let written
  let next = 0
  return new ReadableStream(
    {
      type: 'bytes',
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
