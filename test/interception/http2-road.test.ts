import http2, { type ClientHttp2Session, type ClientHttp2Stream, connect, type OutgoingHttpHeaders } from 'node:http2'
import { setImmediate as turn } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { ExchangeObserver } from '../../src/interception/router.ts'
import { http2Server, type StreamAnswer } from './http2-server.ts'
import { settle, until } from './loopback-server.ts'
import { installed, scriptedRouter, served, serving, Witness, witnessed } from './scripted-router.ts'

const outside = 'https://api.example.com'

/** A session that is closed when the test is over; an error of it is what the test says. */
function session(url: string, options: http2.SecureClientSessionOptions = {}): ClientHttp2Session {
  const opened = http2.connect(url, options)
  opened.on('error', () => {})
  onTestFinished(() => opened.destroy())
  return opened
}

interface Outcome {
  status: number | undefined
  headers: http2.IncomingHttpHeaders
  readonly chunks: string[]
  trailers: http2.IncomingHttpHeaders | undefined
  error: NodeJS.ErrnoException | undefined
  aborted: boolean
  readonly rstCode: number | undefined
}

/** Sends a request and takes what comes, to the close of the stream. */
async function call(on: ClientHttp2Session, headers: OutgoingHttpHeaders, body?: string): Promise<Outcome> {
  const stream = on.request(headers, { endStream: body === undefined })
  return outcomeOf(stream, body)
}

async function outcomeOf(stream: ClientHttp2Stream, body?: string): Promise<Outcome> {
  const chunks: string[] = []
  const seen: Omit<Outcome, 'chunks' | 'rstCode'> = {
    status: undefined,
    headers: {},
    trailers: undefined,
    error: undefined,
    aborted: false,
  }
  stream.on('response', (headers) => Object.assign(seen, { headers, status: headers[':status'] }))
  stream.on('trailers', (trailers) => Object.assign(seen, { trailers }))
  stream.on('data', (chunk: Buffer) => chunks.push(chunk.toString()))
  stream.on('error', (error) => Object.assign(seen, { error }))
  stream.on('aborted', () => Object.assign(seen, { aborted: true }))
  if (body !== undefined) stream.end(body)
  await new Promise((resolve) => stream.once('close', resolve))
  return { ...seen, chunks, rstCode: stream.rstCode }
}

const post = { ':method': 'POST', ':path': '/model/m/converse?x=1', 'content-type': 'application/json', 'x-one': 'a' }

const slowly: StreamAnswer = async (stream) => {
  stream.respond({ ':status': 201, 'content-type': 'text/plain', 'set-cookie': ['a=1', 'b=2'] })
  for (const piece of ['one', 'two', 'three']) {
    stream.write(piece)
    await settle(10)
  }
  stream.end()
}

describe.each([
  ['in the clear', false],
  ['over TLS', true],
])('HTTP/2 %s', (_, tls) => {
  test('is observed live: the caller sees what the server sent, piece by piece, and so does who watches', async () => {
    const { router, witness } = witnessed()
    const server = await http2Server(slowly, { tls })
    const seen = await call(session(server.url, { rejectUnauthorized: false }), post, 'hello')
    expect(seen).toMatchObject({ status: 201, chunks: ['one', 'two', 'three'], error: undefined, rstCode: 0 })
    expect(seen.headers['set-cookie']).toEqual(['a=1', 'b=2'])
    expect(witness.told).toEqual(['head', 'chunk', 'chunk', 'chunk', 'end'])
    expect(witness.heads[0]).toMatchObject({ status: 201, statusText: '', url: `${server.url}${post[':path']}` })
    expect(witness.heads[0]?.headers.filter(([name]) => name === 'set-cookie')).toHaveLength(2)
    expect(router.routed).toMatchObject([{ method: 'POST', url: `${server.url}${post[':path']}`, road: 'http2' }])
    expect(Buffer.from(router.routed[0]?.body ?? []).toString()).toBe('hello')
    expect(router.routed[0]?.headers).toEqual([
      ['content-type', 'application/json'],
      ['x-one', 'a'],
    ])
    expect(server.seen.map(({ body, headers }) => [body.toString(), headers['x-one']])).toEqual([['hello', 'a']])
  })
})

