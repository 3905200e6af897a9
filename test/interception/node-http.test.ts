import { AsyncLocalStorage } from 'node:async_hooks'
import { once } from 'node:events'
import http, { type ClientRequest, type IncomingMessage, get as namedGet, request as namedRequest } from 'node:http'
import https from 'node:https'
import { createRequire } from 'node:module'
import net, { type AddressInfo } from 'node:net'
import axios from 'axios'
import got from 'got'
import nodeFetch from 'node-fetch'
import OpenAI from 'openai'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { installInterception } from '../../src/interception/install-interception.ts'
import type { Verdict } from '../../src/interception/router.ts'
import { traceOf } from './http-trace.ts'
import { loopbackServer, settle, until, whenClosed } from './loopback-server.ts'
import { installed, scriptedRouter, served, serving, Witness, witnessed } from './scripted-router.ts'

const required = createRequire(import.meta.url)
const url = 'http://api.example.com/v1/chat'

function answer(request: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => request.on('response', resolve).on('error', reject))
}

async function textOf(request: ClientRequest): Promise<string> {
  const pieces: string[] = []
  for await (const piece of await answer(request)) pieces.push(String(piece))
  return pieces.join('')
}

function failureOf(request: ClientRequest): Promise<Error> {
  return new Promise((resolve) => request.on('error', resolve))
}

/** A server whose answers say how often and by how many connections it was asked. */
async function countingServer() {
  const server = await loopbackServer((request, response) => void response.end(`${request.method} ${request.body}`))
  let connections = 0
  server.server.on('connection', () => {
    connections += 1
  })
  return { ...server, connections: () => connections }
}

