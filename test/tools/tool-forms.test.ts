import { betaTool } from '@anthropic-ai/sdk/helpers/beta/json-schema'
import { DynamicStructuredTool, tool as langchainTool } from '@langchain/core/tools'
import { Agent, tool as agentsTool, handoff, webSearchTool } from '@openai/agents'
import { tool as aiTool } from 'ai'
import { describe, expect, expectTypeOf, test, type vi } from 'vitest'
import { z } from 'zod'
import type { Tape } from '../../src/session/tape.ts'
import { recordTools } from '../../src/session/tools/record-tools.ts'
import { recordedTools } from '../../src/session/tools/recorded-tools.ts'
import type { ToolCall } from '../../src/session/tools/tool-call.ts'

/** Records as a session does in replay: keeps the call, runs nothing. */
function replaying<T extends object>(tools: T): { readonly tools: T; readonly calls: ToolCall[] } {
  const calls: ToolCall[] = []
  const recorded = recordedTools(tools, (call) => {
    calls.push(call)
    return `${call.name} replayed`
  })
  return { tools: recorded, calls }
}

const never = (): never => expect.fail('the tool itself ran')
const flight = z.object({ flight: z.string() })

class McpClient {
  #connected = true
  static readonly protocol = 'mcp'
  onclose: (() => void) | undefined
  async callTool(_call: { name: string; arguments?: object }): Promise<unknown> {
    return never()
  }
  async listTools(): Promise<string[]> {
    return this.#connected ? ['book'] : []
  }
}

describe('AR-28 a recorded tool keeps everything but its execution', () => {
  test('an MCP client keeps its class and private members; tools have their own names', async () => {
    const client = new McpClient()
    const { tools, calls } = replaying(client)
    expect(await tools.callTool({ name: 'book', arguments: { flight: 'SK 1' } })).toBe('book replayed')
    expect(calls).toMatchObject([{ name: 'book', input: [{ flight: 'SK 1' }] }])
    expect([tools instanceof McpClient, await tools.listTools()]).toEqual([true, ['book']])
    tools.onclose = () => {}
    expect(client.onclose).toBe(tools.onclose)
  })

  test('an MCP server of an Agent is called by position', async () => {
    const server = { name: 'desk', callTool: never as (name: string, input: object) => unknown, listTools: () => [] }
    const { tools, calls } = replaying([server])
    expect(tools[0]?.callTool('book', { flight: 'SK 1' })).toBe('book replayed')
    expect(calls).toMatchObject([{ name: 'book', input: [{ flight: 'SK 1' }] }])
  })

  test("a tool of Anthropic's runner keeps schema and parser", async () => {
    const book = betaTool({
      name: 'book',
      description: 'Books',
      inputSchema: { type: 'object', properties: { flight: { type: 'string' } } } as const,
      run: never,
    })
    const { tools, calls } = replaying([book])
    expect(await tools[0]?.run({ flight: 'SK 1' })).toBe('book replayed')
    expect(calls).toMatchObject([{ name: 'book', input: [{ flight: 'SK 1' }] }])
    expect({ ...tools[0], run: 0 }).toEqual({ ...book, run: 0 })
  })

  test('a LangChain tool keeps class and schema, still refuses a wrong input, and tells its call id', async () => {
    const book = langchainTool(never, { name: 'book', description: 'Books', schema: flight })
    const { tools, calls } = replaying([book])
    const [recorded] = tools
    expect([recorded instanceof DynamicStructuredTool, recorded?.schema]).toEqual([true, flight])
    const call = { type: 'tool_call' as const, id: 'call_7', name: 'book', args: { flight: 'SK 1' } }
    expect(await recorded?.invoke(call)).toMatchObject({ content: 'book replayed', tool_call_id: 'call_7' })
    expect(calls).toMatchObject([{ name: 'book', callId: 'call_7', input: [{ flight: 'SK 1' }] }])
    await expect(recorded?.invoke({ flight: 1 } as never)).rejects.toThrow('did not match expected schema')
    expect(calls).toHaveLength(1)
  })

  test('agents that hand off to each other are each recorded once, and the originals stay', async () => {
    const book = agentsTool({ name: 'book', description: 'Books', parameters: flight, execute: never })
    const front = new Agent({ name: 'front', tools: [webSearchTool()] })
    const clerk = new Agent({ name: 'clerk', tools: [book], handoffs: [front] })
    front.handoffs.push(handoff(clerk) as never)
    const { tools, calls } = replaying([front, clerk])
    const [recordedFront, recordedClerk] = tools
    const transfer = recordedFront?.handoffs[0] as unknown as ReturnType<typeof handoff>
    expect([transfer.agent, await transfer.onInvokeHandoff({} as never, '{}')]).toEqual([recordedClerk, recordedClerk])
    expect(recordedClerk?.handoffs[0]).toBe(recordedFront)
    const [recorded] = recordedClerk?.tools ?? []
    expect(recorded).toMatchObject({ name: 'book', description: 'Books', parameters: book.parameters })
    const details = { toolCall: { callId: 'call_1' } }
    await (recorded as typeof book).invoke({} as never, '{"flight":"SK 1"}', details as never)
    await (recorded as typeof book).invoke({} as never, 'no JSON')
    expect(calls).toMatchObject([{ callId: 'call_1', input: [{ flight: 'SK 1' }] }, { input: ['no JSON'] }])
    expect([clerk.tools[0], clerk.handoffs[0]]).toEqual([book, front])
  })
})

