/** The requests of one agent, a loop of three turns with two tools, as each provider's SDK sends them. */
import type { HttpRequest, Json } from '../../src/core/cassette/document.ts'

export const providers = ['OpenAI chat', 'OpenAI Responses', 'Anthropic', 'Gemini'] as const

export type Provider = (typeof providers)[number]

/** What a developer may change. */
export interface AgentSettings {
  readonly system?: string
  readonly prompt?: string
  readonly temperature?: number
  readonly cityType?: string
  readonly forecast?: string
}

interface Agent {
  readonly system: string
  readonly prompt: string
  readonly temperature: number
  readonly cityType: string
  readonly forecast: string
}

const defaults: Agent = {
  system: 'You are a travel assistant.\nAnswer in one sentence.\nNever book without asking.',
  prompt:
    'I am flying from Berlin to Oslo on Friday and coming back on Sunday evening. Tell me what the weather in Oslo will be like and whether I need an umbrella.',
  temperature: 0.2,
  cityType: 'string',
  forecast: '{"city":"Oslo","days":[{"day":"Friday","rain":0.8,"celsius":4},{"day":"Sunday","rain":0.1,"celsius":7}]}',
}

/** The three requests of the run, in stored form. */
export function agentRequests(provider: Provider, settings: AgentSettings = {}): readonly HttpRequest[] {
  const agent = { ...defaults, ...settings }
  switch (provider) {
    case 'OpenAI chat':
      return openAiChat(agent)
    case 'OpenAI Responses':
      return openAiResponses(agent)
    case 'Anthropic':
      return anthropic(agent)
    case 'Gemini':
      return gemini(agent)
  }
}

function parameters({ cityType }: Agent): { readonly [key: string]: Json } {
  return {
    type: 'object',
    properties: { city: { type: cityType, description: 'Name of the city' }, days: { type: 'integer' } },
    required: ['city'],
  }
}

const umbrellaParameters = { type: 'object', properties: { rain: { type: 'number' } }, required: ['rain'] }

function openAiChat(agent: Agent): HttpRequest[] {
  const call = (id: string, name: string, input: string): Json => ({
    role: 'assistant',
    content: null,
    tool_calls: [{ id, type: 'function', function: { name, arguments: input } }],
  })
  const messages: Json[] = [
    { role: 'system', content: agent.system },
    { role: 'user', content: agent.prompt },
    call('call_Xk31', 'get_weather', '{"city":"Oslo","days":3}'),
    { role: 'tool', tool_call_id: 'call_Xk31', content: agent.forecast },
    call('call_Pq07', 'needs_umbrella', '{"rain":0.8}'),
    { role: 'tool', tool_call_id: 'call_Pq07', content: 'yes' },
  ]
  const tools = [
    {
      type: 'function',
      function: { name: 'get_weather', description: 'Weather by city', parameters: parameters(agent) },
    },
    { type: 'function', function: { name: 'needs_umbrella', parameters: umbrellaParameters } },
  ]
  return [2, 4, 6].map((count) =>
    post('https://api.openai.com/v1/chat/completions', {
      model: 'gpt-5',
      temperature: agent.temperature,
      messages: messages.slice(0, count),
      tools,
      stream: true,
    }),
  )
}

function openAiResponses(agent: Agent): HttpRequest[] {
  const input: Json[] = [
    { role: 'user', content: [{ type: 'input_text', text: agent.prompt }] },
    { type: 'function_call', call_id: 'call_Xk31', name: 'get_weather', arguments: '{"city":"Oslo","days":3}' },
    { type: 'function_call_output', call_id: 'call_Xk31', output: agent.forecast },
    { type: 'function_call', call_id: 'call_Pq07', name: 'needs_umbrella', arguments: '{"rain":0.8}' },
    { type: 'function_call_output', call_id: 'call_Pq07', output: 'yes' },
  ]
  const tools = [
    {
      type: 'function',
      name: 'get_weather',
      description: 'Weather by city',
      parameters: parameters(agent),
      strict: false,
    },
    { type: 'function', name: 'needs_umbrella', parameters: umbrellaParameters, strict: false },
  ]
  return [1, 3, 5].map((count) =>
    post('https://api.openai.com/v1/responses', {
      model: 'gpt-5',
      instructions: agent.system,
      input: input.slice(0, count),
      temperature: agent.temperature,
      tools,
    }),
  )
}

function anthropic(agent: Agent): HttpRequest[] {
  const messages: Json[] = [
    { role: 'user', content: agent.prompt },
    {
      role: 'assistant',
      content: [{ type: 'tool_use', id: 'toolu_01A', name: 'get_weather', input: { city: 'Oslo', days: 3 } }],
    },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_01A', content: agent.forecast }] },
    {
      role: 'assistant',
      content: [{ type: 'tool_use', id: 'toolu_01B', name: 'needs_umbrella', input: { rain: 0.8 } }],
    },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_01B', content: 'yes' }] },
  ]
  const tools = [
    { name: 'get_weather', description: 'Weather by city', input_schema: parameters(agent) },
    { name: 'needs_umbrella', input_schema: umbrellaParameters },
  ]
  return [1, 3, 5].map((count) =>
    post(
      'https://api.anthropic.com/v1/messages',
      {
        model: 'claude-sonnet-5',
        max_tokens: 1024,
        temperature: agent.temperature,
        system: agent.system,
        messages: messages.slice(0, count),
        tools,
      },
      { 'anthropic-version': '2023-06-01' },
    ),
  )
}

function gemini(agent: Agent): HttpRequest[] {
  const call = (name: string, args: Json): Json => ({ role: 'model', parts: [{ functionCall: { name, args } }] })
  const result = (name: string, response: Json): Json => ({
    role: 'user',
    parts: [{ functionResponse: { name, response } }],
  })
  const contents: Json[] = [
    { role: 'user', parts: [{ text: agent.prompt }] },
    call('get_weather', { city: 'Oslo', days: 3 }),
    result('get_weather', JSON.parse(agent.forecast) as Json),
    call('needs_umbrella', { rain: 0.8 }),
    result('needs_umbrella', { answer: 'yes' }),
  ]
  const functionDeclarations = [
    { name: 'get_weather', description: 'Weather by city', parameters: parameters(agent) },
    { name: 'needs_umbrella', parameters: umbrellaParameters },
  ]
  return [1, 3, 5].map((count) =>
    post('https://generativelanguage.googleapis.com/v1beta/models/gemini-3-pro:streamGenerateContent?alt=sse', {
      contents: contents.slice(0, count),
      systemInstruction: { role: 'user', parts: [{ text: agent.system }] },
      tools: [{ functionDeclarations }],
      generationConfig: { temperature: agent.temperature },
    }),
  )
}

/** A JSON request as it is stored. */
export function post(url: string, json: Json, headers: Readonly<Record<string, string>> = {}): HttpRequest {
  return { method: 'POST', url, headers: { ...headers, 'content-type': 'application/json' }, body: { json } }
}