describe('what is asked of the router', () => {
  const text = 'http://api.example.com:8080/p?q=1'
  const options = { hostname: 'api.example.com', port: 8080, path: '/p?q=1' }
  test.each<[string, () => ClientRequest, object?]>([
    ['a text', () => http.request(text)],
    ['a URL', () => http.request(new URL(text))],
    ['a text and options', () => http.request(text, { method: 'put' }), { method: 'PUT' }],
    [
      'a URL, options and a callback',
      () => http.request(new URL(text), { method: 'PUT' }, () => {}),
      { method: 'PUT' },
    ],
    ['options', () => http.request(options)],
    ['options that win over the URL', () => http.request('http://other.example/', options)],
    ['a host in brackets', () => http.request({ host: '[::1]', port: 9, path: '/' }), { url: 'http://[::1]:9/' }],
    ['an IPv6 host', () => http.request({ host: '::1', port: 9 }), { url: 'http://[::1]:9/' }],
    ['no host', () => http.request({}), { url: 'http://localhost/' }],
    ['credentials and a fragment', () => http.request('http://me:pw@api.example.com:8080/p?q=1#top')],
    ['get', () => http.get(text)],
    ['get of https', () => https.get('https://api.example.com/'), { url: 'https://api.example.com/' }],
    ['https on a port', () => https.request({ host: 'a.example', port: 8443 }), { url: 'https://a.example:8443/' }],
    [
      'the scheme of the options and its agent',
      () => http.request({ protocol: 'https:', host: 'a.example', agent: https.globalAgent }),
      { url: 'https://a.example/' },
    ],
    [
      'a proxy that is told the whole URL',
      () => http.request({ host: 'proxy.example', port: 3128, path: 'http://a.example/p' }),
      { url: 'http://a.example/p' },
    ],
  ])('reads %s', async (_, call, expected = {}) => {
    const router = serving(() => served(['x']))
    expect(await textOf(call().end())).toBe('x')
    expect(router.routed).toHaveLength(1)
    expect(router.routed[0]).toMatchObject({ method: 'GET', url: text, road: 'http', body: undefined, ...expected })
    expect(router.peeked[0]).toMatchObject({ url: router.routed[0]?.url, bodyKind: expect.any(String) })
  })

  test.each<[string, object, string]>([
    ['GET', { method: 'GET' }, 'none'],
    ['POST', { method: 'POST' }, 'bytes'],
    ['POST with a length', { method: 'POST', headers: { 'Content-Length': 5 } }, 'bytes'],
    ['POST with a great length', { method: 'POST', headers: { 'content-length': 1 << 30 } }, 'stream'],
    ['chunked', { method: 'POST', headers: ['Transfer-Encoding', 'chunked'] }, 'stream'],
  ])('says of %s what is known of the body', (_, options, bodyKind) => {
    const router = installed(scriptedRouter({}))
    http
      .request(url, options)
      .on('error', () => {})
      .destroy()
    expect(router.peeked).toMatchObject([{ bodyKind }])
  })

  test('gets the body in the bytes that are sent, and headers that were set after the call', async () => {
    const router = serving(() => served(['x']))
    const request = http.request(url, { method: 'POST', headers: { 'X-One': '1' } })
    request.setHeader('X-Two', ['2', '3'])
    request.removeHeader('X-One')
    const buffer = Buffer.from('piece ')
    const sent = new Promise<void>((resolve) => request.write(buffer, () => resolve()))
    expect(request.write('c3A=', 'base64')).toBe(true)
    await sent
    buffer.fill('!')
    request.end(new Uint8Array([0xff]))
    expect(await textOf(request)).toBe('x')
    expect(Buffer.from(router.routed[0]?.body ?? [])).toEqual(
      Buffer.concat([Buffer.from('piece sp'), Buffer.from([0xff])]),
    )
    expect(router.routed[0]?.headers).toEqual([
      ['host', 'api.example.com'],
      ['x-two', '2'],
      ['x-two', '3'],
    ])
  })

  test('takes a body larger than any buffer before there is a connection', async () => {
    const router = serving(() => served(['x']))
    const request = http.request(url, { method: 'POST' })
    const piece = Buffer.alloc(64 << 10)
    for (let count = 0; count < 64; count += 1) expect(request.write(piece)).toBe(true)
    request.end()
    expect(await textOf(request)).toBe('x')
    expect(router.routed[0]?.body?.byteLength).toBe(4 << 20)
  })

  test.each<[string, () => ClientRequest]>([
    ['CONNECT', () => http.request({ host: '127.0.0.1', port: 9, method: 'CONNECT', path: 'a.example:443' })],
    [
      'an upgrade',
      () => http.request('http://127.0.0.1:9/', { headers: { Connection: 'Upgrade', Upgrade: 'websocket' } }),
    ],
    ['a Unix socket', () => http.request({ socketPath: '/nowhere.sock' })],
  ])('is nothing for %s, which is no exchange over a network', async (_, call) => {
    const router = serving(() => served(['x']))
    expect(await failureOf(call().end())).toMatchObject({ syscall: 'connect' })
    expect(router.peeked).toEqual([])
  })

  test('an upgrade to the outside meets the guard', async () => {
    const router = installed(scriptedRouter({ connect: () => new RangeError('refused') }))
    const request = http.get('http://203.0.113.1/', { headers: { connection: 'upgrade', upgrade: 'websocket' } })
    expect((await failureOf(request)).message).toBe('refused')
    expect(router.connects).toEqual([{ host: '203.0.113.1', port: 80 }])
  })

  test.each<[string, () => unknown]>([
    ['a text that is no URL', () => http.request('nowhere')],
    ['a scheme of another module', () => http.request('ftp://a.example/')],
    ['an agent that is none', () => http.request(url, { agent: {} as never })],
    ['a header that cannot be', () => http.request(url, { headers: { 'a b': 'c' } })],
  ])('Node itself refuses %s, as without us', (_, call) => {
    const without = thrown(call)
    installed(scriptedRouter({}))
    expect(without).toBeInstanceOf(TypeError)
    expect(thrown(call)).toEqual(without)
  })

  test.each<[string, (target: string) => Promise<unknown>]>([
    ['http.request', (target) => textOf(http.request(target).end())],
    ['a named import', (target) => textOf(namedRequest(target).end())],
    ['a named get', (target) => textOf(namedGet(target))],
    ['require', (target) => textOf(required('http').get(target))],
    ['axios', async (target) => (await axios.get(target)).data],
    ['got', (target) => got(target).text()],
    ['node-fetch', async (target) => (await nodeFetch(target)).text()],
    [
      'openai over node-fetch',
      async (target) => {
        const client = new OpenAI({ apiKey: 'k', baseURL: target, fetch: nodeFetch as never })
        return (await client.get('/', {})) as string
      },
    ],
  ])('is asked once by %s, live and served', async (_, call) => {
    const server = await countingServer()
    const { router, witness } = witnessed()
    expect(await call(`${server.url}/p`)).toBe('GET ')
    expect([router.routed.length, witness.text, server.seen.length]).toEqual([1, 'GET ', 1])
    router.interception.uninstall()
    const replaying = serving(() => served(['GET '], { headers: [['content-type', 'text/plain']] }))
    expect(await call(`${server.url}/p`)).toBe('GET ')
    expect([replaying.routed.length, server.seen.length]).toEqual([1, 1])
  })
})