test('serves without network, a frame a chunk, through a default and a named import', async () => {
  const router = serving(() => served(['one', 'two', 'three'], { headers: [['content-type', 'text/plain']] }))
  const named = connect(outside)
  onTestFinished(() => named.destroy())
  for (const opened of [session(outside), named]) {
    const seen = await call(opened, post, '{}')
    expect(seen).toMatchObject({ status: 200, chunks: ['one', 'two', 'three'], error: undefined, rstCode: 0 })
    expect(Object.keys(seen.headers)).toEqual([':status', 'content-type'])
  }
  expect([router.routed.length, router.connects]).toEqual([2, []])
})

test('serves an answer without a body, and one that was recorded over HTTP/1.1', async () => {
  const headers: [string, string][] = [
    ['connection', 'keep-alive'],
    ['transfer-encoding', 'chunked'],
    ['set-cookie', 'a=1'],
    ['set-cookie', 'b=2'],
    ['vary', 'one'],
    ['vary', 'two'],
  ]
  serving(() => ({ ...served([], { headers, status: 204 }), body: undefined }))
  const seen = await call(session(outside), { ':path': '/' })
  expect(seen).toMatchObject({ status: 204, chunks: [] })
  expect(Object.entries(seen.headers)).toEqual([
    [':status', 204],
    ['set-cookie', ['a=1', 'b=2']],
    ['vary', 'one, two'],
  ])
})

test('decides call by call on one session: no socket opens until a call goes live, and then one', async () => {
  const witness = new Witness()
  const server = await http2Server((stream, { body }) => {
    stream.respond({ ':status': 200 })
    stream.end(`live ${body}`)
  })
  installed(
    scriptedRouter({
      peek: ({ url }) => (url.endsWith('/passed') ? 'pass' : 'read'),
      route: async ({ url }) => {
        await settle(1)
        if (url.endsWith('/observed')) return { kind: 'observe', observer: witness }
        if (url.endsWith('/read')) return { kind: 'pass' }
        if (url.endsWith('/refused')) return { kind: 'reject', error: new RangeError('not recorded') }
        return { kind: 'respond', response: served(['served']) }
      },
    }),
  )
  const opened = session(server.url)
  const to = (path: string) => call(opened, { ':method': 'POST', ':path': path }, path)
  expect((await to('/served')).chunks).toEqual(['served'])
  expect((await to('/refused')).error).toBeInstanceOf(RangeError)
  expect(server.sessions).toHaveLength(0)
  const all = await Promise.all(['/passed', '/served', '/observed', '/read', '/refused', '/observed'].map(to))
  expect(all.map(({ chunks, error }) => error?.message ?? chunks.join(''))).toEqual([
    'live /passed',
    'served',
    'live /observed',
    'live /read',
    'not recorded',
    'live /observed',
  ])
  expect(server.sessions).toHaveLength(1)
  expect(witness.text).toBe('live /observedlive /observed')
})

test('keeps the async context of each caller', async () => {
  const { AsyncLocalStorage } = await import('node:async_hooks')
  const names = new AsyncLocalStorage<string>()
  const asked: string[] = []
  installed(
    scriptedRouter({
      route: ({ url }) => {
        asked.push(`${new URL(url).pathname} ${names.getStore()}`)
        return { kind: 'respond', response: served(['x']) }
      },
    }),
  )
  const opened = session(outside)
  await Promise.all(['a', 'b', 'c'].map((name) => names.run(name, () => call(opened, { ':path': `/${name}` }, 'x'))))
  expect(asked.sort()).toEqual(['/a a', '/b b', '/c c'])
})

test('undoes a content encoding for who watches, not for the caller', async () => {
  const { witness } = witnessed()
  const server = await http2Server((stream) => {
    stream.respond({ ':status': 200, 'content-encoding': 'gzip' })
    stream.end(gzipSync('plain words'))
  })
  const stream = session(server.url).request({ ':path': '/' })
  const bytes: Buffer[] = []
  stream.on('data', (chunk: Buffer) => bytes.push(chunk))
  await new Promise((resolve) => stream.once('close', resolve))
  await until(() => witness.ended !== undefined)
  expect([witness.text, Buffer.concat(bytes).subarray(0, 2).toString('hex')]).toEqual(['plain words', '1f8b'])
})