test.for<[string, object]>([
  ['an object with a function to run', { book: { name: 'book', handler: never } }],
  ["a tool of OpenAI's runner", [{ type: 'function', function: { name: 'book', function: never } }]],
  ['a number', { book: 1 }],
  ['an instance of a class', new (class Desk {})()],
])('tape.tools() refuses what it would leave to run in replay: %s', ([, tools]) => {
  expect(() => replaying(tools)).toThrow(/has none of the forms that tape.tools\(\) knows \[TURNTAPE_USAGE\]/)
})

test('tools that run elsewhere and empty sets are given back as they are', () => {
  const described = { ask: aiTool({ description: 'Asks', inputSchema: flight }), search: { type: 'provider' } }
  expect(replaying(described).tools).toEqual(described)
  expect([replaying({}).tools, replaying([]).tools]).toEqual([{}, []])
})

test('a record of functions is one, whatever the functions are called', () => {
  const { tools } = replaying({ execute: never as () => unknown, run: never as () => unknown })
  expect([tools.execute(), tools.run()]).toEqual(['execute replayed', 'run replayed'])
})

test('recordTools takes a loaded module too, and outside of a covered test its functions run', async () => {
  const module = Object.defineProperty(
    { book: (name: string) => `booked ${name}`, default: { unit: 'EUR' } },
    '__esModule',
    { value: true },
  )
  const recorded = recordTools(module)
  expect([recorded.book('SK 1'), recorded.default, Reflect.get(recorded, '__esModule')]).toEqual([
    'booked SK 1',
    { unit: 'EUR' },
    true,
  ])
  expect((await recordTools(async () => module)).book('SK 1')).toBe('booked SK 1')
})

test('types: what comes out is what went in, and a codec knows the types of the function', () => {
  const use = (tape: Tape): void => {
    const set = { book: aiTool({ inputSchema: flight, execute: async ({ flight }) => flight.length }) }
    expectTypeOf(tape.tools(set)).toEqualTypeOf(set)
    const seats = async (when: Date): Promise<Map<string, Date>> => new Map([['1A', when]])
    const input = (when: Date): string => when.toISOString()
    const encode = (map: Map<string, Date>): string[] => [...map.keys()]
    const decode = (keys: string[]): Map<string, Date> => new Map(keys.map((key) => [key, new Date(0)]))
    expectTypeOf(tape.tool('seats', seats, { input, encode, decode })).toEqualTypeOf(seats)
    const mock = (api: typeof vi): unknown => api.mock(import('../../src/errors/elide.ts'), recordTools)
    expectTypeOf(mock).toBeFunction()
    // @ts-expect-error a value that is encoded must be decoded
    tape.tool('seats', seats, { encode })
  }
  expect(use).toBeTypeOf('function')
})