function thrown(call: () => unknown): unknown {
  try {
    return call()
  } catch (error) {
    return error
  }
}

describe('a call that waits for its verdict', () => {
  test('is routed when its body is whole, in the context that it was made in', async () => {
    const context = new AsyncLocalStorage<string>()
    const seen: (string | undefined)[] = []
    const route = (): Verdict => {
      seen.push(context.getStore())
      return { kind: 'respond', response: served(['x']) }
    }
    installed(scriptedRouter({ route }))
    const request = context.run('the caller', () => http.request(url, { method: 'POST' }))
    await settle(10)
    expect(seen).toEqual([])
    context.run('another', () => request.end('body'))
    expect(seen).toEqual(['the caller'])
    expect(await textOf(request)).toBe('x')
  })

  test('goes out with what was written meanwhile, framed as without us', async () => {
    const server = await loopbackServer((request, response) => void response.end(JSON.stringify(request.headers)))
    const call = async (): Promise<unknown> => {
      const request = http.request(server.url, { method: 'POST', headers: { trailer: 'x-sum' } })
      request.write('one')
      request.addTrailers({ 'x-sum': '3' })
      request.end('two')
      return JSON.parse(await textOf(request))
    }
    const without = await call()
    installed(scriptedRouter({ route: () => settle(20).then(() => ({ kind: 'pass' })) }))
    expect(await call()).toEqual(without)
    expect(server.seen.map(({ body }) => String(body))).toEqual(['onetwo', 'onetwo'])
  })

  test('is left by its caller: the verdict that comes is abandoned, nothing goes out', async () => {
    const server = await countingServer()
    const witness = new Witness()
    let decide: ((verdict: Verdict) => void) | undefined
    const verdict = new Promise<Verdict>((resolve) => {
      decide = resolve
    })
    const route = () => verdict
    installed(scriptedRouter({ route }))
    const request = http.request(server.url, { method: 'POST' })
    const trace = traceOf(request)
    request.end('x')
    request.destroy(new RangeError('enough'))
    expect(await trace).toEqual(['error RangeError, enough', 'close'])
    decide?.({ kind: 'observe', observer: witness })
    await settle()
    expect([witness.told, (witness.error as Error).message, server.seen]).toEqual([['cancel'], 'enough', []])
  })

  test('is over at once where its signal has aborted before', async () => {
    const router = installed(scriptedRouter({}))
    const request = http.get(url, { signal: AbortSignal.abort() })
    expect(await traceOf(request)).toEqual([expect.stringMatching(/^error AbortError/), 'close'])
    expect([router.routed, router.connects]).toEqual([[], []])
  })

  test('asks its caller for the body that he keeps back, once', async () => {
    const server = await loopbackServer((request, response) => void response.end(request.body))
    installed(scriptedRouter({}))
    const request = http.request(server.url, { method: 'PUT', headers: { expect: '100-continue' } })
    let continued = 0
    request.on('continue', () => {
      continued += 1
      request.end('body')
    })
    expect(await textOf(request)).toBe('body')
    expect(continued).toBe(1)
  })

  test('times out while it waits', async () => {
    installed(scriptedRouter({ route: () => new Promise(() => {}) }))
    const request = http.get(url, { timeout: 20 })
    await once(request, 'timeout')
    expect(await traceOf(request.destroy())).toContain('close')
  })
})

