import { createServer, type IncomingMessage } from 'node:http'
import { type AddressInfo, connect as openSocket } from 'node:net'
import * as undici from 'undici'
import { describe, expect, onTestFinished, test } from 'vitest'
import { loopbackServer } from './loopback-server.ts'
import { installed, scriptedRouter, served, serving, witnessed } from './scripted-router.ts'

const outside = 'https://api.example.com'
const options = { method: 'POST', path: '/v1/chat', body: 'hello' } as const

type Call = (origin: string) => Promise<string>

/** Made for one test, closed when it is over. */
function ofTest<D extends undici.Dispatcher>(dispatcher: D): D {
  onTestFinished(() => dispatcher.destroy())
  return dispatcher
}

async function sent(answer: Promise<undici.Dispatcher.ResponseData>): Promise<string> {
  return (await answer).body.text()
}

const clients: [name: string, call: Call][] = [
  ['new Client()', (origin) => sent(ofTest(new undici.Client(origin)).request(options))],
  ['new Pool()', (origin) => sent(ofTest(new undici.Pool(origin)).request(options))],
  [
    'new Pool() of one connection',
    (origin) => sent(ofTest(new undici.Pool(origin, { connections: 1 })).request(options)),
  ],
  ['new BalancedPool()', (origin) => sent(ofTest(new undici.BalancedPool(origin)).request(options))],
  ['new Agent()', (origin) => sent(ofTest(new undici.Agent()).request({ ...options, origin }))],
  [
    'undici.request with a dispatcher',
    (origin) => {
      const dispatcher = ofTest(new undici.Agent())
      return sent(undici.request(`${origin}/v1/chat`, { method: 'POST', body: 'hello', dispatcher }))
    },
  ],
  [
    'undici.fetch with a dispatcher',
    async (origin) => {
      const dispatcher = ofTest(new undici.Agent())
      return (await undici.fetch(`${origin}/v1/chat`, { method: 'POST', body: 'hello', dispatcher })).text()
    },
  ],
  [
    'a RetryAgent over an Agent',
    (origin) => sent(ofTest(new undici.RetryAgent(new undici.Agent())).request({ ...options, origin })),
  ],
]

describe.each(clients)('%s', (_, call) => {
  test('is observed once, live, and served without network', async () => {
    const { router, witness } = witnessed()
    const server = await loopbackServer((request, response) => void response.end(`live ${request.body}`))
    expect(await call(server.url)).toBe('live hello')
    expect(router.routed).toMatchObject([{ method: 'POST', url: `${server.url}/v1/chat`, road: 'dispatcher' }])
    expect([witness.text, witness.told.at(-1), server.seen.length]).toEqual(['live hello', 'end', 1])
    router.interception.uninstall()
    const replay = serving(() => served(['one', 'two']))
    expect(await call(outside)).toBe('onetwo')
    expect([replay.routed.length, replay.connects]).toEqual([1, []])
    expect(Buffer.from(replay.routed[0]?.body ?? []).toString()).toBe('hello')
  })
})

test('a client that was made before is captured all the same, and free again afterwards', async () => {
  const server = await loopbackServer((_, response) => void response.end('live'))
  const client = ofTest(new undici.Client(server.url))
  expect(await sent(client.request(options))).toBe('live')
  const router = serving(() => served(['served']))
  expect(await sent(client.request(options))).toBe('served')
  router.interception.uninstall()
  expect([await sent(client.request(options)), router.routed.length]).toEqual(['live', 1])
})

test('a pool that is busy asks once for each call, though it sends some of them later', async () => {
  const server = await loopbackServer((_, response) => void setTimeout(() => response.end('live'), 20))
  const { router, witness } = witnessed()
  const pool = ofTest(new undici.Pool(server.url, { connections: 1, pipelining: 1 }))
  const answers = await Promise.all(Array.from({ length: 5 }, () => sent(pool.request(options))))
  expect(answers).toEqual(Array.from({ length: 5 }, () => 'live'))
  expect([router.routed.length, witness.told.filter((word) => word === 'end').length]).toEqual([5, 5])
})

test('a proxy is not asked for what is served; a live call goes through it and is seen once', async () => {
  const asked: string[] = []
  const proxy = createServer((request: IncomingMessage, response) => {
    asked.push(`${request.method} ${request.url}`)
    response.end('by proxy')
  })
  proxy.on('connect', (request: IncomingMessage, socket) => {
    asked.push(`CONNECT ${request.url}`)
    const [host, port] = String(request.url).split(':')
    const target = openSocket(Number(port), host, () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      socket.pipe(target).pipe(socket)
    })
    target.on('error', () => socket.destroy())
    socket.on('error', () => target.destroy())
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    proxy.closeAllConnections()
    proxy.close()
  })
  const agent = ofTest(new undici.ProxyAgent(`http://127.0.0.1:${(proxy.address() as AddressInfo).port}`))
  const replay = serving(() => served(['served']))
  expect(await sent(agent.request({ ...options, origin: outside }))).toBe('served')
  replay.interception.uninstall()
  expect(asked).toEqual([])
  const server = await loopbackServer((_, response) => void response.end('live'))
  const { router } = witnessed()
  expect(['live', 'by proxy']).toContain(await sent(agent.request({ ...options, origin: server.url })))
  expect([asked.length, router.routed.length]).toEqual([1, 1])
})

test("undici's own mocks answer what goes live", async () => {
  const mock = new undici.MockAgent()
  onTestFinished(() => mock.close())
  mock.get(outside).intercept({ path: '/v1/chat', method: 'POST' }).reply(200, 'mocked')
  const { router, witness } = witnessed()
  expect(await sent(mock.request({ ...options, origin: outside }))).toBe('mocked')
  expect([router.routed.length, witness.text]).toEqual([1, 'mocked'])
})

test('a copy that is not found, as in Jest, is refused and named', async () => {
  const refusal = new Error('would go round the recording')
  const router = installed(scriptedRouter({ connect: () => refusal }))
  const client = ofTest(new undici.Client(outside))
  const { dispatch } = client as unknown as { dispatch: Record<symbol, undici.Dispatcher['dispatch']> }
  const unseen = dispatch[Symbol.for('turntape.undici.dispatch')]?.bind(client)
  Object.assign(client, { dispatch: unseen })
  await expect(client.request(options)).rejects.toBe(refusal)
  expect(router.connects).toEqual([{ host: 'api.example.com', port: 443, client: 'undici' }])
})
