import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import {
  CreateMessageRequestSchema,
  ErrorCode,
  LoggingMessageNotificationSchema,
  McpError,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js'
import { describe, expect, expectTypeOf, test } from 'vitest'
import { type RecordTransportOptions, recordTransport } from '../../src/mcp/index.ts'
import { workerState } from '../../src/session/worker-state.ts'
import { type RecordedTest, recordedTest } from '../session/recorded-test.ts'
import { type ScriptedServer, scriptedServer, text } from './scripted-server.ts'

const name = 'desk'
const never = (): Transport => expect.fail('the transport was made')

async function connected(live: Transport | (() => Transport), client = newClient()): Promise<Client> {
  await client.connect(recordTransport(live, { name }))
  return client
}

function newClient(): Client {
  return new Client(
    { name: 'agent', version: '1.0.0' },
    { capabilities: { sampling: {}, roots: { listChanged: true } } },
  )
}

/** A client that has made other requests before: its ids and progress tokens are others. */
function olderClient(): Client {
  const client = newClient()
  Object.assign(client, { _requestMessageId: 70 })
  return client
}

const book = (client: Client, flight = 'SK 1'): ReturnType<Client['callTool']> =>
  client.callTool({ name: 'book', arguments: { flight } })

type Body<R> = (client: Client) => Promise<R>

/** Records a body against the server, replays it without one, with other ids, and gives both. */
async function recordAndReplay<R>(server: ScriptedServer, body: Body<R>, recorded = recordedTest()) {
  const live = await recorded.attempt('auto', async () => body(await connected(server.transport)))
  expect(live).toMatchObject({ error: undefined, report: { outcome: 'written' } })
  const [committed, starts] = [recorded.text(), server.starts]
  const replayed = await recorded.attempt('replay', async () => body(await connected(never, olderClient())))
  expect([server.starts, recorded.text()]).toEqual([starts, committed])
  return { recorded, live, replayed }
}

const desk = (): ScriptedServer =>
  scriptedServer({ book: ({ params }) => text(`booked ${String(params?.arguments?.flight)}`) })

const sampling = { messages: [{ role: 'user', content: { type: 'text', text: 'Which seat?' } }], maxTokens: 5 }
const asking = (): ScriptedServer => {
  let answered: (result: unknown) => void = () => {}
  const server = scriptedServer({
    book: async (_call, { say }) => {
      const seat = new Promise((resolve) => {
        answered = resolve
      })
      say({ id: 'ask-1', method: 'sampling/createMessage', params: sampling })
      return text(`booked ${JSON.stringify(await seat)}`)
    },
  })
  const push = server.received.push.bind(server.received)
  server.received.push = (message) => {
    if (message.id === 'ask-1') answered(message.result)
    return push(message)
  }
  return server
}
const answering = (seat: string) => async (client: Client) => {
  let isAnswered = false
  client.setRequestHandler(CreateMessageRequestSchema, async () => {
    await new Promise((resolve) => setTimeout(resolve, 20))
    isAnswered = true
    return { model: 'stub', role: 'assistant' as const, content: { type: 'text' as const, text: seat } }
  })
  const booked = await book(client)
  return { booked, isAnswered }
}

const elementsOf = (recorded: RecordedTest, tool: string): unknown => {
  const found = recorded.cassette().interactions.find(({ request }) => 'name' in request && request.name === tool)
  return found !== undefined && 'result' in found && 'elements' in found.result ? found.result.elements : found
}

describe('recordTransport', () => {
  test('F4 each message of the client is an interaction, a tool call under the name of the server and its own', async () => {
    const { recorded, live, replayed } = await recordAndReplay(desk(), async (client) => {
      await client.ping()
      const booked = await book(client)
      await client.close()
      return booked
    })
    expect(recorded.outline()).toEqual([
      'call mcp desk: initialize',
      'call (mcp desk) mcp desk: notifications/initialized',
      'call mcp desk: ping',
      'tool desk.book',
    ])
    expect(recorded.cassette().interactions.flatMap(({ overlaps }) => overlaps ?? [])).toEqual([])
    expect(recorded.cassette().interactions[3]).toMatchObject({
      request: { input: [{ flight: 'SK 1' }] },
      result: { value: text('booked SK 1') },
    })
    expect(replayed).toMatchObject({ error: undefined, value: live.value, report: { outcome: 'replayed', live: 0 } })
  })

  test('the versions that a client says it has are not compared', async () => {
    const recorded = recordedTest()
    const body = async (live: () => Transport, version: string): Promise<void> => {
      await connected(live, new Client({ name: 'agent', version }))
    }
    await recorded.attempt('auto', () => body(desk().transport, '1.0.0'))
    expect(await recorded.attempt('replay', () => body(never, '2.0.0'))).toMatchObject({ error: undefined })
    expect(recorded.text()).not.toContain('1.0.0')
  })

  test('a changed argument is a divergence that names the tool and the words, and the call is rejected with it', async () => {
    const { recorded } = await recordAndReplay(desk(), (client) => book(client))
    const changed = await recorded.attempt('replay', async () => book(await connected(never), 'SK 2'))
    expect(changed.error).toMatchObject({
      code: 'TURNTAPE_DIVERGED',
      shortMessage: 'Tool desk.book is not as recorded: [0].flight changed [TURNTAPE_DIVERGED]',
      expected: 'SK 1',
      actual: 'SK 2',
    })
  })

  test('a call that is not made any more is unused', async () => {
    const { recorded } = await recordAndReplay(desk(), (client) => book(client))
    const less = await recorded.attempt('replay', async () => void (await connected(never)))
    expect(less.error).toMatchObject({ code: 'TURNTAPE_UNUSED', details: { unused: [{ request: 'tool desk.book' }] } })
  })

  test('an error of the server is the one that the live caller got', async () => {
    const server = scriptedServer({
      book: ({ id }, { say }) =>
        say({ id, error: { code: -32602, message: 'no such flight', data: { flight: 'SK 1' } } }),
    })
    const { live, replayed } = await recordAndReplay(server, (client) => book(client).catch((error: unknown) => error))
    expect(live.value).toBeInstanceOf(McpError)
    expect(replayed).toMatchObject({ error: undefined, value: live.value })
    expect(replayed.value).toMatchObject({ code: -32602, data: { flight: 'SK 1' } })
  })

  test('two calls under way at once are told apart and replayed whichever comes first', async () => {
    const waiting: (() => void)[] = []
    const server = scriptedServer({
      book: async ({ params }) => {
        await new Promise<void>((resolve) => waiting.push(resolve))
        return text(`booked ${String(params?.arguments?.flight)}`)
      },
    })
    const recorded = recordedTest()
    await recorded.attempt('auto', async () => {
      const client = await connected(server.transport)
      const calls = Promise.all(['SK 1', 'SK 2'].map((flight) => book(client, flight)))
      await expect.poll(() => waiting.length).toBe(2)
      // The second one is answered first.
      for (const resolve of waiting.reverse()) resolve()
      return calls
    })
    expect(recorded.cassette().interactions[3]).toMatchObject({ overlaps: [3] })
    const replayed = await recorded.attempt('replay', async () => {
      const client = await connected(never)
      return Promise.all(['SK 2', 'SK 1'].map((flight) => book(client, flight)))
    })
    expect(replayed).toMatchObject({ error: undefined, value: [text('booked SK 2'), text('booked SK 1')] })
  })
})

describe('what a server says besides', () => {
  test('progress comes to the call that asked for it, under the token of this run', async () => {
    const server = scriptedServer({
      book: async ({ params }, { say }) => {
        const progressToken = params?._meta?.progressToken
        for (const progress of [1, 2]) {
          say({ method: 'notifications/progress', params: { progressToken, progress, total: 2 } })
          await new Promise((resolve) => setImmediate(resolve))
        }
        return text('booked')
      },
    })
    const { recorded, live, replayed } = await recordAndReplay(server, async (client) => {
      const told: unknown[] = []
      await client.callTool({ name: 'book' }, undefined, { onprogress: (step) => void told.push(step) })
      return told
    })
    expect(live.value).toEqual([1, 2].map((progress) => ({ progress, total: 2 })))
    expect(replayed).toMatchObject({ error: undefined, value: live.value })
    expect(recorded.text()).not.toContain('progressToken')
  })

  test('messages in one go come in one go, so that a client loses what it lost live', async () => {
    const server = scriptedServer({
      book: ({ id, params }, { say }) => {
        const progressToken = params?._meta?.progressToken
        say({ method: 'notifications/progress', params: { progressToken, progress: 1 } })
        say({ id, result: text('booked') })
      },
    })
    const { recorded, live, replayed } = await recordAndReplay(server, async (client) => {
      const told: unknown[] = []
      await client.callTool({ name: 'book' }, undefined, { onprogress: (step) => void told.push(step) })
      return told
    })
    expect(elementsOf(recorded, 'desk.book')).toMatchObject([
      { together: [{ params: { progress: 1 } }, { result: {} }] },
    ])
    expect([live.value, replayed.value]).toEqual([[], []])
  })

  test('what comes unasked, after an answer too, stays in its place', async () => {
    const server = scriptedServer({
      book: async (_call, { say }) => {
        say({ method: 'notifications/message', params: { level: 'info', data: 'looking' } })
        setImmediate(() => setImmediate(() => say({ method: 'notifications/tools/list_changed' })))
        return text('booked')
      },
    })
    const { recorded, live, replayed } = await recordAndReplay(server, async (client) => {
      const heard: unknown[] = []
      client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => void heard.push(params.data))
      const changed = new Promise<void>((resolve) => {
        client.setNotificationHandler(ToolListChangedNotificationSchema, () => resolve())
      })
      heard.push(await book(client))
      await changed
      await client.ping()
      return heard
    })
    expect(elementsOf(recorded, 'desk.book')).toMatchObject([
      { method: 'notifications/message' },
      { result: {} },
      { method: 'notifications/tools/list_changed' },
    ])
    // The call had ended with its answer.
    expect(recorded.cassette().interactions.flatMap(({ overlaps }) => overlaps ?? [])).toEqual([])
    expect(replayed).toMatchObject({ error: undefined, value: live.value })
  })

  test('a request of the server is answered by the real handler, and what follows waits for it', async () => {
    const { recorded, live, replayed } = await recordAndReplay(asking(), answering('12A'))
    expect(live.value?.isAnswered).toBe(true)
    expect(replayed).toMatchObject({ error: undefined, value: live.value })
    expect(elementsOf(recorded, 'desk.book')).toMatchObject([{ id: 1 }, { answered: 1 }, { result: {} }])
  })

  test('an answer of the client that differs is a divergence', async () => {
    const { recorded } = await recordAndReplay(asking(), answering('12A'))
    const other = await recorded.attempt('replay', async () => answering('12B')(await connected(never)))
    expect(other.error).toMatchObject({
      shortMessage:
        'Call mcp desk: answer to sampling/createMessage is not as recorded: result.content.text changed [TURNTAPE_DIVERGED]',
      expected: '12A',
      actual: '12B',
    })
  })

  test('calls that a handler makes are recorded as its own, in the lane of the call that led to them', async () => {
    const { recorded, replayed } = await recordAndReplayWithTape(asking(), async (client, tape) => {
      client.setRequestHandler(CreateMessageRequestSchema, async () => {
        const seat = await tape.call('seat map', {}, async () => '12A')
        return { model: 'stub', role: 'assistant' as const, content: { type: 'text' as const, text: seat } }
      })
      return tape.lane('agent', () => book(client))
    })
    expect(replayed).toMatchObject({ error: undefined, report: { live: 0 } })
    expect(recorded.outline()).toContain('call (agent) seat map')
    expect(recorded.outline()).toContain('call (agent, mcp desk) mcp desk: answer to sampling/createMessage')
  })
})