describe('a verdict', () => {
  test('that rejects is the very error of the request', async () => {
    const error = new RangeError('not recorded')
    const router = installed(scriptedRouter({ route: () => ({ kind: 'reject', error }) }))
    expect(await failureOf(http.get(url))).toBe(error)
    await expect(axios.get(url)).rejects.toMatchObject({ cause: error })
    expect(router.connects).toEqual([])
  })

  test('that comes too late to be thrown rejects as well: a router that breaks', async () => {
    const error = new RangeError('a defect')
    installed(
      scriptedRouter({
        route() {
          throw error
        },
      }),
    )
    expect(await failureOf(http.get(url))).toBe(error)
  })

  test('that hangs lasts until the caller leaves', async () => {
    const cancelled = vi.fn()
    installed(scriptedRouter({ route: () => ({ kind: 'hang', cancelled }) }))
    const request = http.get(url)
    const trace = traceOf(request)
    await settle()
    expect(cancelled).not.toHaveBeenCalled()
    request.destroy()
    expect(await trace).toEqual(['socket', 'finish', 'error Error, socket hang up, ECONNRESET', 'close'])
    expect(cancelled).toHaveBeenCalledTimes(1)
  })

  test.each([
    ['chunked', []],
    ['of a known length', [['content-length', '4']]],
  ] as const)(
    'F8 that serves gives one recorded chunk a read, and takes the next when asked, %s',
    async (_, headers) => {
      const chunks = ['a', 'bc', 'd'].map((text) => Buffer.from(text))
      let taken = 0
      serving(() => served([], { headers, next: () => (taken < 3 ? chunks[taken++] : undefined) }))
      const response = await answer(http.get(url))
      await settle()
      expect(taken).toBe(1)
      const read: string[] = []
      for await (const chunk of response) {
        await settle(10)
        read.push(`${chunk} of ${taken}`)
      }
      expect(read).toEqual(['a of 1', 'bc of 2', 'd of 3'])
    },
  )

  test('that serves shows repeated headers, and none that nobody recorded but the framing', async () => {
    serving(() =>
      served(['x'], {
        status: 418,
        statusText: 'Teapot',
        headers: [
          ['set-cookie', 'a=1'],
          ['x-a', 'b'],
          ['set-cookie', 'b=2'],
        ],
      }),
    )
    const response = await answer(http.get(url))
    expect([response.statusCode, response.statusMessage]).toEqual([418, 'Teapot'])
    expect(response.headers).toEqual({ 'set-cookie': ['a=1', 'b=2'], 'x-a': 'b', 'transfer-encoding': 'chunked' })
    response.resume()
  })

  test.each([
    ['flowing', 'resume', ['only']],
    ['iterated', 'iterate', ['only']],
    ['flowing, without a chunk', 'resume', []],
    ['iterated, without a chunk', 'iterate', []],
  ] as const)(
    'that serves a body cut off by its caller hangs at its end, and says when he reads on, %s',
    async (_, how, chunks) => {
      const readPast = vi.fn()
      const cancelled = vi.fn()
      serving(() => served(chunks, { end: { kind: 'hang' }, readPast, cancelled }))
      const request = http.get(url)
      const response = await answer(request)
      response.on('error', () => {})
      await settle()
      expect(readPast).not.toHaveBeenCalled()
      if (how === 'resume') response.resume()
      else void response.toArray().catch(() => {})
      await until(() => readPast.mock.calls.length > 0)
      request.destroy()
      await once(request, 'close')
      expect([readPast.mock.calls.length, cancelled.mock.calls.length]).toEqual([1, 1])
    },
  )

  test.each([0, 1])('that serves is told when its caller leaves at once, or %i tasks later', async (tasks) => {
    const cancelled = vi.fn()
    serving(() => served(['x'], { cancelled }))
    const request = http.get(url)
    const trace = traceOf(request)
    await once(request, 'socket')
    for (let task = 0; task < tasks; task += 1) await new Promise((resolve) => setImmediate(resolve))
    request.destroy()
    expect(await trace).toContain('close')
    expect(cancelled).toHaveBeenCalledTimes(1)
  })

  test('that serves answers a body that no server can tell from another request', async () => {
    const router = serving(() => served(['x']))
    const request = http.request(url, { method: 'GET' })
    request.write('unframed')
    expect(await textOf(request.end())).toBe('x')
    expect(Buffer.from(router.routed[0]?.body ?? []).toString()).toBe('unframed')
  })

  test('that serves what cannot be an answer fails the request', async () => {
    serving(() => served(['x'], { headers: [['a b', 'c']] }))
    expect(await failureOf(http.get(url))).toMatchObject({ code: 'ERR_INVALID_HTTP_TOKEN' })
  })

  test('that passes leaves the loopback call alone, listeners and all', async () => {
    const server = await countingServer()
    const router = installed(scriptedRouter({ peek: () => 'pass' }))
    const request = http.request(server.url, { method: 'POST' })
    expect(Object.getOwnPropertyNames(request)).not.toContain('write')
    expect(await textOf(request.end('x'))).toBe('POST x')
    expect(router.routed).toEqual([])
  })
})

