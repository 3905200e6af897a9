/** The law of the road of `node:http`: in replay its caller is shown what he was shown live, event by event. */
import http, { type ClientRequest, type RequestOptions, type ServerResponse } from 'node:http'
import https from 'node:https'
import type { AddressInfo } from 'node:net'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { HttpInteraction } from '../../src/core/cassette/document.ts'
import { encodeBody } from '../../src/core/cassette/encode-body.ts'
import type { Verdict } from '../../src/interception/router.ts'
import { createExchangeRecorder, type ExchangeRecorder } from '../../src/recording/exchange-recorder.ts'
import { serveInteraction } from '../../src/replaying/serve-interaction.ts'
import { startHostileServers } from '../clients/hostile-server.ts'
import { selfSigned } from '../clients/self-signed.ts'
import { type Reading, traceOf } from './http-trace.ts'
import { loopbackServer, settle, until } from './loopback-server.ts'
import { installed, scriptedRouter } from './scripted-router.ts'

/** A call, made live under a recorder and then served from what it kept. */
async function liveAndReplayed(make: () => ClientRequest, reading?: Reading) {
  const live = installed(scriptedRouter({ route: () => ({ kind: 'observe', observer: recorder.observer }) }))
  const recorder = newRecorder()
  const shownLive = await traceOf(make(), reading)
  await until(() => recorder.state() === 'settled')
  live.interception.uninstall()
  const interaction = interactionOf(recorder)
  const pastEnd: string[] = []
  const router = installed(
    scriptedRouter({ route: () => replayed(interaction, pastEnd), connect: () => new RangeError('a connection') }),
  )
  const shownReplayed = await traceOf(make(), reading)
  router.interception.uninstall()
  expect([router.routed.length, router.connects.length]).toEqual([1, 0])
  return { live: shownLive, replayed: shownReplayed, interaction, pastEnd }
}

function newRecorder(): ExchangeRecorder {
  const options = { now: () => performance.now(), maxBodyBytes: 1 << 20, maxChunks: 1000 }
  return createExchangeRecorder({ ...options, onCap: () => {}, onSettled: () => {} })
}

function interactionOf(recorder: ExchangeRecorder): HttpInteraction {
  const { head, failure, body } = recorder.snapshot()
  const base = { kind: 'http', number: 1, hash: '', request: { method: 'GET', url: 'http://x/', headers: [] } }
  if (head === undefined) return { ...base, timing: { startMs: 0 }, failure } as unknown as HttpInteraction
  const headers = head.headers.filter(([name]) => ['content-type', 'set-cookie'].includes(name))
  const stored = body === undefined ? undefined : encodeBody(body, { contentType: 'text/plain' }).stored
  const { status, statusText } = head
  const response = { status, statusText, headers, ...(stored && { body: stored }) }
  return { ...base, timing: { startMs: 0 }, response } as unknown as HttpInteraction
}

function replayed(interaction: HttpInteraction, told: string[]): Verdict {
  const served = serveInteraction({
    interaction,
    sideFiles: new Map() as never,
    road: 'http',
    retryAfter: 'recorded',
    onPastEnd: () => void told.push('read past'),
    onCancelled: () => void told.push('cancelled'),
  })
  return served.kind === 'silent' ? { kind: 'hang', cancelled: () => void told.push('cancelled') } : served
}

const posted = (url: string, options: RequestOptions = {}) => {
  const request = http.request(url, { method: 'POST', ...options })
  request.write('one ')
  request.end('two')
  return request
}

const inPieces = async (response: ServerResponse, pieces: readonly string[]): Promise<void> => {
  for (const piece of pieces) {
    response.write(piece)
    await settle(15)
  }
  response.end()
}

