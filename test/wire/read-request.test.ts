import { describe, expect, it } from 'vitest'
import type { Json } from '../../src/core/cassette/document.ts'
import type { Wire } from '../../src/wire/block.ts'
import { decodeAnswer } from '../../src/wire/decode-answer.ts'
import { settingsOf, toolResultsOf } from '../../src/wire/read-request.ts'
import { hasCorpus } from '../corpus/corpus.ts'
import { corpusAnswers } from './corpus-answers.ts'
import { urlOf } from './stream-of.ts'

const schema = { type: 'object', properties: { city: { type: 'string' } } }

const requests: Readonly<Record<Wire, { readonly [name: string]: Json }>> = {
  'openai-chat': {
    ...{
      model: 'm',
      temperature: 0.5,
      top_p: 0.9,
      max_completion_tokens: 100,
      stop: 'END',
      reasoning_effort: 'low',
      seed: 7,
    },
    ...{ tool_choice: 'auto', response_format: { type: 'json_object' } },
    tools: [{ type: 'function', function: { name: 'weather', description: 'W', parameters: schema } }],
    messages: [
      { role: 'system', content: 'Be kind.' },
      { role: 'developer', content: [{ type: 'text', text: 'Be brief.' }] },
      { role: 'user', content: 'Hi' },
      { role: 'assistant', tool_calls: [{ id: 'c1', function: { name: 'weather', arguments: '{}' } }] },
      { role: 'tool', tool_call_id: 'c1', content: '{"t":4}' },
    ],
  },
  'openai-responses': {
    ...{ model: 'm', temperature: 0.5, top_p: 0.9, max_output_tokens: 100, reasoning: { effort: 'low' }, seed: 7 },
    ...{ tool_choice: 'auto', instructions: 'Be kind.', text: { format: { type: 'json_object' } } },
    tools: [{ type: 'function', name: 'weather', description: 'W', parameters: schema }],
    input: [
      { role: 'developer', content: 'Be brief.' },
      { type: 'function_call', call_id: 'c1', name: 'weather', arguments: '{}' },
      { type: 'function_call_output', call_id: 'c1', output: '{"t":4}' },
    ],
  },
  'anthropic-messages': {
    ...{ model: 'm', temperature: 0.5, top_p: 0.9, max_tokens: 100, stop_sequences: ['END'], seed: 7 },
    ...{ tool_choice: { type: 'auto' }, thinking: { type: 'enabled' } },
    system: [
      { type: 'text', text: 'Be kind.', cache_control: { type: 'ephemeral' } },
      { type: 'text', text: 'Be brief.' },
    ],
    tools: [{ name: 'weather', description: 'W', input_schema: schema }],
    messages: [
      { role: 'assistant', content: [{ type: 'tool_use', id: 'c1', name: 'weather', input: {} }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content: '{"t":4}', is_error: true }] },
    ],
  },
  cohere: {
    ...{ model: 'm', temperature: 0.5, p: 0.9, max_tokens: 100, stop_sequences: ['END'], seed: 7 },
    ...{ tool_choice: 'REQUIRED', thinking: { type: 'enabled' } },
    tools: [{ type: 'function', function: { name: 'weather', description: 'W', parameters: schema } }],
    messages: [
      { role: 'system', content: 'Be kind.' },
      { role: 'system', content: [{ type: 'text', text: 'Be brief.' }] },
      { role: 'assistant', tool_plan: 'P', tool_calls: [{ id: 'c1', function: { name: 'weather', arguments: '{}' } }] },
      { role: 'tool', tool_call_id: 'c1', content: '{"t":4}' },
    ],
  },
  ollama: {
    ...{ model: 'm', think: true, format: 'json' },
    options: { temperature: 0.5, top_p: 0.9, num_predict: 100, stop: ['END'], seed: 7 },
    tools: [{ type: 'function', function: { name: 'weather', description: 'W', parameters: schema } }],
    messages: [
      { role: 'system', content: 'Be kind.' },
      { role: 'system', content: 'Be brief.' },
      { role: 'assistant', tool_calls: [{ function: { name: 'weather', arguments: {} } }] },
      { role: 'tool', tool_name: 'weather', content: '{"t":4}' },
    ],
  },
  'bedrock-converse': {
    inferenceConfig: { temperature: 0.5, topP: 0.9, maxTokens: 100, stopSequences: ['END'] },
    additionalModelRequestFields: { thinking: { type: 'enabled' } },
    seed: 7,
    system: [{ text: 'Be kind.' }, { text: 'Be brief.' }, { cachePoint: { type: 'default' } }],
    toolConfig: {
      tools: [{ toolSpec: { name: 'weather', description: 'W', inputSchema: { json: schema } } }],
      toolChoice: { auto: {} },
    },
    messages: [
      { role: 'assistant', content: [{ toolUse: { toolUseId: 'c1', name: 'weather', input: {} } }] },
      { role: 'user', content: [{ toolResult: { toolUseId: 'c1', content: [{ json: { t: 4 } }], status: 'error' } }] },
    ],
  },
  gemini: {
    generationConfig: {
      temperature: 0.5,
      topP: 0.9,
      maxOutputTokens: 100,
      stopSequences: ['END'],
      thinkingConfig: {},
      seed: 7,
    },
    systemInstruction: { parts: [{ text: 'Be kind.' }, { text: 'Be brief.' }] },
    toolConfig: { functionCallingConfig: { mode: 'AUTO' } },
    tools: [
      { functionDeclarations: [{ name: 'weather', description: 'W', parameters: schema }] },
      { googleSearch: {} },
    ],
    contents: [
      { role: 'model', parts: [{ functionCall: { name: 'weather', args: {} } }] },
      { role: 'user', parts: [{ functionResponse: { name: 'weather', response: { t: 4 } } }] },
    ],
  },
}

