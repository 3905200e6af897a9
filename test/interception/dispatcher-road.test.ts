import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import OpenAI from 'openai'
import * as undici from 'undici'
import { describe, expect, onTestFinished, test } from 'vitest'
import { loopbackServer, settle, until, whenClosed } from './loopback-server.ts'
import { installed, scriptedRouter, served, serving, Witness, witnessed } from './scripted-router.ts'

// Captured before anything is installed, as a module that does `const f = fetch` at import has it.
const earlyFetch = globalThis.fetch
const url = 'https://api.example.com/v1/chat'

/** Every client that never looks at `globalThis.fetch`; the same call, read to the end. */
const clients: [
  name: string,
  call: (url: string, init?: { method?: string; body?: string; signal?: AbortSignal }) => Promise<string>,
][] = [
  ['fetch captured at import', async (target, init) => (await earlyFetch(target, init)).text()],
  ['undici.fetch', async (target, init) => (await undici.fetch(target, init)).text()],
  ['undici.request', async (target, init) => (await undici.request(target, init as object)).body.text()],
]

describe.each(clients)('%s', (_, call) => {
  test('is observed live, without a change', async () => {
    const { router, witness } = witnessed()
    const server = await loopbackServer((request, response) => {
      response.setHeader('set-cookie', ['a=1', 'b=2'])
      response.end(`${request.method} ${request.body}`)
    })
    expect(await call(`${server.url}/p?q=1`, { method: 'POST', body: 'hello' })).toBe('POST hello')
    expect(router.routed).toMatchObject([{ method: 'POST', url: `${server.url}/p?q=1`, road: 'dispatcher' }])
    expect(Buffer.from(router.routed[0]?.body ?? []).toString()).toBe('hello')
    expect([witness.text, witness.told[0], witness.told.at(-1)]).toEqual(['POST hello', 'head', 'end'])
    expect(witness.heads[0]?.headers.filter(([name]) => name === 'set-cookie').map(([, value]) => value)).toEqual([
      'a=1',
      'b=2',
    ])
    expect(server.seen[0]?.body.toString()).toBe('hello')
  })

  test('is served without network', async () => {
    const router = serving(() => served(['one', 'two'], { headers: [['content-type', 'text/plain']] }))
    expect(await call(url, { method: 'POST', body: 'x' })).toBe('onetwo')
    expect([router.routed.length, router.connects.length]).toEqual([1, 0])
  })

  test('is passed untouched', async () => {
    installed(scriptedRouter({ peek: () => 'pass' }))
    const server = await loopbackServer((request, response) => void response.end(request.body))
    expect(await call(server.url, { method: 'POST', body: 'x' })).toBe('x')
  })

  test('is passed after it was read', async () => {
    installed(scriptedRouter({ route: async () => ({ kind: 'pass' }) }))
    const server = await loopbackServer((request, response) => void response.end(request.body))
    expect(await call(server.url, { method: 'POST', body: 'x' })).toBe('x')
  })

  test('is rejected with our error, by itself or as the cause', async () => {
    const mine = new RangeError('not recorded')
    installed(scriptedRouter({ route: () => ({ kind: 'reject', error: mine }) }))
    const error = (await call(url).catch((thrown: unknown) => thrown)) as Error
    expect([error, error.cause]).toContain(mine)
  })

  test('fails as recorded before the head and mid-body', async () => {
    const lost = Object.assign(new Error('other side closed'), { code: 'UND_ERR_SOCKET' })
    const { interception } = installed(scriptedRouter({ route: () => ({ kind: 'reject', error: lost }) }))
    const before = (await call(url).catch((thrown: unknown) => thrown)) as Error
    expect([before, before.cause]).toContain(lost)
    interception.uninstall()
    serving(() => served(['one'], { end: { kind: 'error', error: lost } }))
    const after = (await call(url).catch((thrown: unknown) => thrown)) as Error
    expect([after, after.cause]).toContain(lost)
  })

  test('is told of a real failure of the connection', async () => {
    const { witness } = witnessed()
    const { server, url: closedUrl } = await loopbackServer(() => {})
    await new Promise((resolve) => server.close(resolve))
    await expect(call(closedUrl)).rejects.toThrow()
    expect([witness.told, witness.error]).toMatchObject([['fail'], { code: 'ECONNREFUSED' }])
  })

  test('can be aborted while the router waits, while it hangs, and live', async () => {
    for (const route of [
      () => new Promise<never>(() => {}),
      () => ({ kind: 'respond', response: served(['one'], { end: { kind: 'hang' } }) }) as const,
    ]) {
      const { interception } = installed(scriptedRouter({ route }))
      const controller = new AbortController()
      const pending = call(url, { signal: controller.signal }).catch((thrown: Error) => thrown.name)
      await settle()
      controller.abort()
      expect(await pending).toBe('AbortError')
      interception.uninstall()
    }
    const { witness } = witnessed()
    let closed: Promise<void> | undefined
    const server = await loopbackServer((_request, response) => {
      closed = whenClosed(response)
      response.write('one')
    })
    const controller = new AbortController()
    const pending = call(server.url, { signal: controller.signal }).catch((thrown: Error) => thrown.name)
    await until(() => witness.chunks.length === 1)
    controller.abort()
    expect(await pending).toBe('AbortError')
    await closed
    await until(() => witness.ended !== undefined)
    expect(witness.told).toEqual(['head', 'chunk', 'cancel'])
  })
})

