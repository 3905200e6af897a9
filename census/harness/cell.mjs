/**
 * One client of the census: five tests that let it do what clients do and write down what it showed. The same file is run
 * while the model server is there (recording), and once more when it has gone (replay); the facts are judged outside.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { test } from 'turntape/vitest'
import { describe } from 'vitest'

const { CENSUS_RUN: run, CENSUS_SEEN: folder, CENSUS_PORTS: ports } = process.env
const { plain, h2, tls } = JSON.parse(ports)
mkdirSync(folder, { recursive: true })

/**
 * @param {string} name of the row
 * @param {object} client
 * @param {string} client.package whose version is shown
 * @param {'fetch' | 'node:http' | 'node:https' | 'http2' | 'undici' | 'MCP'} client.road which its calls take
 * @param {'plain' | 'h2' | 'tls'} [client.server] default `plain`
 * @param {true} [client.rawChunks] its pieces are the chunks as they came
 * @param {(url: string) => unknown} client.build the client for a server
 * @param {(call: { client: any, text: string }) => Promise<string>} client.ask one answer
 * @param {(call: { client: any, text: string, signal: AbortSignal, abort: () => void }) => AsyncIterable<string>} client.stream its pieces
 */
export function cell(name, client) {
  const id = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
  const keep = (scenario, seen) =>
    writeFileSync(`${folder}/${id}.${scenario}.json`, JSON.stringify({ name, id, scenario, ...about(client), ...seen }))
  const built = (scenario) => client.build(urlOf(client.server, `${scenario}/${id}`))

  describe(name, () => {
    test('answers', async ({ tape }) => {
      keep('answered', {
        cassette: tape.cassettePath,
        text: await client.ask({ client: await built('answered'), text: 'hello' }),
      })
    })

    test('streams', async ({ tape }) => {
      const pieces = []
      const { signal } = new AbortController()
      for await (const piece of client.stream({ client: await built('streamed'), text: 'hello', signal, abort() {} })) {
        if (piece.length === 0) continue
        pieces.push(piece)
        if (pieces.length === 1) await open(id)
      }
      keep('streamed', { cassette: tape.cassettePath, pieces })
    })

    test('is aborted', async () => {
      const controller = new AbortController()
      const { signal } = controller
      const pieces = []
      const error = await errorOf(async () => {
        const call = { client: await built('aborted'), text: 'hello', signal, abort: () => controller.abort() }
        for await (const piece of client.stream(call)) {
          if (piece.length === 0) continue
          pieces.push(piece)
          if (pieces.length === 1) controller.abort()
        }
      })
      keep('aborted', { pieces: pieces.slice(0, 1), error })
    })

    test('shows an error', async () => {
      const text = 'hello'
      keep('error', { error: await errorOf(async () => client.ask({ client: await built('error'), text })) })
    })

    test('asks for something else', async () => {
      const text = run === 'replayed' ? 'something else' : 'hello'
      keep('diverged', { error: await errorOf(async () => client.ask({ client: await built('diverged'), text })) })
    })
  })
}

const about = ({ package: packageName, road, rawChunks = false }) => ({ package: packageName, road, rawChunks })

function urlOf(server = 'plain', path) {
  const origin = {
    plain: `http://model.test:${plain}`,
    h2: `http://model.test:${h2}`,
    tls: `https://model.test:${tls}`,
  }
  return `${origin[server]}/${path}`
}

/** Tells the server that a piece has been seen; loopback, and no model call: goes past every recording. */
async function open(id) {
  if (run === 'recorded') await (await fetch(`http://127.0.0.1:${plain}/open/${id}`)).text()
}

/** What a user would see of an error; undefined: there was none. */
async function errorOf(call) {
  try {
    await call()
    return undefined
  } catch (error) {
    const { name, message, status, statusCode, cause } = error
    return { name, class: error.constructor?.name, message, status: status ?? statusCode, cause: cause?.message }
  }
}
