import { expect, test } from 'vitest'
import { createProject } from '../projects/project.ts'

/** A tool that leaves a trace: each run appends a line to `effects.txt`. */
const effect = `import { appendFileSync } from 'node:fs'
export function book(style, { flight }) {
  appendFileSync('effects.txt', style + ' booked ' + flight + '\\n')
  return { reference: style + '-' + Math.random() }
}
`

/** Real frameworks around it; the model is a script, so that only the tool can have an effect. */
const styles: Readonly<Record<string, string>> = {
  'plain function': `
import { book } from '../effect.js'
test('plain function', async ({ tape }) => {
  const tool = tape.tool('book', async (input) => book('plain', input))
  expect((await tool({ flight: 'SK 1' })).reference).toMatch(/^plain-0/)
})`,
  'record of functions': `
import { book } from '../effect.js'
test('record of functions', async ({ tape }) => {
  const tools = tape.tools({ book: async (input) => book('record', input), now: () => 1 })
  expect((await tools.book({ flight: 'SK 1' })).reference).toMatch(/^record-0/)
  expect(tools.now()).toBe(1)
})`,
  'AI SDK': `
import { generateText, stepCountIs, tool } from 'ai'
import { MockLanguageModelV3 } from 'ai/test'
import { z } from 'zod'
import { book } from '../effect.js'
const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } }
test('AI SDK', async ({ tape }) => {
  const booking = tool({ description: 'Books', inputSchema: z.object({ flight: z.string() }), execute: async (input) => book('ai', input) })
  const tools = tape.tools({ booking, ask: tool({ description: 'Asks', inputSchema: z.object({}) }) })
  expect({ ...tools.booking, execute: 0 }).toEqual({ ...booking, execute: 0 })
  const answers = [
    { content: [{ type: 'tool-call', toolCallId: 'call_1', toolName: 'booking', input: '{"flight":"SK 1"}' }], finishReason: { unified: 'tool-calls' }, usage, warnings: [] },
    { content: [{ type: 'text', text: 'done' }], finishReason: { unified: 'stop' }, usage, warnings: [] },
  ]
  const model = new MockLanguageModelV3({ doGenerate: async () => answers.shift() })
  const { steps } = await generateText({ model, tools, prompt: 'book', stopWhen: stepCountIs(3), abortSignal: new AbortController().signal })
  expect(steps[0].toolResults[0].output.reference).toMatch(/^ai-0/)
  expect(tape.interactions).toMatchObject([{ callId: 'call_1', request: { name: 'booking', input: [{ flight: 'SK 1' }] } }])
})`,
  'OpenAI Agents': `
import { Agent, Runner, tool } from '@openai/agents'
import { z } from 'zod'
import { book } from '../effect.js'
const said = (text) => [{ type: 'message', role: 'assistant', status: 'completed', content: [{ type: 'output_text', text }] }]
const called = (callId, name, args) => [{ type: 'function_call', callId, name, status: 'completed', arguments: JSON.stringify(args) }]
test('OpenAI Agents', async ({ tape }) => {
  const bookTool = tool({ name: 'book', description: 'Books', parameters: z.object({ flight: z.string() }), execute: async (input) => book('agents', input) })
  const clerk = new Agent({ name: 'clerk', tools: [bookTool] })
  const front = new Agent({ name: 'front', tools: [bookTool], handoffs: [clerk] })
  const [agent] = tape.tools([front])
  expect(agent).toBeInstanceOf(Agent)
  expect(agent).not.toBe(front)
  const outputs = [called('c1', 'book', { flight: 'SK 1' }), called('c2', 'transfer_to_clerk', {}), called('c3', 'book', { flight: 'SK 2' }), said('done')]
  const model = { getResponse: async () => ({ usage: { requests: 1, inputTokens: 1, outputTokens: 1, totalTokens: 2 }, output: outputs.shift() }) }
  const runner = new Runner({ tracingDisabled: true, modelProvider: { getModel: () => model } })
  const result = await runner.run(agent, 'book')
  expect(result.finalOutput).toBe('done')
  expect(result.lastAgent.name).toBe('clerk')
  expect(tape.interactions).toMatchObject([
    { callId: 'c1', request: { name: 'book', input: [{ flight: 'SK 1' }] } },
    { callId: 'c3', request: { name: 'book', input: [{ flight: 'SK 2' }] } },
  ])
})`,
  LangChain: `
import { DynamicStructuredTool, StructuredTool, tool } from '@langchain/core/tools'
import { ToolMessage } from '@langchain/core/messages'
import { z } from 'zod'
import { book } from '../effect.js'
class Booking extends StructuredTool {
  name = 'booking'
  description = 'Books'
  schema = z.object({ flight: z.string() })
  #style = 'class'
  async _call(input) { return JSON.stringify(book(this.#style, input)) }
}
test('LangChain', async ({ tape }) => {
  const made = tool(async (input) => [book('langchain', input).reference, { raw: input }], { name: 'book', description: 'Books', schema: z.object({ flight: z.string() }), responseFormat: 'content_and_artifact' })
  const [booked, booking] = tape.tools([made, new Booking()])
  expect(booked).toBeInstanceOf(DynamicStructuredTool)
  expect(booking).toBeInstanceOf(Booking)
  expect([booked.name, booked.description, booked.schema]).toEqual([made.name, made.description, made.schema])
  const message = await booked.invoke({ type: 'tool_call', id: 'call_7', name: 'book', args: { flight: 'SK 1' } })
  expect(message).toBeInstanceOf(ToolMessage)
  expect([message.content.slice(0, 11), message.artifact, message.tool_call_id]).toEqual(['langchain-0', { raw: { flight: 'SK 1' } }, 'call_7'])
  expect(await booking.invoke({ flight: 'SK 2' })).toContain('class-0')
  expect(tape.interactions).toMatchObject([{ callId: 'call_7', request: { name: 'book', input: [{ flight: 'SK 1' }] } }, { request: { name: 'booking' } }])
})`,
  'mocked module': `
import { afterAll, beforeAll, test as plainTest, vi } from 'vitest'
import { recordTools } from 'turntape/vitest'
import { bookTwice } from '../agent.js'
import * as tools from '../tools.js'
vi.mock(import('../tools.js'), recordTools)
test('mocked module', async ({ tape }) => {
  expect(await bookTwice()).toEqual([expect.stringMatching(/^module-0/), expect.stringMatching(/^module-0/)])
  expect(tape.interactions.map(({ request }) => request.name)).toEqual(['book', 'desk.book'])
  expect(tools.answer).toBe(42)
  expect(new tools.Desk()).toBeInstanceOf(tools.Desk)
  expect([tools.book.name, tools.book.length, tools.book.unit]).toEqual(['book', 1, 'EUR'])
})
plainTest('a test that is not covered', () => {
  expect(tools.now()).toBe('now')
})`,
}

