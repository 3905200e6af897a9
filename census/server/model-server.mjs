/**
 * The model servers of the census: HTTP/1.1, HTTP/2 without and with TLS. A path begins with what is to happen and for whom,
 * `/streamed/openai-chat/…`. Each answer is logged as it was sent, chunk by chunk. After half of a streamed answer the
 * server waits until the test has seen some of it (`open`): so that "streamed" is a fact and no question of time.
 */
import { once } from 'node:events'
import { createServer } from 'node:http'
import { createServer as createHttp2Server, createSecureServer } from 'node:http2'
import { setTimeout as wait } from 'node:timers/promises'
import { mcpHandler } from './mcp-over-http.mjs'
import { wireOf } from './wires.mjs'

/** What tracing tools add to a call that they see. */
const traceHeaders = ['traceparent', 'sentry-trace', 'x-datadog-trace-id']

/** How long a client may keep the first half of an answer to itself. */
const patienceMs = 3000
/** Between two chunks, so that the network does not join them. */
const pauseMs = 8

/** @param {{ key: string, cert: string }} certificate */
export async function startModelServers(certificate) {
  const log = []
  const gates = new Gates()
  const mcp = mcpHandler((scenario, cell) => ({
    tell: tellOnce(log, { scenario, cell }),
    seen: () => Promise.race([gates.opened(cell), wait(patienceMs, false)]),
  }))
  const onRequest = (request, response) => answer({ request, response, log, gates, mcp })
  const servers = {
    plain: createServer(onRequest),
    h2: createHttp2Server(onRequest),
    tls: createSecureServer({ ...certificate, allowHTTP1: true }, onRequest),
  }
  const sessions = new Set()
  const ports = {}
  for (const [name, server] of Object.entries(servers)) {
    server.on(name === 'plain' ? 'connection' : 'session', (session) => sessions.add(session))
    server.on('secureConnection', (socket) => sessions.add(socket))
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    ports[name] = server.address().port
  }
  return {
    log,
    ports,
    async stop() {
      for (const session of sessions) session.destroy()
      await Promise.all(Object.values(servers).map((server) => new Promise((done) => server.close(done))))
    },
  }
}

/** One gate a cell; it may be opened before anyone waits at it. */
class Gates {
  #gates = new Map()

  open(cell) {
    this.#gate(cell).open(true)
  }

  /** Resolves to true once it is open. */
  opened(cell) {
    return this.#gate(cell).opened
  }

  #gate(cell) {
    if (!this.#gates.has(cell)) {
      let open
      const opened = new Promise((resolve) => {
        open = resolve
      })
      this.#gates.set(cell, { open, opened })
    }
    return this.#gates.get(cell)
  }
}

/** Writes one call down, and later what more is known of it. */
function tellOnce(log, call) {
  const entry = { ...call, chunks: [], closedEarly: false }
  return (more) => {
    if (!log.includes(entry)) log.push(entry)
    Object.assign(entry, more)
  }
}

async function answer({ request, response, log, gates, mcp }) {
  const body = await bodyOf(request)
  const { pathname } = new URL(request.url, 'http://model.test')
  const path = pathname.split('/').slice(1)
  if (await mcp({ request, response, body, path })) return
  const [scenario, cell, ...rest] = path
  switch (scenario) {
    case 'open':
      gates.open(cell)
      return response.end()
    case 'wait':
      await Promise.race([gates.opened(cell), wait(patienceMs)])
      return response.end()
    case 'tell':
      tellOnce(log, { cell })(JSON.parse(body))
      return response.end()
  }
  const found = wireOf(pathname)
  const entry = {
    cell,
    scenario,
    traced: traceHeaders.some((name) => name in request.headers),
    chunks: [],
    seenInTime: undefined,
    closedEarly: false,
  }
  log.push(entry)
  response.on('close', () => {
    entry.closedEarly = !response.writableFinished
  })
  if (found === undefined) return send(response, 404, { error: `no wire speaks ${rest.join('/')}` })
  const { wire, streams = JSON.parse(body).stream === true } = found
  if (scenario === 'error') return send(response, 400, wire.error, wire.errorHeaders)
  if (!streams) return send(response, 200, wire.json)
  await sendStream({ response, wire, entry, gates })
}

async function sendStream({ response, wire, entry, gates }) {
  response.writeHead(200, { 'content-type': wire.contentType ?? 'text/event-stream; charset=utf-8' })
  const chunks = cut(wire.stream())
  const half = Math.ceil(chunks.length / 2)
  for (const [index, chunk] of chunks.entries()) {
    if (index === half) entry.seenInTime = await seen(entry, gates, response)
    if (response.destroyed || response.closed || response.stream?.destroyed) return
    entry.chunks.push(chunk)
    response.write(chunk)
    await wait(pauseMs)
  }
  response.end()
}

/** True when the test said that it has seen some of the answer; an abort ends the waiting, too. */
async function seen({ cell, scenario }, gates, response) {
  const patience = new AbortController()
  // An aborted answer has no gate: nothing but the abort ends the waiting.
  const opened = scenario === 'aborted' ? new Promise(() => {}) : gates.opened(cell)
  const left = once(response, 'close', { signal: patience.signal }).then(
    () => scenario === 'aborted',
    () => false,
  )
  const late = wait(patienceMs, false, { signal: patience.signal }).catch(() => false)
  const result = await Promise.race([opened, left, late])
  patience.abort()
  return result
}

/** One chunk an event, but one event cut inside its first character that is no ASCII (or in its middle). */
function cut(events) {
  const chunks = events.map((event) => Buffer.from(event))
  const first = chunks.findIndex((chunk) => chunk.some((byte) => byte > 0x7f))
  const place = chunks[first].findIndex((byte) => byte > 0x7f) + 1
  return [
    ...chunks.slice(0, first),
    chunks[first].subarray(0, place),
    chunks[first].subarray(place),
    ...chunks.slice(first + 1),
  ]
}

function send(response, status, value, headers = {}) {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(JSON.stringify(value))
}

async function bodyOf(request) {
  const chunks = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}
