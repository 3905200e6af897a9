/** F16: an error becomes structure and comes back as an error that client code cannot tell from the live one. */

import { createServer as createHttpsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import fc from 'fast-check'
import * as undici from 'undici'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Failure } from '../../src/core/cassette/document.ts'
import { captureFailure, failureStage } from '../../src/recording/capture-failure.ts'
import { buildFailure } from '../../src/replaying/build-failure.ts'
import { failureOnRoad } from '../../src/replaying/failure-on-road.ts'
import { selfSigned } from '../clients/self-signed.ts'

/** A raw TCP server that does this with each connection. */
async function rawServer(act: (socket: import('node:net').Socket) => void): Promise<string> {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', () => act(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

const caught = (call: Promise<unknown>) =>
  call.then(
    () => undefined,
    (error: unknown) => error,
  )

/** What SDKs look at: class, name, message, code, and the same down the causes. */
function seenByClients(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const { name, message, cause } = error
  const code = Reflect.get(error, 'code')
  const kind = [TypeError, RangeError, AggregateError, DOMException]
    .filter((type) => error instanceof type)
    .map((type) => type.name)
  return {
    kind,
    name,
    message,
    code,
    syscall: Reflect.get(error, 'syscall'),
    ofUndici: Object.entries(undici.errors)
      .filter(([, type]) => error instanceof type)
      .map(([type]) => type),
    text: String(error),
    cause: cause === undefined ? undefined : seenByClients(cause),
  }
}

const failures: [name: string, make: () => Promise<unknown>, stage: Failure['stage'], code: string | undefined][] = [
  [
    'a refused connection',
    async () => {
      const server = createServer().listen(0, '127.0.0.1')
      await new Promise((resolve) => server.once('listening', resolve))
      const { port } = server.address() as AddressInfo
      await new Promise((resolve) => server.close(resolve))
      return fetch(`http://127.0.0.1:${port}/`)
    },
    'connect',
    'ECONNREFUSED',
  ],
  ['an unknown host', () => fetch('http://nonexistent.invalid/'), 'connect', undefined],
  [
    'a reset before the head',
    async () => fetch(await rawServer((socket) => socket.resetAndDestroy())),
    'headers',
    undefined,
  ],
  [
    'a close before the head',
    async () => fetch(await rawServer((socket) => socket.end())),
    'headers',
    'UND_ERR_SOCKET',
  ],
  [
    'an answer that is no HTTP',
    async () => fetch(await rawServer((socket) => socket.end('what?\r\n\r\n'))),
    'headers',
    undefined,
  ],
  [
    'a reset mid-body',
    async () => {
      const url = await rawServer((socket) => {
        socket.write('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nsome')
        setTimeout(() => socket.resetAndDestroy(), 10)
      })
      return (await fetch(url)).text()
    },
    'body',
    undefined,
  ],
  [
    'a timeout signal',
    async () => fetch(await rawServer(() => {}), { signal: AbortSignal.timeout(10) }),
    'headers',
    undefined,
  ],
  [
    'an abort',
    async () => {
      const controller = new AbortController()
      return fetch(await rawServer(() => controller.abort()), { signal: controller.signal })
    },
    'headers',
    undefined,
  ],
  [
    'undici’s headersTimeout',
    async () => {
      const agent = new undici.Agent({ headersTimeout: 20 })
      onTestFinished(() => agent.destroy())
      return undici.request(await rawServer(() => {}), { dispatcher: agent })
    },
    'headers',
    'UND_ERR_HEADERS_TIMEOUT',
  ],
  [
    'a certificate that is none',
    async () => fetch((await rawServer((socket) => socket.end('plain\r\n'))).replace('http:', 'https:')),
    'connect',
    undefined,
  ],
  [
    'a certificate that nobody signed',
    async () => {
      const server = createHttpsServer(selfSigned()).listen(0, '127.0.0.1')
      onTestFinished(() => void server.close())
      await new Promise((resolve) => server.once('listening', resolve))
      return fetch(`https://127.0.0.1:${(server.address() as AddressInfo).port}/`)
    },
    'connect',
    'DEPTH_ZERO_SELF_SIGNED_CERT',
  ],
  [
    'a connection that takes too long',
    async () => {
      const agent = new undici.Agent({ connect: { timeout: 20 } })
      onTestFinished(() => agent.destroy())
      const url = (await rawServer(() => {})).replace('http:', 'https:')
      return undici.request(url, { dispatcher: agent })
    },
    'connect',
    'UND_ERR_CONNECT_TIMEOUT',
  ],
]

describe('a real failure', () => {
  test.each(failures)('%s comes back as it was', async (_, make, stage, code) => {
    const live = await caught(make())
    expect(live).toBeInstanceOf(Error)
    const failure = captureFailure(live, stage === 'body' ? 'body' : failureStage(live))
    expect(JSON.parse(JSON.stringify(failure))).toEqual(failure)
    expect(failure.stage).toBe(stage)
    if (code !== undefined) expect([failure.code, failure.cause?.code]).toContain(code)
    const rebuilt = buildFailure(failure)
    expect(seenByClients(rebuilt)).toEqual(seenByClients(live))
    expect(captureFailure(rebuilt, failure.stage)).toEqual(failure)
  })

  test('of undici is an instance of undici’s own classes, of whichever copy', () => {
    const built = buildFailure({ stage: 'headers', name: 'SocketError', message: 'closed', code: 'UND_ERR_SOCKET' })
    expect(built).toBeInstanceOf(undici.errors.SocketError)
    expect(built).toBeInstanceOf(undici.errors.UndiciError)
    expect(built).not.toBeInstanceOf(undici.errors.BodyTimeoutError)
    expect(
      Object.getOwnPropertySymbols(built).every((symbol) => !Object.propertyIsEnumerable.call(built, symbol)),
    ).toBe(true)
  })

  test('leaves addresses, ports and counters out of the details', async () => {
    const failure = captureFailure(await caught(failures[0]?.[1]() ?? Promise.resolve()), 'connect')
    expect(Object.keys(failure.cause?.details ?? {}).sort()).toEqual(['errno', 'syscall'])
    const closed = captureFailure(await caught(failures[3]?.[1]() ?? Promise.resolve()), 'headers')
    expect(closed.cause?.details).toBe(undefined)
  })
})

describe('the structure of a failure', () => {
  const failure: fc.Arbitrary<Failure> = fc.letrec<{ failure: Failure }>((tie) => ({
    failure: fc.record(
      {
        stage: fc.constant('headers' as const),
        name: fc.constantFrom(
          'Error',
          'TypeError',
          'RangeError',
          'AggregateError',
          'AbortError',
          'TimeoutError',
          'SocketError',
          'APIError',
        ),
        message: fc.string(),
        code: fc.constantFrom('ECONNRESET', 'UND_ERR_SOCKET', 'ABORT_ERR'),
        details: fc.dictionary(fc.constantFrom('errno', 'syscall', 'status', '__proto__'), fc.jsonValue(), {
          minKeys: 1,
        }) as fc.Arbitrary<NonNullable<Failure['details']>>,
        cause: fc.option(tie('failure'), { nil: undefined as never, depthSize: 'small', maxDepth: 3 }),
      },
      { requiredKeys: ['stage', 'name', 'message'] },
    ) as unknown as fc.Arbitrary<Failure>,
  })).failure

  test('captureFailure gives back what buildFailure was given', () => {
    fc.assert(
      fc.property(failure, (given) => {
        const plain = JSON.parse(JSON.stringify(given)) as Failure
        expect(captureFailure(buildFailure(plain), 'headers')).toEqual(plain)
      }),
      { numRuns: 200 },
    )
  })

  test.each([['text'], [7], [true], [null], [undefined]])('a thrown %s comes back as itself', (value) => {
    expect(buildFailure(captureFailure(value, 'value'))).toBe(value)
  })

  test.each([[{ code: 7, why: { left: 0 } }], [{ status: 503, code: 'UNAVAILABLE' }], [['a', 1]], [{}]])(
    'a thrown %j comes back as one like it',
    (value) => {
      expect(buildFailure(captureFailure(value, 'value'))).toEqual(value)
    },
  )

  test('details are copies: what a caller does with them does not reach the recording', () => {
    const failure = captureFailure(Object.assign(new Error('full'), { body: { seats: [1] } }), 'value')
    ;(buildFailure(failure) as { body: { seats: number[] } }).body.seats.push(2)
    expect(failure.details).toEqual({ body: { seats: [1] } })
  })

  test('a code that is a number comes back, as MCP and gRPC have it', () => {
    const rebuilt = buildFailure(captureFailure(Object.assign(new Error('bad input'), { code: -32602 }), 'value'))
    expect(seenByClients(rebuilt)).toMatchObject({ kind: [], name: 'Error', code: -32602 })
    const timeout = Object.assign(new Error('late'), { name: 'TimeoutError', code: 4 })
    expect(seenByClients(buildFailure(captureFailure(timeout, 'value')))).toEqual(seenByClients(timeout))
  })

  test('a chain of causes that is a circle is cut', () => {
    const error = new TypeError('round')
    error.cause = error
    let depth = 0
    for (let link: Failure | undefined = captureFailure(error, 'headers'); link !== undefined; link = link.cause)
      depth += 1
    expect(depth).toBe(9)
  })

  test('a member that JSON does not hold is left out', () => {
    const circle: Record<string, unknown> = {}
    circle.self = circle
    const error = Object.assign(new Error('odd'), { circle, big: 1n, call: () => {}, status: 500 })
    expect(captureFailure(error, 'value').details).toEqual({ status: 500 })
  })
})

describe('a failure on another road than it was recorded on', () => {
  const socket: Failure = {
    stage: 'headers',
    name: 'SocketError',
    message: 'other side closed',
    code: 'UND_ERR_SOCKET',
  }

  test('is wrapped for fetch, and unwrapped for the dispatcher', () => {
    const wrapped = failureOnRoad(socket, 'fetch')
    expect(wrapped).toEqual({ stage: 'headers', name: 'TypeError', message: 'fetch failed', cause: socket })
    expect(failureOnRoad(wrapped, 'dispatcher')).toBe(socket)
    expect(failureOnRoad(wrapped, 'fetch')).toBe(wrapped)
    expect(failureOnRoad({ ...socket, stage: 'body' }, 'fetch').message).toBe('terminated')
  })

  test.each<[string, Failure]>([
    [
      'an abort of undici',
      { stage: 'headers', name: 'AbortError', message: 'Request aborted', code: 'UND_ERR_ABORTED' },
    ],
    ['a timeout', { stage: 'headers', name: 'TimeoutError', message: 'The operation was aborted due to timeout' }],
    ['an error of user code', { stage: 'headers', name: 'RangeError', message: 'mine' }],
  ])('%s stays bare', (_, bare) => {
    expect(failureOnRoad(bare, 'fetch')).toBe(bare)
  })

  test.each<[string, Failure['stage'], string, string, string]>([
    ['a closed connection', 'headers', 'UND_ERR_SOCKET', 'ECONNRESET', 'socket hang up'],
    ['a connection that closes mid-body', 'body', 'UND_ERR_SOCKET', 'ECONNRESET', 'aborted'],
    ['a connection that takes too long', 'connect', 'UND_ERR_CONNECT_TIMEOUT', 'ETIMEDOUT', 'connect ETIMEDOUT'],
    ['what the system says', 'connect', 'ECONNREFUSED', 'ECONNREFUSED', 'as undici says it'],
  ])('%s has the name that node:http has for it', (_, stage, recorded, code, message) => {
    const bare: Failure = { stage, name: 'SocketError', message: 'as undici says it', code: recorded }
    for (const failure of [bare, failureOnRoad(bare, 'fetch')]) {
      expect(failureOnRoad(failure, 'http')).toMatchObject({ stage, code, message })
    }
  })
})