describe('the dispatcher road', () => {
  test('a client built before the install is caught, and its stream comes in the recorded chunks', async () => {
    const early = new OpenAI({ apiKey: 'k', baseURL: 'https://api.example.com/v1' })
    const events = ['Hel', 'lo'].map(
      (content) => `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`,
    )
    const router = serving(() => served([...events, 'data: [DONE]\n\n']))
    const texts: string[] = []
    for await (const part of await early.chat.completions.create({ model: 'm', messages: [], stream: true })) {
      texts.push(part.choices[0]?.delta.content ?? '')
    }
    expect([texts.join(''), router.routed[0]?.road]).toEqual(['Hello', 'dispatcher'])
  })

  test('F8 hands over one recorded chunk per read', async () => {
    serving(() => served(['a', 'b', 'c', 'd']))
    const lengths: number[] = []
    for await (const chunk of (await earlyFetch(url)).body ?? []) lengths.push(chunk.byteLength)
    expect(lengths).toEqual([1, 1, 1, 1])
  })

  test('holds a served body up when the caller does not read', async () => {
    let asked = 0
    const chunk = new Uint8Array(32 << 10)
    serving(() => served([], { next: () => (asked++ < 1000 ? chunk : undefined) }))
    const response = await earlyFetch(url)
    await settle(60)
    expect(asked).toBeLessThan(20)
    expect((await response.arrayBuffer()).byteLength).toBe(1000 * chunk.byteLength)
  })

  test.each([204, 304])('serves %i with a null body', async (status) => {
    serving(() => ({ ...served([], { status }), body: undefined }))
    expect((await earlyFetch(url)).body).toBe(null)
  })

  test.each([
    ['gzip', gzipSync],
    ['x-gzip', gzipSync],
    ['deflate', deflateSync],
    ['deflate', deflateRawSync],
    ['br', brotliCompressSync],
    ['br, gzip', (text: string) => gzipSync(brotliCompressSync(text))],
  ] as const)('F7 decodes %s for the observer, the caller gets what was sent', async (encoding, compress) => {
    const { witness } = witnessed()
    const encoded = compress('plain words '.repeat(50))
    const server = await loopbackServer(async (_, response) => {
      response.setHeader('content-encoding', encoding)
      response.write(encoded.subarray(0, 7))
      await settle(5)
      response.end(encoded.subarray(7))
    })
    const { body } = await undici.request(server.url)
    expect(Buffer.from(await body.arrayBuffer())).toEqual(encoded)
    await until(() => witness.ended !== undefined)
    expect([witness.text, witness.told.at(-1)]).toEqual(['plain words '.repeat(50), 'end'])
    expect(await (await earlyFetch(server.url)).text()).toBe('plain words '.repeat(50))
  })

  test('decodes each flushed piece when it comes, not at the end', async () => {
    const { witness } = witnessed()
    const { createGzip } = await import('node:zlib')
    const gzip = createGzip({ flush: 2 })
    const server = await loopbackServer((_, response) => {
      response.setHeader('content-encoding', 'gzip')
      gzip.pipe(response)
      gzip.write('one')
    })
    const pending = undici.request(server.url).then(({ body }) => body.text())
    await until(() => witness.text === 'one')
    expect(witness.ended).toBe(undefined)
    gzip.end('two')
    await pending
    await until(() => witness.ended !== undefined)
    expect(witness.chunks.map((chunk) => Buffer.from(chunk).toString())).toEqual(['one', 'two'])
  })

  test('reports an encoding that the bytes do not have as a failure, once', async () => {
    const { witness } = witnessed()
    const server = await loopbackServer((_, response) => {
      response.setHeader('content-encoding', 'gzip')
      response.end('these are no gzip bytes')
    })
    await (await undici.request(server.url)).body.text()
    await until(() => witness.ended !== undefined)
    await settle()
    expect([witness.told, witness.error]).toMatchObject([['head', 'fail'], { code: 'Z_DATA_ERROR' }])
  })

  test('sees each redirect hop as an exchange of its own', async () => {
    const { router, witness } = witnessed()
    const server = await loopbackServer((request, response) => {
      if (request.path === '/there') response.end('arrived')
      else response.writeHead(302, { location: '/there' }).end()
    })
    const response = await earlyFetch(`${server.url}/here`)
    expect([response.url, await response.text()]).toEqual([`${server.url}/there`, 'arrived'])
    expect(router.routed.map((request) => new URL(request.url).pathname)).toEqual(['/here', '/there'])
    expect(witness.heads.map((head) => head.status)).toEqual([302, 200])
  })

  test.each<[string, () => unknown, string, RegExp | undefined]>([
    ['a string', () => 'text', 'text', undefined],
    ['a Buffer', () => Buffer.from('bytes'), 'bytes', undefined],
    [
      'an async iterable',
      async function* () {
        yield 'a'
        yield Buffer.from('b')
      },
      'ab',
      undefined,
    ],
    ['a web stream', () => new Blob(['streamed']).stream(), 'streamed', undefined],
    [
      'FormData',
      () => {
        const form = new undici.FormData()
        form.append('one', '1')
        return form
      },
      'name="one"',
      /^multipart\/form-data; boundary=/,
    ],
  ])('captures %s given to undici.request', async (_, make, text, type) => {
    const { router } = witnessed()
    const server = await loopbackServer((_request, response) => void response.end())
    const body = make()
    await (
      await undici.request(server.url, { method: 'POST', body: (typeof body === 'function' ? body() : body) as string })
    ).body.dump()
    const [captured] = router.routed
    expect(Buffer.from(captured?.body ?? []).toString()).toContain(text)
    expect(server.seen[0]?.body).toEqual(Buffer.from(captured?.body ?? []))
    const contentType = captured?.headers.find(([name]) => name === 'content-type')?.[1]
    expect(server.seen[0]?.headers['content-type']).toBe(contentType)
    if (type !== undefined) expect(contentType).toMatch(type)
  })

  test('reads headers in each form that undici takes, and adds the query', async () => {
    const router = serving(() => served([]))
    for (const headers of [
      { 'X-One': '1', 'x-two': ['2', '3'] },
      ['X-One', '1', 'x-two', '2', 'x-two', '3'],
      new Map([['X-One', '1']]),
    ]) {
      await (
        await undici.request(url, { headers: headers as unknown as Record<string, string>, query: { a: 'b c' } })
      ).body.dump()
    }
    const ours = router.routed.map((request) => request.headers.filter(([name]) => name.startsWith('x-')))
    const all = [
      ['x-one', '1'],
      ['x-two', '2'],
      ['x-two', '3'],
    ]
    expect(ours).toEqual([all, all, [['x-one', '1']]])
    expect(router.routed[0]?.url).toBe(`${url}?a=b%20c`)
  })

  test('a handler hears of its abort once, though the router took its time', async () => {
    const witness = new Witness()
    installed(scriptedRouter({ route: async () => ({ kind: 'observe', observer: witness }) }))
    const server = await loopbackServer((_, response) => void response.write('one'))
    const told: string[] = []
    const aborts: (() => void)[] = []
    const handler = {
      onConnect: (abort: () => void) => void aborts.push(abort),
      onHeaders: () => true,
      onData: () => told.push('data') > 0,
      onComplete: () => void told.push('complete'),
      onError: (error: Error) => void told.push(error.name),
    }
    undici.getGlobalDispatcher().dispatch({ origin: server.url, path: '/', method: 'GET' }, handler as never)
    await until(() => told.length === 1)
    // It was told how to abort twice: while the router thought, and by the live call.
    expect(aborts).toHaveLength(2)
    for (const abort of aborts) abort()
    await until(() => told.length > 1)
    await settle()
    expect([told, witness.told]).toEqual([
      ['data', 'AbortError'],
      ['head', 'chunk', 'cancel'],
    ])
  })

  test('leaves an upgrade alone', async () => {
    const router = installed(scriptedRouter({}))
    const server = await loopbackServer(() => {})
    server.server.on('upgrade', (_request, socket) =>
      socket.end('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n'),
    )
    const { socket } = await undici.upgrade(server.url, { protocol: 'x' })
    socket.on('error', () => {}).destroy()
    expect(router.peeked).toEqual([])
  })

  test('a dispatcher that the user sets afterwards is ours at once, is wrapped by ensure, and stays his', async () => {
    const before = undici.getGlobalDispatcher()
    onTestFinished(() => undici.setGlobalDispatcher(before))
    const router = serving(() => served(['ours']))
    const server = await loopbackServer((_, response) => void response.end('live'))
    const agent = new undici.Agent()
    undici.setGlobalDispatcher(agent)
    expect(await (await undici.fetch(server.url)).text()).toBe('ours')
    expect(undici.getGlobalDispatcher()).toBe(agent)
    router.interception.ensure()
    expect(await (await undici.fetch(server.url)).text()).toBe('ours')
    expect(undici.getGlobalDispatcher()).not.toBe(agent)
    expect(undici.getGlobalDispatcher()).toBeInstanceOf(undici.Agent)
    expect(undici.getGlobalDispatcher().constructor).toBe(undici.Agent)
    expect(router.routed).toHaveLength(2)
  })

  test('a dispatcher composed over ours asks the router once', async () => {
    const before = undici.getGlobalDispatcher()
    onTestFinished(() => undici.setGlobalDispatcher(before))
    const router = serving(() => served(['ours']))
    undici.setGlobalDispatcher(new undici.RetryAgent(undici.getGlobalDispatcher() as undici.Agent))
    router.peeked.length = 0
    expect(await (await undici.request(url)).body.text()).toBe('ours')
    expect(router.routed).toHaveLength(1)
  })
})

describe('fetch over the dispatcher', () => {
  test('a call that the fetch road decided passes the dispatcher unasked', async () => {
    const { router } = witnessed()
    const server = await loopbackServer((_, response) => void response.end('ok'))
    expect(await (await fetch(server.url)).text()).toBe('ok')
    expect(router.peeked.map((head) => head.road)).toEqual(['fetch'])
    expect(router.routed).toHaveLength(1)
  })
})