describe('an observed call', () => {
  test('shows its caller every event as without us', async () => {
    const server = await loopbackServer(async (_, response) => {
      response.writeEarlyHints({ link: '</a>' })
      response.setHeader('trailer', 'x-sum')
      response.write('a')
      await settle(15)
      response.addTrailers({ 'x-sum': '1' })
      response.end('b')
    })
    const call = async () => {
      const request = http.request(server.url, { method: 'POST' })
      const hints: unknown[] = []
      request.on('information', ({ statusCode }) => hints.push(statusCode))
      const response = answer(request)
      const trace = traceOf(request)
      request.end('x')
      return { trace: await trace, hints, trailers: (await response).trailers }
    }
    const without = await call()
    const { witness } = witnessed()
    expect(await call()).toEqual(without)
    expect(without).toMatchObject({ hints: [103], trailers: { 'x-sum': '1' } })
    expect([witness.text, witness.told]).toEqual(['ab', ['head', 'chunk', 'chunk', 'end']])
  })

  test('keeps the back-pressure of its reader', async () => {
    let sent = 0
    const server = await loopbackServer(async (_, response) => {
      const piece = Buffer.alloc(1 << 20)
      while (sent < 100 && !response.destroyed) {
        sent += 1
        if (!response.write(piece)) await Promise.race([once(response, 'drain'), whenClosed(response)])
      }
      response.end()
    })
    const { witness } = witnessed()
    const request = http.get(server.url)
    const response = await answer(request)
    response.pause()
    await settle(200)
    expect(sent).toBeLessThan(50)
    expect(witness.chunks.length).toBeLessThan(10)
    request.destroy()
  })

  test('tells a body that nobody asks for from one that is read', async () => {
    const server = await loopbackServer((_, response) => void response.end('x'))
    const { witness } = witnessed()
    const request = http.get(server.url)
    const response = await answer(request)
    await settle()
    expect([witness.waits, witness.told]).toEqual([0, ['head', 'chunk']])
    // Clients copy what they can list.
    for (const shown of [request, response]) expect(Object.keys(shown)).not.toContain('emit')
    response.resume()
    await once(response, 'end')
    expect([witness.waits > 0, witness.ended]).toEqual([true, 'end'])
  })

  test('is cancelled where nobody listens for the response: its body is not known', async () => {
    const server = await countingServer()
    const { witness } = witnessed()
    const request = http.get(server.url)
    await once(request, 'close')
    expect(witness.told).toEqual(['head', 'cancel'])
  })

  test('is held while a test steps, and goes on in order', async () => {
    const server = await loopbackServer(async (_, response) => {
      for (const piece of ['a', 'b', 'c']) {
        response.write(piece)
        await settle(10)
      }
      response.end()
    })
    const gate = gateOf()
    let isHeld = true
    const witness = Object.assign(new Witness(), {
      ready: () => (isHeld ? gate.promise : undefined),
      isHeld: () => isHeld,
    })
    installed(scriptedRouter({ route: () => ({ kind: 'observe', observer: witness as never }) }))
    const read: string[] = []
    const response = await answer(http.get(server.url))
    response.on('data', (chunk) => read.push(String(chunk)))
    await settle(80)
    expect(read).toEqual([])
    isHeld = false
    gate.resolve(undefined)
    await once(response, 'end')
    expect(read).toEqual(['a', 'b', 'c'])
  })

  test.each([
    [{}, 1],
    [{ connection: 'close' }, 3],
  ])('that waits in the queue of its agent needs no word of the guard, headers %o', async (headers, connections) => {
    const server = await countingServer()
    const { router, witness } = witnessed()
    // Only the name is not loopback: the guard would be asked.
    const lookup = (_host: string, _options: object, done: (error: null, list: object[]) => void) =>
      done(null, [{ address: '127.0.0.1', family: 4 }])
    const agent = new http.Agent({ keepAlive: true, maxSockets: 1, lookup: lookup as never })
    onTestFinished(() => agent.destroy())
    const target = `http://api.example.com:${server.port}/`
    const calls = ['a', 'b', 'c'].map((body) =>
      textOf(http.request(target, { method: 'POST', agent, headers }).end(body)),
    )
    expect(await Promise.all(calls)).toEqual(['POST a', 'POST b', 'POST c'])
    expect([server.connections(), router.connects, witness.ended]).toEqual([connections, [], 'end'])
  })

  test('over a connection of the caller’s own making', async () => {
    const server = await countingServer()
    const { router } = witnessed()
    const created: unknown[] = []
    const createConnection = (options: object) => {
      created.push(options)
      return net.connect(server.port, '127.0.0.1')
    }
    expect(await textOf(http.request(server.url, { method: 'POST', createConnection }).end('x'))).toBe('POST x')
    expect([created.length, router.routed.length]).toEqual([1, 1])
  })

  test('over a tunnel is the call within it; the way to the proxy is its own', async () => {
    const server = await countingServer()
    const proxy = await tunnel(server.port)
    const { router, witness } = witnessed()
    const agent = new TunnelAgent(proxy.port)
    const options = { host: 'inner.example', path: '/p', method: 'POST', agent }
    expect(await textOf(http.request(options).end('x'))).toBe('POST x')
    expect(router.routed).toMatchObject([{ url: 'http://inner.example/p' }])
    expect([proxy.asked, witness.text, agent.schemes]).toEqual([['inner.example:80'], 'POST x', ['http:']])
  })

  test('opens no road to the calls that its listeners make', async () => {
    const server = await countingServer()
    const router = installed(
      scriptedRouter({
        peek: ({ url: asked }) => (asked.startsWith(server.url) ? 'pass' : 'read'),
        route: ({ url: asked }) =>
          asked === 'http://nonexistent.invalid/' ? { kind: 'pass' } : { kind: 'respond', response: served(['x']) },
      }),
    )
    const inner: Promise<string>[] = []
    const request = http.get(server.url)
    const response = await answer(request.on('response', () => inner.push(textOf(http.get(url)))))
    response.on('end', () => inner.push(textOf(http.get(url)))).resume()
    await once(request, 'close')
    const failing = http.get('http://nonexistent.invalid/')
    failing.on('error', () => inner.push(textOf(http.get(url))))
    await new Promise((resolve) => failing.on('close', resolve))
    expect(await Promise.all(inner)).toEqual(['x', 'x', 'x'])
    expect(router.routed.filter((routed) => routed.url === url)).toHaveLength(3)
  })
})