describe('what the caller sees in replay is what he saw live', () => {
  test.each<[Reading]>([['flowing'], ['iterated'], ['ignored']])('F8 of a streamed answer, %s', async (reading) => {
    const server = await loopbackServer((_, response) => inPieces(response, ['a', 'bc', 'd']))
    const { live, replayed } = await liveAndReplayed(() => posted(server.url), reading)
    expect(live).toEqual(expect.arrayContaining(['socket', 'finish', 'response 200 OK', 'response end', 'close']))
    if (reading !== 'ignored')
      expect(live.filter((event) => event.startsWith('data'))).toEqual(['data a', 'data bc', 'data d'])
    expect(replayed).toEqual(live)
    expect(server.seen).toHaveLength(1)
  })

  test.each<[string, (response: ServerResponse) => unknown, RequestOptions]>([
    ['a plain answer', (response) => response.end('hello'), {}],
    ['an empty one', (response) => response.end(), {}],
    ['a reason of its own', (response) => response.writeHead(200, 'Fine').end('x'), {}],
    ['204', (response) => response.writeHead(204).end(), {}],
    ['304', (response) => response.writeHead(304).end(), {}],
    ['500 with a body', (response) => response.writeHead(500).end('broken'), {}],
    ['no agent', (response) => response.end('x'), { agent: false }],
    ['a kept connection', (response) => response.end('x'), { agent: new http.Agent({ keepAlive: true }) }],
    ['expect: 100-continue', (response) => response.end('x'), { headers: { expect: '100-continue' } }],
  ])('of %s', async (_, answer, options) => {
    const server = await loopbackServer((_request, response) => void answer(response))
    const { live, replayed } = await liveAndReplayed(() => posted(server.url, options))
    expect(live.filter((event) => /^response \d|^close$/.test(event))).toHaveLength(2)
    expect(replayed).toEqual(live)
  })

  test('of HEAD', async () => {
    const server = await loopbackServer((_, response) => void response.writeHead(200).end())
    const { live, replayed } = await liveAndReplayed(() => http.request(server.url, { method: 'HEAD' }).end())
    expect(live).toContain('response end')
    expect(replayed).toEqual(live)
  })

  test.each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
  ] as const)('F7 of %s, but for the encoding, which is undone', async (encoding, compress) => {
    const headers = { 'content-encoding': encoding }
    const server = await loopbackServer((_, response) => void response.writeHead(200, headers).end(compress('hello')))
    const { live, replayed } = await liveAndReplayed(() => posted(server.url))
    expect(live).not.toContain('data hello')
    expect(replayed).toContain('data hello')
  })

  test('of https with a certificate that nobody signed, accepted by the caller', async () => {
    const server = https.createServer(selfSigned(), (_, response) => void inPieces(response, ['a', 'b']))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const { port } = server.address() as AddressInfo
    const shown: unknown[] = []
    const make = () =>
      https
        .get(`https://127.0.0.1:${port}/`, { rejectUnauthorized: false })
        .on('socket', (socket) => socket.on('secureConnect', () => shown.push(Reflect.get(socket, 'encrypted'))))
    const { live, replayed } = await liveAndReplayed(make)
    expect(replayed).toEqual(live)
    expect([live.filter((event) => event.startsWith('data')), shown]).toEqual([
      ['data a', 'data b'],
      [true, true],
    ])
  })

  test('F10 of a caller who leaves after the first chunk', async () => {
    const server = await loopbackServer((_, response) => void response.write('first'))
    const { live, replayed, interaction, pastEnd } = await liveAndReplayed(
      () => posted(server.url),
      'left after one chunk',
    )
    expect(live).toContain('response closed, incomplete')
    expect(replayed).toEqual(live)
    expect([interaction.response?.body, pastEnd]).toMatchObject([{ end: { kind: 'aborted' } }, ['cancelled']])
  })

  test.each<[string, (request: ClientRequest) => void, RequestOptions]>([
    ['destroys his request', (request) => void setTimeout(() => request.destroy(), 40), {}],
    [
      'destroys it with an error of his own',
      (request) => void setTimeout(() => request.destroy(new RangeError('mine')), 40),
      {},
    ],
    ['aborts it', (request) => void setTimeout(() => request.abort(), 40), {}],
    [
      'has a timeout',
      (request) => void request.on('timeout', () => request.destroy(new RangeError('late'))),
      { timeout: 40 },
    ],
    [
      'sets a timeout later',
      (request) => void request.setTimeout(40, () => request.destroy(new RangeError('late'))),
      {},
    ],
  ])('of one who %s before the head', async (_, leave, options) => {
    const server = await loopbackServer(() => {})
    const make = () => {
      const request = posted(server.url, options)
      leave(request)
      return request
    }
    const { live, replayed, interaction, pastEnd } = await liveAndReplayed(make)
    expect(live.at(-1)).toBe('close')
    expect(replayed).toEqual(live)
    expect([interaction.failure?.details?.abortedBy, pastEnd]).toEqual(['caller', ['cancelled']])
  })

  test('of a signal', async () => {
    const server = await loopbackServer(() => {})
    const { live, replayed } = await liveAndReplayed(() => posted(server.url, { signal: AbortSignal.timeout(40) }))
    expect(live).toContainEqual(expect.stringMatching(/^error AbortError/))
    expect(replayed).toEqual(live)
  })
})

describe('F16 what fails live fails alike in replay', () => {
  test.each([
    'reset before the head',
    'closed before the head',
    'no HTTP at all',
    'reset in the body',
    'chunked, cut',
    'shorter than its content-length',
  ])('%s', async (kind) => {
    const servers = await startHostileServers()
    onTestFinished(() => servers.stop())
    const url = `${servers.urls.plain}/${encodeURIComponent(kind)}/9/openai/v1/chat/completions`
    const { live, replayed } = await liveAndReplayed(() => posted(url))
    expect(live.join()).toContain('error')
    expect(replayed).toEqual(live)
  })

  test.each(['refused', 'self-signed', 'no TLS'] as const)('%s', async (where) => {
    const servers = await startHostileServers()
    onTestFinished(() => servers.stop())
    const client = where === 'refused' ? http : https
    const { live, replayed } = await liveAndReplayed(() => client.get(servers.urls[where]))
    expect(live.join()).toContain('error')
    expect(replayed).toEqual(live)
  })

  test('an unknown host', async () => {
    const { live, replayed } = await liveAndReplayed(() => http.get('http://nonexistent.invalid/'))
    expect(live).toContainEqual(expect.stringMatching(/getaddrinfo/))
    expect(replayed).toEqual(live)
  })
})