test('hands on trailers and informational answers', async () => {
  witnessed()
  const server = await http2Server((stream) => {
    stream.additionalHeaders({ ':status': 103, link: '</a>' })
    stream.respond({ ':status': 200 }, { waitForTrailers: true })
    stream.on('wantTrailers', () => stream.sendTrailers({ 'x-sum': '7' }))
    stream.end('body')
  })
  const stream = session(server.url).request({ ':path': '/' })
  const early: unknown[] = []
  stream.on('headers', (headers) => early.push(headers[':status']))
  const seen = await outcomeOf(stream)
  expect([seen.chunks.join(''), seen.trailers?.['x-sum'], early]).toEqual(['body', '7', [103]])
})

describe('a failure of the exchange', () => {
  test('F16 is the same live and when it is served: a stream reset before the head, and in the body', async () => {
    const server = await http2Server(async (stream, { headers }) => {
      if (headers[':path'] === '/late') {
        stream.respond({ ':status': 200 })
        stream.write('begun')
        await settle(10)
        stream.destroy(new Error('the server broke'))
      }
      stream.close(http2.constants.NGHTTP2_REFUSED_STREAM)
    })
    for (const path of ['/early', '/late']) {
      const bare = await call(session(server.url), { ':path': path })
      const { router, witness } = witnessed()
      const live = await call(session(server.url), { ':path': path })
      router.interception.uninstall()
      const { error } = witness as { error: unknown }
      const replayed = installed(
        scriptedRouter({
          route: () =>
            path === '/early'
              ? { kind: 'reject', error }
              : { kind: 'respond', response: served(['begun'], { end: { kind: 'error', error } }) },
        }),
      )
      const again = await call(session(outside), { ':path': path })
      replayed.interception.uninstall()
      const facts = ({ error: found, rstCode, aborted, chunks }: Outcome) => [
        found?.message,
        found?.code,
        ...[rstCode, aborted, chunks],
      ]
      expect(witness.ended).toBe('fail')
      expect(facts(live)).toEqual(facts(bare))
      expect(facts(again)).toEqual(facts(bare))
      expect(bare.error?.code).toBe('ERR_HTTP2_STREAM_ERROR')
    }
  })

  test('of the connection ends the session, with the error of the socket', async () => {
    const nowhere = 'http://127.0.0.1:9'
    const bare = await call(session(nowhere), { ':path': '/' }, 'x')
    const { witness } = witnessed()
    const opened = session(nowhere)
    const errors: unknown[] = []
    opened.on('error', (error: NodeJS.ErrnoException) => errors.push(error.code))
    const seen = await call(opened, { ':path': '/' }, 'x')
    expect([seen.error?.code, seen.error?.message]).toEqual([bare.error?.code, bare.error?.message])
    await until(() => errors.length > 0)
    expect([errors, opened.destroyed, witness.ended]).toEqual([['ECONNREFUSED'], true, 'fail'])
    expect(witness.error).toBe(seen.error)
  })

  test('of the server that goes away is told to the session, which closes', async () => {
    witnessed()
    const server = await http2Server((stream) => {
      stream.respond({ ':status': 200 })
      stream.end('last')
      stream.session?.goaway(0, 0, Buffer.from('bye'))
    })
    const opened = session(server.url)
    const told: unknown[] = []
    opened.on('goaway', (code, _last, data) => told.push([code, String(data)]))
    expect((await call(opened, { ':path': '/' })).chunks).toEqual(['last'])
    await until(() => opened.closed)
    expect(told[0]).toEqual([0, 'bye'])
    expect(() => opened.request({ ':path': '/' })).toThrow()
  })
})