describe('a call that is not answered', () => {
  test('a call that the client gives up is given up again, and an answer that comes too late comes late', async () => {
    const server = scriptedServer({
      book: async ({ id }, { received, say }) => {
        await expect.poll(() => received.at(-1)?.method).toBe('notifications/cancelled')
        say({ id, result: text('too late') })
      },
    })
    const { recorded, live, replayed } = await recordAndReplay(server, async (client) => {
      const errors: string[] = []
      client.onerror = (error) => void errors.push(error.message.slice(0, 40))
      const abort = new AbortController()
      const call = client.callTool({ name: 'book' }, undefined, { signal: abort.signal })
      setTimeout(() => abort.abort('enough'), 30)
      const rejected = await call.catch((error: unknown) => String(error))
      await expect.poll(() => errors.length).toBe(1)
      return { rejected, errors }
    })
    expect(recorded.cassette().interactions.at(-1)).toMatchObject({
      lane: 'mcp desk',
      request: { name: 'mcp desk: notifications/cancelled', input: { requestId: 'desk.book', reason: 'enough' } },
    })
    expect(elementsOf(recorded, 'desk.book')).toMatchObject([{ cancelled: true }, { result: {} }])
    expect(replayed).toMatchObject({ error: undefined, value: live.value })
  })

  test('a call that the client lets time out', async () => {
    const server = scriptedServer({ book: () => undefined })
    const { live, replayed } = await recordAndReplay(server, (client) =>
      client.callTool({ name: 'book' }, undefined, { timeout: 30 }).catch((error: unknown) => error),
    )
    expect(live.value).toMatchObject({ code: ErrorCode.RequestTimeout })
    expect(replayed).toMatchObject({ error: undefined, value: live.value })
  })

  test('a server that dies during a call dies again', async () => {
    const server = scriptedServer({
      book: (_call, { fail, die }) => {
        fail(new RangeError('the pipe broke'))
        die()
      },
    })
    const { recorded, live, replayed } = await recordAndReplay(server, async (client) => {
      const seen: unknown[] = []
      client.onerror = (error) => void seen.push([error.name, error.message])
      client.onclose = () => void seen.push('closed')
      seen.push(await book(client).catch((error: unknown) => error))
      return seen
    })
    expect(elementsOf(recorded, 'desk.book')).toMatchObject([{ failed: { name: 'RangeError' } }, { closed: true }])
    expect(live.value).toMatchObject([['RangeError', 'the pipe broke'], 'closed', { code: ErrorCode.ConnectionClosed }])
    expect(replayed).toMatchObject({ error: undefined, value: live.value })
  })

  test('a message that cannot be sent is rejected again', async () => {
    const server = desk()
    const transport = (): Transport => {
      const live = server.transport()
      const send = live.send.bind(live)
      live.send = async (message) => {
        if ('method' in message && message.method === 'tools/call') {
          const error = Object.assign(new TypeError('fetch failed'), { code: 'ECONNRESET' })
          live.onerror?.(error)
          throw error
        }
        await send(message)
      }
      return live
    }
    const { live, replayed } = await recordAndReplay({ ...server, transport }, async (client) => {
      const errors: string[] = []
      client.onerror = (error) => void errors.push(error.message)
      return { errors, rejected: await book(client).catch((error: unknown) => error) }
    })
    expect(live.value).toMatchObject({ errors: ['fetch failed'], rejected: { code: 'ECONNRESET' } })
    expect(replayed).toMatchObject({ error: undefined, value: live.value })
    expect(replayed.value?.rejected).toBeInstanceOf(TypeError)
  })

  test('a server that cannot be started fails the connection, live and replayed', async () => {
    const recorded = recordedTest()
    const live = (): Transport => new StdioClientTransport({ command: 'no-such-command' })
    const connect = (make: () => Transport) => () => connected(make).catch((error: unknown) => error)
    const first = await recorded.attempt('auto', connect(live))
    expect(first).toMatchObject({ error: undefined, value: { code: 'ENOENT', syscall: 'spawn no-such-command' } })
    const replayed = await recorded.attempt('replay', connect(never))
    expect(replayed).toMatchObject({
      error: undefined,
      value: { code: 'ENOENT', message: 'spawn no-such-command ENOENT' },
    })
  })
})

