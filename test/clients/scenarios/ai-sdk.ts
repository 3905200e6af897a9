import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAI } from '@ai-sdk/openai'
import { generateText, jsonSchema, type LanguageModel, stepCountIs, streamText, tool } from 'ai'
import { test } from 'turntape/vitest'
import { errorOf, keep, planned, Tools } from './scenario.ts'

const prompt = 'Add 2 and 3, then multiply the two.'
const modelAtImport = openai('openai-chat').chat('gpt-5')

function openai(name: string) {
  return createOpenAI({ baseURL: `${planned(name).url}/v1` })
}

function anthropic(name: string) {
  return createAnthropic({ baseURL: `${planned(name).url}/v1` })
}

/** The tools of the recorded request, which really run here. */
function toolsOf(name: string, tools: Tools) {
  const definitions = planned(name).body.tools.map((definition: any) => definition.function ?? definition)
  return Object.fromEntries(
    definitions.map((definition: any) => [
      definition.name,
      tool({
        description: definition.description ?? '',
        inputSchema: jsonSchema(definition.parameters ?? definition.input_schema),
        execute: async (input: unknown) => tools.run(definition.name, input),
      }),
    ]),
  )
}

interface Loop {
  readonly name: string
  readonly model: LanguageModel
}

async function generateLoop({ name, model }: Loop): Promise<void> {
  const tools = new Tools()
  const result = await generateText({ model, prompt, tools: toolsOf(name, tools), stopWhen: stepCountIs(5) })
  const { text, finishReason, totalUsage, steps } = result
  keep(name, { text, finishReason, totalUsage, steps: steps.map(({ content }) => content), ran: tools.ran })
}

async function streamLoop({ name, model }: Loop): Promise<void> {
  const tools = new Tools()
  const result = streamText({ model, prompt, tools: toolsOf(name, tools), stopWhen: stepCountIs(5) })
  const parts = []
  for await (const part of result.fullStream) parts.push(part.type)
  const [text, finishReason, totalUsage] = await Promise.all([result.text, result.finishReason, result.totalUsage])
  keep(name, { text, finishReason, totalUsage, parts, ran: tools.ran })
}

test('openai chat, streamed, by a model of module scope', () =>
  streamLoop({ name: 'openai-chat', model: modelAtImport }))

test('openai responses, streamed', () =>
  streamLoop({ name: 'openai-responses', model: openai('openai-responses').responses('gpt-5') }))

test('openai chat, plain', () =>
  generateLoop({ name: 'openai-plain', model: openai('openai-plain').chat('gpt-4.1-mini') }))

test('anthropic, plain', () =>
  generateLoop({ name: 'anthropic-plain', model: anthropic('anthropic-plain')('claude-sonnet-4') }))

test('anthropic, streamed', () =>
  streamLoop({ name: 'anthropic-stream', model: anthropic('anthropic-stream')('claude-sonnet-4') }))

test('an error of the provider', async () => {
  const model = anthropic('anthropic-400')('claude-haiku-4-5')
  keep('anthropic-400', await errorOf(() => generateText({ model, prompt })))
})

test('an overload that the SDK retries', async ({ tape }) => {
  const { text, usage } = await generateText({ model: anthropic('anthropic-retry')('claude-sonnet-4'), prompt })
  keep('anthropic-retry', { text, usage, interactions: tape.interactions.length })
})