function gateOf() {
  let resolve: (value: undefined) => void = () => {}
  const promise = new Promise<undefined>((done) => {
    resolve = done
  })
  return { promise, resolve }
}

/** As agents for proxies do it: CONNECT, by a socket of its own, before the request gets one. */
class TunnelAgent extends http.Agent {
  /** Such agents ask for it, or look for Node's own modules in the call stack. */
  readonly schemes: unknown[] = []
  readonly #port: number

  constructor(port: number) {
    super()
    this.#port = port
  }

  override createConnection(options: http.ClientRequestArgs, onCreate?: (error: Error | null, socket: never) => void) {
    this.schemes.push(options.protocol)
    const path = `${options.host}:${options.port}`
    const connecting = http.request({ host: '127.0.0.1', port: this.#port, method: 'CONNECT', path })
    connecting
      .on('connect', (_, socket) => onCreate?.(null, socket as never))
      .on('error', (error) => onCreate?.(error, undefined as never))
      .end()
    return undefined
  }
}

async function tunnel(targetPort: number) {
  const asked: (string | undefined)[] = []
  const server = http.createServer().on('connect', ({ url: target }, socket) => {
    asked.push(target)
    socket.write('HTTP/1.1 200 OK\r\n\r\n')
    const target_ = net.connect(targetPort, '127.0.0.1')
    socket.pipe(target_).pipe(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return { port: (server.address() as AddressInfo).port, asked }
}

describe('installing the road', () => {
  const members = () => [http.request, http.get, https.request, https.get, namedRequest, namedGet] as const

  test('reaches both styles of import, and leaves neither when it is taken off', () => {
    const before = members()
    const interception = installInterception(scriptedRouter({}))
    expect(members().map((member, index) => member !== before[index])).toEqual(Array(6).fill(true))
    expect([http.request.name, http.request.length]).toEqual([before[0].name, before[0].length])
    expect([namedRequest, required('http').request]).toEqual([http.request, http.request])
    interception.uninstall()
    expect(members()).toEqual(before)
  })

  test('a second copy of the package puts nothing over it', async () => {
    installed(scriptedRouter({}))
    const laid = members()
    vi.resetModules()
    const copy = await import('../../src/interception/install-interception.ts')
    const router = scriptedRouter({ route: () => ({ kind: 'respond', response: served(['copy']) }) })
    const interception = copy.installInterception(router)
    onTestFinished(() => interception.uninstall())
    interception.ensure()
    expect(members()).toEqual(laid)
    expect(await textOf(http.get(url))).toBe('copy')
    expect(router.routed).toHaveLength(1)
  })

  test('a wrapper of another over ours stays, is wrapped again by ensure, and the router is asked once', async () => {
    const server = await countingServer()
    const before = http.request
    const router = installed(scriptedRouter({}))
    const ours = http.request
    let theirCalls = 0
    const theirs = ((...args: Parameters<typeof http.request>) => {
      theirCalls += 1
      return ours(...args)
    }) as typeof http.request
    http.request = theirs
    onTestFinished(() => {
      http.request = before
    })
    expect(await textOf(http.request(server.url).end())).toBe('GET ')
    router.interception.ensure()
    expect(http.request).not.toBe(theirs)
    expect(await textOf(http.request(server.url).end())).toBe('GET ')
    expect([theirCalls, router.routed.length]).toEqual([2, 2])
    router.interception.uninstall()
    expect(http.request).toBe(theirs)
    expect(await textOf(http.request(server.url).end())).toBe('GET ')
    expect(router.routed).toHaveLength(2)
  })

  test('leaves a mock function of the test alone', () => {
    const router = installed(scriptedRouter({}))
    const mock = vi.spyOn(http, 'request').mockReturnValue('mocked' as never)
    onTestFinished(() => mock.mockRestore())
    router.interception.ensure()
    expect(http.request(url)).toBe('mocked')
  })
})
