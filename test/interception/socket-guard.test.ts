import http from 'node:http'
import http2 from 'node:http2'
import https from 'node:https'
import net from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import tls from 'node:tls'
import { describe, expect, test } from 'vitest'
import { connectTarget } from '../../src/interception/sockets/connect-target.ts'
import { loopbackServer } from './loopback-server.ts'
import { installed, scriptedRouter } from './scripted-router.ts'

// TEST-NET-3 (RFC 5737): nobody's address. Nothing is ever sent there; the guard stands before.
const outside = '203.0.113.1'
const refusal = () => new RangeError('refused by the guard')

interface Erring {
  on(event: 'error', listener: (error: Error) => void): unknown
}

const failure = (connection: Erring) => new Promise<Error>((resolve) => connection.on('error', resolve))

// What is no exchange of request and response, and so no call of another road.
const upgrade = { connection: 'Upgrade', upgrade: 'websocket' }

const roads: [name: string, open: (host: string, port: number) => Erring, port: number][] = [
  ['net.connect(options)', (host, port) => net.connect({ host, port }), 5432],
  ['net.connect(port, host)', (host, port) => net.connect(port, host), 5432],
  [
    'new net.Socket().connect(port, host, callback)',
    (host, port) => new net.Socket().connect(port, host, () => {}),
    5432,
  ],
  ['tls.connect', (host, port) => tls.connect({ host, port }), 443],
  ['an upgrade over http', (host, port) => http.get(`http://${host}:${port}/`, { headers: upgrade }), 80],
  ['an upgrade over https', (host, port) => https.get(`https://${host}:${port}/`, { headers: upgrade }), 443],
  ['CONNECT', (host, port) => http.request({ host, port, method: 'CONNECT', path: 'a.example:443' }).end(), 8080],
  [
    'http2.connect over a connection of its own',
    (host, port) => http2.connect(`http://${host}:${port}`, { createConnection: () => net.connect(port, host) }),
    80,
  ],
]

describe('the socket guard', () => {
  test.each(roads)('refuses %s with the router’s own error', async (_, open, port) => {
    const error = refusal()
    const router = installed(scriptedRouter({ connect: () => error }))
    expect(await failure(open(outside, port))).toBe(error)
    expect(router.connects).toEqual([{ host: outside, port }])
  })

  test('writes that are made before the refusal do not hide it', async () => {
    const error = refusal()
    installed(scriptedRouter({ connect: () => error }))
    const socket = net.connect(5432, outside)
    expect(socket.connecting).toBe(true)
    socket.write('early')
    expect(await failure(socket)).toBe(error)
  })

  test('asks for a host name before it is looked up', async () => {
    const router = installed(scriptedRouter({ connect: refusal }))
    await failure(net.connect(5432, 'database.invalid'))
    expect(router.connects).toEqual([{ host: 'database.invalid', port: 5432 }])
  })

  test('leaves loopback and Unix sockets free, unasked', async () => {
    const router = installed(scriptedRouter({ connect: refusal }))
    const { port } = await loopbackServer((_, response) => void response.end('ok'))
    for (const host of ['127.0.0.1', 'localhost', '0.0.0.0']) {
      const status = await new Promise((resolve, reject) =>
        http.get({ host, port, family: 4 }, (response) => resolve(response.resume().statusCode)).on('error', reject),
      )
      expect(status).toBe(200)
    }
    const path = join(tmpdir(), 'turntape-no-such.sock')
    expect(await failure(net.connect(path))).toMatchObject({ code: 'ENOENT' })
    expect(router.connects).toEqual([])
  })

  test.each(['pass', 'observe'] as const)('leaves the connection of a call free that is decided: %s', async (kind) => {
    const observer = { head() {}, chunk() {}, reading() {}, end() {}, fail() {}, cancel() {} }
    const router = installed(
      scriptedRouter({ route: () => (kind === 'pass' ? { kind } : { kind, observer }), connect: refusal }),
    )
    // A name that cannot be: the connection is tried, and fails at the look-up, not at the guard.
    const error = await fetch('http://nonexistent.invalid/').catch((thrown: Error) => thrown.cause)
    expect([router.connects, (error as NodeJS.ErrnoException).syscall]).toEqual([[], 'getaddrinfo'])
  })

  test('lets everything through when the router has nothing against it', async () => {
    const router = installed(scriptedRouter({}))
    expect(await failure(net.connect({ host: 'nonexistent.invalid', port: 1 }))).toMatchObject({
      syscall: 'getaddrinfo',
    })
    expect(router.connects).toEqual([{ host: 'nonexistent.invalid', port: 1 }])
  })
})

describe('the target of a connect call', () => {
  test.each<[string, unknown[], ReturnType<typeof connectTarget>]>([
    ['options', [{ host: 'a.example', port: 443 }, () => {}], { host: 'a.example', port: 443 }],
    ['options without a host', [{ port: 443 }], { host: 'localhost', port: 443 }],
    ['options with a path', [{ path: '/run/x.sock', host: 'a.example' }], undefined],
    ['a port and a host', [443, 'a.example', () => {}], { host: 'a.example', port: 443 }],
    ['a port as text', ['443', 'a.example'], { host: 'a.example', port: 443 }],
    ['a port alone', [443, () => {}], { host: 'localhost', port: 443 }],
    ['a path', ['/run/x.sock'], undefined],
    ['the normalised list', [[{ host: 'a.example', port: '80' }, null]], { host: 'a.example', port: 80 }],
  ])('is read from %s', (_, args, target) => {
    expect(connectTarget(args)).toEqual(target)
  })
})