describe('modes', () => {
  test('update goes live at the changed call, and the live server is told how the session began', async () => {
    const { recorded } = await recordAndReplay(desk(), async (client) => {
      await client.setLoggingLevel('debug')
      return [await book(client), await book(client, 'SK 2')]
    })
    const server = desk()
    const updated = await recorded.attempt('update', async () => {
      const client = await connected(server.transport, olderClient())
      await client.setLoggingLevel('debug')
      return [await book(client), await book(client, 'SK 3'), await book(client, 'SK 4')]
    })
    expect(updated).toMatchObject({ error: undefined, report: { outcome: 'updated', live: 2 } })
    expect(updated.value?.[2]).toEqual(text('booked SK 4'))
    expect(server.received.map(({ method, params }) => params?.arguments?.flight ?? method)).toEqual([
      'initialize',
      'notifications/initialized',
      'logging/setLevel',
      'SK 3',
      'SK 4',
    ])
  })

  test('from a live call on, what the client says on account of it is live as well', async () => {
    const { recorded } = await recordAndReplay(asking(), answering('12A'))
    const server = asking()
    const updated = await recorded.attempt('update', async () => {
      const client = new Client({ name: 'agent', version: '1.0.0' }, { capabilities: { sampling: {}, roots: {} } })
      return answering('12B')(await connected(server.transport, client))
    })
    expect(updated).toMatchObject({ error: undefined, report: { outcome: 'updated', served: 0, live: 4 } })
    expect(server.received.map(({ method }) => method)).toEqual([
      'initialize',
      'notifications/initialized',
      'tools/call',
      undefined,
    ])
  })

  test('AR-26 a lenient replay runs a tool for real whose call fits nothing, on a server that is started for it', async () => {
    const { recorded } = await recordAndReplay(desk(), (client) => book(client))
    const server = desk()
    const lenient = await recorded.attempt(
      'replay',
      async () => {
        const client = await connected(server.transport)
        return [await book(client, 'SK 2'), await book(client)]
      },
      { strict: false },
    )
    expect(lenient).toMatchObject({ error: undefined, value: [text('booked SK 2'), text('booked SK 1')] })
    expect(server.received.map(({ method, params }) => params?.arguments?.flight ?? method)).toEqual([
      'initialize',
      'notifications/initialized',
      'SK 2',
    ])
  })

  test('F17 record leaves an unchanged cassette byte-identical', async () => {
    const { recorded } = await recordAndReplay(desk(), (client) => book(client))
    const committed = recorded.text()
    const again = await recorded.attempt('record', async () => book(await connected(desk().transport)))
    expect(again).toMatchObject({ error: undefined, report: { outcome: 'unchanged' } })
    expect(recorded.text()).toBe(committed)
  })

  test('rebase serves the recorded answer to a changed call and stores the call', async () => {
    const { recorded } = await recordAndReplay(desk(), (client) => book(client))
    const rebased = await recorded.attempt('rebase', async () => book(await connected(never), 'SK 2'))
    expect(rebased).toMatchObject({ error: undefined, value: text('booked SK 1'), report: { outcome: 'rebased' } })
    expect(recorded.cassette().interactions.at(-1)?.request).toMatchObject({ input: [{ flight: 'SK 2' }] })
  })

  test('live mode writes nothing and is the live transport', async () => {
    const recorded = recordedTest()
    const live = await recorded.attempt('live', async () => book(await connected(desk().transport)))
    expect(live).toMatchObject({ error: undefined, value: text('booked SK 1'), report: { outcome: 'live' } })
    expect(() => recorded.text()).toThrow('ENOENT')
  })
})

