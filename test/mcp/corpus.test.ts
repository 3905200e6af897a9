/** Recorded traffic of the published servers, message by message, through a transport of ours and a server that repeats it. */
import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { Json } from '../../src/core/cassette/document.ts'
import { canonicalJson } from '../../src/core/hashing/canonical-json.ts'
import { recordTransport } from '../../src/mcp/index.ts'
import type { LooseTransport } from '../../src/mcp/transport.ts'
import { recordedTest } from '../session/recorded-test.ts'

interface Message {
  readonly id?: number
  readonly method?: string
  readonly params?: Readonly<Record<string, unknown>> & { readonly _meta?: Readonly<Record<string, unknown>> }
}

interface Line {
  readonly dir: 'client->server' | 'server->client'
  readonly msg: Message
}

const folder = new URL('../../../shared/corpus/mcp/', import.meta.url)

test.for(['server-everything.stdio.jsonl', 'server-filesystem.stdio.jsonl'])(
  'F8 each message of %s comes back, whatever the client counts',
  async (file, { skip }) => {
    if (!existsSync(folder)) skip('the corpus is not there')
    const lines = readFileSync(new URL(file, folder), 'utf8')
      .trim()
      .split('\n')
      .map((line): Line => JSON.parse(line))
    const recorded = recordedTest()
    const live = await recorded.attempt('auto', () => converse(lines, () => repeatingServer(lines), 0))
    expect(live).toMatchObject({ error: undefined, report: { outcome: 'written' } })
    const replayed = await recorded.attempt('replay', () => converse(lines, () => expect.fail('made'), 500))
    expect(replayed).toMatchObject({ error: undefined, report: { outcome: 'replayed', live: 0 } })
    // The common temporary folder is a placeholder on every machine.
    expect(replayed.value).toEqual(live.value?.map((text) => text.replaceAll('/tmp', '<tmp>')).sort())
  },
)

/** Says after each message of the client what the server of the log said before the next one. */
function repeatingServer(lines: readonly Line[]): LooseTransport {
  let next = 0
  const transport: LooseTransport = {
    start: async () => {},
    close: async () => {},
    send: async () => {
      next += 1
      await new Promise((resolve) => setImmediate(resolve))
      while (lines[next]?.dir === 'server->client') {
        transport.onmessage?.((lines[next] as Line).msg)
        next += 1
        await new Promise((resolve) => setImmediate(resolve))
      }
    },
  }
  return transport
}

/** Sends what the client of the log sent, its ids raised by `shift`, each when all before it was heard. Gives what was heard. */
async function converse(lines: readonly Line[], live: () => LooseTransport, shift: number): Promise<readonly string[]> {
  const transport = recordTransport(live, { name: 'corpus' })
  const heard: Message[] = []
  const asked: number[] = []
  transport.onmessage = (message: Message) => {
    heard.push(message)
    if (message.method !== undefined && message.id !== undefined) asked.push(message.id)
  }
  await transport.start()
  let expected = 0
  for (const { dir, msg } of lines) {
    if (dir === 'server->client') {
      expected += 1
      continue
    }
    await expect.poll(() => heard.length).toBeGreaterThanOrEqual(expected)
    void transport.send((msg.method === undefined ? { ...msg, id: asked.shift() } : raised(msg, shift)) as never)
  }
  await expect.poll(() => heard.length).toBe(expected)
  await transport.close()
  return heard.map((message) => asSaid(message, shift)).sort()
}

/** With other ids of the client: of its requests and their answers, as progress token, and in a cancellation. */
function raised(message: Message, by: number): Message {
  const { id, params } = message
  const counted = Object.entries({ requestId: params?.requestId, progressToken: params?.progressToken })
    .filter(([, value]) => typeof value === 'number')
    .map(([name, value]) => [name, (value as number) + by])
  const token = params?._meta?.progressToken
  const meta = typeof token === 'number' ? { _meta: { ...params?._meta, progressToken: token + by } } : {}
  return {
    ...message,
    ...(id === undefined ? {} : { id: id + by }),
    ...(params === undefined ? {} : { params: { ...params, ...Object.fromEntries(counted), ...meta } }),
  }
}

/** Without the ids of the server's own requests, which the transport counts. */
function asSaid(message: Message, shift: number): string {
  const { id, ...said } = raised(message, -shift)
  return canonicalJson({ ...said, ...(message.method === undefined ? { id } : {}) } as Json)
}