describe.each(Object.entries(requests) as readonly [Wire, Json][])('a request of %s', (wire, request) => {
  it('says its settings in the common words, and keeps the others as sent', () => {
    const settings = settingsOf({ wire, url: urlOf(wire), request })
    expect(settings).toMatchObject({ temperature: 0.5, topP: 0.9, maxOutputTokens: 100, others: { seed: 7 } })
    expect(settings.model).toBe(wire === 'gemini' ? 'gemini-2.5-pro' : 'm')
    expect(settings.instructions).toMatch(/^Be kind\.\n+Be brief\.$/)
    expect(settings.tools[0]).toMatchObject({ name: 'weather', description: 'W', parameters: schema })
    if (wire !== 'ollama') expect(settings.toolChoice).toBeDefined()
    expect(settings.reasoning).toBeDefined()
    expect(settings.stopSequences).toEqual(wire === 'openai-responses' ? undefined : ['END'])
    for (const name of ['messages', 'contents', 'input', 'tools', 'model'])
      expect(settings.others).not.toHaveProperty(name)
  })

  it('says its tool results with the names of their calls', () => {
    const id = wire === 'gemini' || wire === 'ollama' ? {} : { id: 'c1' }
    const failed = wire === 'anthropic-messages' || wire === 'bedrock-converse' ? { isError: true } : {}
    const told: Partial<Record<Wire, Json>> = { gemini: { t: 4 }, 'bedrock-converse': [{ json: { t: 4 } }] }
    const output = told[wire] ?? '{"t":4}'
    expect(toolResultsOf(request, wire)).toEqual([{ ...id, name: 'weather', output, ...failed }])
  })
})

it('reads the preamble, the tools and the results of the first version of Cohere, and the system text of generate', () => {
  const first: Json = {
    ...{ message: 'Hi', preamble: 'Be kind.', chat_history: [], model: 'm' },
    tools: [{ name: 'weather', description: 'W', parameter_definitions: schema }],
    tool_results: [{ call: { name: 'weather', parameters: {} }, outputs: [{ t: 4 }] }],
  }
  const settings = settingsOf({ wire: 'cohere', url: '/v1/chat', request: first })
  expect(settings).toMatchObject({ instructions: 'Be kind.', others: {} })
  expect(settings.tools).toMatchObject([{ name: 'weather', parameters: schema }])
  expect(toolResultsOf(first, 'cohere')).toEqual([{ name: 'weather', output: [{ t: 4 }] }])
  const generate = { model: 'm', prompt: 'Hi', system: 'Be kind.', options: { num_predict: 5 } }
  expect(settingsOf({ wire: 'ollama', url: '/api/generate', request: generate })).toMatchObject({
    ...{ model: 'm', instructions: 'Be kind.', maxOutputTokens: 5, others: {} },
  })
})

it('AR-27 names a result after the latest earlier call with its id, where ids repeat', () => {
  const call = (name: string): Json => ({ role: 'assistant', tool_calls: [{ id: 'call_0', function: { name } }] })
  const result: Json = { role: 'tool', tool_call_id: 'call_0', content: 'x' }
  const request = { messages: [call('a'), result, call('b'), result] }
  expect(toolResultsOf(request, 'openai-chat').map(({ name }) => name)).toEqual(['a', 'b'])
})

it.each([
  ['/v1beta/models/gemini-2.5-pro:streamGenerateContent?alt=sse', 'gemini-2.5-pro'],
  ['/v1/projects/p/locations/l/publishers/anthropic/models/claude-4@1:streamRawPredict', 'claude-4@1'],
  ['/model/us.anthropic.claude-4-v1:0/invoke', 'us.anthropic.claude-4-v1:0'],
  ['/model/us.anthropic.claude-4-v1%3A0/invoke', 'us.anthropic.claude-4-v1:0'],
  ['/openai/deployments/my-gpt/chat/completions?api-version=1', 'my-gpt'],
  ['/models/100%/x', '100%'],
])('reads the model out of %s where the body names none', (url, model) => {
  expect(settingsOf({ wire: 'gemini', url, request: {} }).model).toBe(model)
})

it('tells the tools that Gemini runs itself by their name', () => {
  const request = requests.gemini
  expect(settingsOf({ wire: 'gemini', url: '/x', request }).tools.map(({ name }) => name)).toEqual([
    'weather',
    'googleSearch',
  ])
})

it.skipIf(!hasCorpus)(
  'real requests name their model, and every tool result has a name or an id (skipped where there is no corpus)',
  async () => {
    let results = 0
    for (const { name, url, request, bytes } of await corpusAnswers()) {
      const wire = decodeAnswer({ url, body: [bytes] })?.wire
      // Mistral's agents have their model on the server.
      if (wire === undefined || request === undefined || url.includes('/agents/')) continue
      const { model, tools } = settingsOf({ wire, url, request })
      expect(model, name).toBeDefined()
      for (const tool of tools) expect(tool.name, name).not.toBe('')
      for (const result of toolResultsOf(request, wire)) {
        expect(result.name ?? result.id, name).toBeDefined()
        results += 1
      }
    }
    expect(results).toBeGreaterThan(40)
  },
)
