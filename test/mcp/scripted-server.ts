/** A server in this process that says what a test has it say, behind a transport of the SDK's form. */
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'

export interface Received {
  readonly id?: number | string
  readonly method?: string
  readonly params?: {
    readonly name?: string
    readonly arguments?: Readonly<Record<string, unknown>>
    readonly _meta?: { readonly progressToken?: number }
    readonly [name: string]: unknown
  }
  readonly result?: unknown
  readonly error?: unknown
}

export interface ScriptedServer {
  /** A new connection to it. */
  readonly transport: () => Transport
  /** Connections that were started. */
  starts: number
  /** All that clients sent, in order. */
  readonly received: Received[]
  /** Says something to the client of the last connection. */
  say(message: object): void
  /** Tells the client of the last connection of an error. */
  fail(error: Error): void
  /** The last connection is lost. */
  die(): void
}

/** What `tools/call` of these names does; each may say more before it answers. `undefined`: no answer. */
export type Tools = Readonly<Record<string, (call: Received, server: ScriptedServer) => unknown>>

const initialized = {
  protocolVersion: '2025-06-18',
  capabilities: { tools: {} },
  serverInfo: { name: 's', version: '1' },
}

export function scriptedServer(tools: Tools): ScriptedServer {
  let last: Transport | undefined
  const server: ScriptedServer = {
    starts: 0,
    received: [],
    say: (message) => last?.onmessage?.({ jsonrpc: '2.0', ...message } as never),
    fail: (error) => last?.onerror?.(error),
    die: () => last?.onclose?.(),
    transport: () => {
      const transport: Transport = {
        start: async () => {
          server.starts += 1
        },
        close: async () => transport.onclose?.(),
        send: async (message) => {
          const received = message as Received
          server.received.push(received)
          if (received.method !== undefined && received.id !== undefined) await answer(received)
        },
      }
      last = transport
      return transport
    },
  }
  const answer = async (request: Received): Promise<void> => {
    const { id, method, params } = request
    const tool = method === 'tools/call' ? tools[params?.name ?? ''] : undefined
    // The answer comes later than the message is sent, as over any wire.
    await new Promise((resolve) => setImmediate(resolve))
    if (tool === undefined) return server.say({ id, result: method === 'initialize' ? initialized : {} })
    void Promise.resolve(tool(request, server)).then((result) => {
      if (result !== undefined) server.say({ id, result })
    })
  }
  return server
}

export function text(value: string): object {
  return { content: [{ type: 'text', text: value }] }
}
