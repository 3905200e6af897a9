/**
 * A tool that patches HTTP as well, beside the tape: started before the test, so that the tape lies above it, and within. Each
 * test makes calls on both roads and writes down what came back and what the tool saw. Vitest or Jest, the same file.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import http from 'node:http'
import { bodyOf, contentOf, jsonHeaders, pathOfChat } from './chat-over-http.mjs'
import './names.mjs'

const { CENSUS_RUN: run, CENSUS_SEEN: folder, CENSUS_PORTS: ports, CENSUS_RUNNER: runner = 'vitest' } = process.env
const { afterAll, beforeAll, describe, test: plain } = runner === 'jest' ? globalThis : await import('vitest')
const origin = `http://model.test:${JSON.parse(ports).plain}`

/** The tool without the tape, or beside it; what the tool answers itself is no part of the recording. */
const test = run === 'alone' ? plain : await taped()
mkdirSync(folder, { recursive: true })

async function taped() {
  const { replay } = await import(runner === 'jest' ? 'turntape/jest' : 'turntape/vitest')
  return replay(plain, { passthrough: ['own.test'] })
}

/**
 * @param {string} name
 * @param {object} tool
 * @param {string} tool.package whose version is shown
 * @param {(origin: string) => unknown} tool.start
 * @param {() => unknown} [tool.stop] absent: it stays until the process ends
 * @param {true} [tool.answers] it answers `http://own.test/answer` with `{ by: 'tool' }`
 */
export function neighbour(name, tool) {
  const id = name.toLowerCase().replace(/[^a-z0-9]+/g, '-')
  const keep = (when, seen) =>
    writeFileSync(`${folder}/${id}.${when}.json`, JSON.stringify({ name, package: tool.package, ...seen, when }))
  const stop = () => tool.stop?.()

  describe(name, () => {
    describe('started before', () => {
      beforeAll(() => tool.start(origin))
      afterAll(stop)
      test('is a neighbour', async () => keep('before', await calls({ tool, place: `${id}-before` })))
    })

    test('is a neighbour from now on', async () => {
      await tool.start(origin)
      keep('within', await calls({ tool, place: `${id}-within` }))
      await stop()
    })

    test('has gone', async () => keep('after', await calls({ tool: {}, place: `${id}-after` })))
  })
}

/** A path says whose call it is, as for the clients. */
async function calls({ tool, place }) {
  const byFetch = (scenario, stream) =>
    fetch(`${origin}/${scenario}/${place}${pathOfChat}`, {
      method: 'POST',
      headers: jsonHeaders,
      body: bodyOf('hello', stream),
    })
  const text = contentOf(await (await byFetch('answered', false)).json())
  let streamed = ''
  for await (const chunk of (await byFetch('streamed', true)).body) {
    if (streamed === '' && run !== 'replayed') await open(place)
    streamed += Buffer.from(chunk).toString('latin1')
  }
  const byHttp = contentOf(await postByHttp(`${origin}/by-http/${place}${pathOfChat}`))
  const own = tool.answers === true ? [await ownByFetch(), await ownByHttp()] : []
  return { text, streamed, byHttp, own }
}

const ownUrl = 'http://own.test/answer'
const ownByFetch = async () => (await (await fetch(ownUrl)).json()).by
const ownByHttp = async () => (await answered(http.get(ownUrl))).by

function postByHttp(url) {
  const call = http.request(url, { method: 'POST', headers: jsonHeaders })
  call.end(bodyOf('hello', false))
  return answered(call)
}

function answered(call) {
  return new Promise((resolve, reject) => {
    call.on('error', reject).on('response', async (response) => {
      const chunks = []
      for await (const chunk of response) chunks.push(chunk)
      resolve(JSON.parse(Buffer.concat(chunks).toString()))
    })
  })
}

const open = (place) =>
  fetch(`http://127.0.0.1:${JSON.parse(ports).plain}/open/${place}`).then((response) => response.text())
