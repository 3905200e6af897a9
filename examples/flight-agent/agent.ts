/** An agent as anyone would write it: the OpenAI SDK, a stream, a loop until the model asks for no more tools. */
import OpenAI from 'openai'
import type {
  ChatCompletionMessageParam as Message,
  ChatCompletionMessageFunctionToolCall as ToolCall,
  ChatCompletionTool as ToolSchema,
} from 'openai/resources/chat/completions'
import { bookFlight, searchFlights } from './tools.ts'

const instructions =
  'You book flights. Search first, then book the cheapest flight, then say what you booked and its price.'

export const tools = { searchFlights, bookFlight }

const client = new OpenAI()

/** Books a trip and returns what the agent says at the end. */
export async function bookTrip(wish: string, using = tools): Promise<string> {
  const messages: Message[] = [
    { role: 'system', content: instructions },
    { role: 'user', content: wish },
  ]
  for (let turn = 1; turn <= 8; turn++) {
    const { content, calls } = await ask(messages)
    if (calls.length === 0) return content
    messages.push({ role: 'assistant', content, tool_calls: calls })
    for (const call of calls) {
      const result = await runTool(call, using)
      messages.push({ role: 'tool', tool_call_id: call.id, content: JSON.stringify(result) })
    }
  }
  throw new Error('the agent did not come to an end')
}

/** One turn: reads the stream and puts the pieces of text and of tool calls together. */
async function ask(messages: Message[]): Promise<{ content: string; calls: ToolCall[] }> {
  const stream = await client.chat.completions.create({
    model: 'gpt-5-mini',
    messages,
    tools: schemas,
    stream: true,
    stream_options: { include_usage: true },
  })
  let content = ''
  const calls: ToolCall[] = []
  for await (const { choices } of stream) {
    const delta = choices[0]?.delta
    content += delta?.content ?? ''
    for (const { index, id = '', function: part } of delta?.tool_calls ?? []) {
      calls[index] ??= { id, type: 'function', function: { name: part?.name ?? '', arguments: '' } }
      calls[index].function.arguments += part?.arguments ?? ''
    }
  }
  return { content, calls }
}

async function runTool(call: ToolCall, using: typeof tools): Promise<unknown> {
  const input = JSON.parse(call.function.arguments)
  switch (call.function.name) {
    case 'search_flights':
      return using.searchFlights(input)
    case 'book_flight':
      return using.bookFlight(input)
    default:
      return { error: `there is no tool ${call.function.name}` }
  }
}

const schemas: ToolSchema[] = [
  schema('search_flights', 'Lists the flights of one day.', ['from', 'to', 'day']),
  schema('book_flight', 'Books one flight and takes the money.', ['flight', 'passenger']),
]

function schema(name: string, description: string, members: readonly string[]): ToolSchema {
  const properties = Object.fromEntries(members.map((member) => [member, { type: 'string' }]))
  return {
    type: 'function',
    function: { name, description, parameters: { type: 'object', properties, required: members } },
  }
}