describe('where it stands among the rest', () => {
  test('tape.tools of the client records its calls, which are then not recorded again', async () => {
    const { recorded, replayed } = await recordAndReplayWithTape(desk(), (client, tape) => book(tape.tools(client)))
    expect(recorded.outline().slice(2)).toEqual(['tool book'])
    expect(replayed).toMatchObject({ error: undefined, value: text('booked SK 1') })
  })

  test('tape.hold holds no message of a server', async () => {
    const recorded = recordedTest()
    const server = desk()
    await recorded.attempt('auto', async () => {
      await (await connected(server.transport)).ping()
      server.say({ method: 'notifications/tools/list_changed' })
    })
    const held = await recorded.attempt('replay', async (tape) => {
      tape.hold()
      const client = newClient()
      const changed = new Promise<void>((resolve) => {
        client.setNotificationHandler(ToolListChangedNotificationSchema, () => resolve())
      })
      await (await connected(never, client)).ping()
      await changed
    })
    expect(held).toMatchObject({ error: undefined, report: { outcome: 'replayed', notes: [] } })
  })

  test('outside of covered tests it is the live transport; in a covered file outside of its tests it is refused', async () => {
    const server = desk()
    recordedTest()
    const { file } = workerState()
    workerState().file = undefined
    expect(await book(await connected(server.transport))).toEqual(text('booked SK 1'))
    workerState().file = file
    await expect(connected(server.transport)).rejects.toMatchObject({
      code: 'TURNTAPE_OUTSIDE_TEST',
      details: { request: 'call mcp desk: initialize' },
    })
    expect(server.starts).toBe(1)
  })

  test('it has the type that a client takes, and a name that cannot be is refused', () => {
    const stdio = (): StdioClientTransport => new StdioClientTransport({ command: 'x' })
    expectTypeOf(recordTransport(stdio, { name })).toExtend<Transport>()
    for (const wrong of ['', 'a b', 'a.b', undefined])
      expect(() => recordTransport(stdio, { name: wrong } as RecordTransportOptions)).toThrow('TURNTAPE_INVALID_OPTION')
  })
})

async function recordAndReplayWithTape<R>(
  server: ScriptedServer,
  body: (client: Client, tape: Parameters<Parameters<RecordedTest['attempt']>[1]>[0]) => Promise<R>,
) {
  const recorded = recordedTest()
  const live = await recorded.attempt('auto', async (tape) => body(await connected(server.transport), tape))
  expect(live).toMatchObject({ error: undefined, report: { outcome: 'written' } })
  return {
    recorded,
    live,
    replayed: await recorded.attempt('replay', async (tape) => body(await connected(never), tape)),
  }
}