describe('a caller who leaves', () => {
  const endless: StreamAnswer = (stream) => {
    stream.respond({ ':status': 200 })
    stream.write('begun')
  }

  test('cancels the live stream at once, with his code', async () => {
    const { witness } = witnessed()
    let code: number | undefined
    const server = await http2Server((stream, request) => {
      stream.on('close', () => {
        code = stream.rstCode
      })
      void endless(stream, request)
    })
    const stream = session(server.url).request({ ':path': '/' })
    stream.on('data', () => stream.close(http2.constants.NGHTTP2_CANCEL))
    await new Promise((resolve) => stream.once('close', resolve))
    await until(() => code !== undefined)
    expect([code, witness.text, witness.ended]).toEqual([http2.constants.NGHTTP2_CANCEL, 'begun', 'cancel'])
  })

  test('ends a served body, one that hangs, and a verdict that has not come', async () => {
    let left = 0
    const cancelled = (): void => {
      left += 1
    }
    let decide = (): void => {}
    const told: string[] = []
    const observer = { ...new Witness(), cancel: () => void told.push('cancel') } as unknown as ExchangeObserver
    installed(
      scriptedRouter({
        route: async ({ url }) => {
          if (url.endsWith('/hang')) return { kind: 'hang', cancelled }
          if (url.endsWith('/open')) {
            const end = { kind: 'hang' } as const
            return { kind: 'respond', response: served(['a'], { end, cancelled }) }
          }
          await new Promise<void>((resolve) => {
            decide = resolve
          })
          return { kind: 'observe', observer }
        },
      }),
    )
    const opened = session(outside)
    for (const path of ['/hang', '/open', '/undecided']) {
      const stream = opened.request({ ':path': path })
      stream.resume()
      await settle(20)
      stream.close(http2.constants.NGHTTP2_CANCEL)
      await new Promise((resolve) => stream.once('close', resolve))
      decide()
      await turn()
    }
    expect([left, told]).toEqual([2, ['cancel']])
  })

  test('holds the live server back while he does not read', async () => {
    witnessed()
    let sent = 0
    const server = await http2Server((stream) => {
      stream.respond({ ':status': 200 })
      const more = (): void => {
        if (sent === 400) return void stream.end()
        sent += 1
        stream.write(Buffer.alloc(16_384), more)
      }
      more()
    })
    const stream = session(server.url).request({ ':path': '/' })
    await new Promise((resolve) => stream.once('response', resolve))
    await settle(100)
    expect(sent).toBeLessThan(60)
    let bytes = 0
    stream.on('data', (chunk: Buffer) => {
      bytes += chunk.length
    })
    await new Promise((resolve) => stream.once('close', resolve))
    expect(bytes).toBe(sent * 16_384)
  })
})

describe('the session', () => {
  test('behaves as a session does: connect, ping, settings, close, request after close', async () => {
    serving(() => served(['x']))
    const opened = session(outside)
    await new Promise((resolve) => opened.once('connect', resolve))
    await new Promise<void>((resolve, reject) => {
      opened.ping((error) => (error ? reject(error) : resolve()))
    })
    opened.settings({ enablePush: false })
    opened.unref()
    opened.ref()
    expect((await call(opened, { ':path': '/' })).chunks).toEqual(['x'])
    await new Promise<void>((resolve) => opened.close(resolve))
    expect([opened.closed, opened.destroyed]).toEqual([true, true])
    expect(() => opened.request({ ':path': '/' })).toThrow()
  })

  test('closes the one to the outside with itself, whether it is closed or destroyed', async () => {
    witnessed()
    const server = await http2Server((stream) => {
      stream.respond({ ':status': 200 })
      stream.end('x')
    })
    for (const leave of ['close', 'destroy'] as const) {
      const opened = session(server.url)
      await call(opened, { ':path': '/' })
      opened[leave]()
      await until(() => server.sessions.at(-1)?.destroyed === true)
    }
    expect(server.sessions).toHaveLength(2)
  })

  test('over a connection of the caller is left to him, and one made before is not ours', async () => {
    const server = await http2Server((stream) => {
      stream.respond({ ':status': 200 })
      stream.end('x')
    })
    const { router } = witnessed()
    const { connect: open } = await import('node:net')
    const own = session(server.url, { createConnection: () => open(server.port, '127.0.0.1') })
    expect((await call(own, { ':path': '/' })).chunks).toEqual(['x'])
    expect(router.routed).toEqual([])
  })
})

test('a call that both sides speak in is refused by name where its host is not free', async () => {
  const refusal = new Error('would go round the recording')
  const router = installed(scriptedRouter({ connect: () => refusal }))
  const seen = await call(session(outside), { ...post, 'content-type': 'application/grpc' }, 'x')
  expect(seen.error).toBe(refusal)
  expect(router.connects).toEqual([{ host: 'api.example.com', port: 443 }])
  const server = await http2Server((stream, { body }) => {
    stream.respond({ ':status': 200 })
    stream.end(body)
  })
  const own = await call(session(server.url), { ...post, 'content-type': 'application/grpc' }, 'x')
  expect([own.chunks, router.routed]).toEqual([['x'], []])
})

test('taken off, Node has its own function back, in both styles of import', () => {
  const native = http2.connect
  const { interception } = installed(scriptedRouter({}))
  expect(http2.connect).not.toBe(native)
  expect(connect).toBe(http2.connect)
  interception.uninstall()
  expect([http2.connect, connect]).toEqual([native, native])
})