const modules = {
  'effect.js': effect,
  'tools.js': `import { book as effect } from './effect.js'
export async function book(input) { return effect('module', input) }
book.unit = 'EUR'
export const desk = { book: async (input) => effect('module', input) }
export const now = () => 'now'
export const answer = 42
export class Desk {}
`,
  'agent.js': `import { book, desk } from './tools.js'
export const bookTwice = async () => [(await book({ flight: 'SK 1' })).reference, (await desk.book({ flight: 'SK 2' })).reference]
`,
}

test.for(Object.entries(styles))(
  'a tool writes a file while recording and never in replay: %s',
  async ([name, body]) => {
    const project = createProject({
      ...modules,
      'test/style.test.js': `import { expect } from 'vitest'\nimport { test } from 'turntape/vitest'\n${body}\n`,
    })
    const recording = await project.vitest()
    expect(recording.output).toContain('Cassettes  1 written')
    expect(recording.code, recording.output).toBe(0)
    const written = project.read('effects.txt')
    expect(written.match(/booked SK 1/g)).toHaveLength(1)
    const replay = await project.vitest([], { env: { CI: 'true' } })
    expect(replay.output, name).toContain('Cassettes  1 replayed')
    expect(replay.code, replay.output).toBe(0)
    expect(project.read('effects.txt')).toBe(written)
  },
)
