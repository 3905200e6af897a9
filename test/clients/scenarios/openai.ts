import OpenAI from 'openai'
import { test } from 'turntape/vitest'
import { classOf, errorOf, keep, planned, Tools } from './scenario.ts'

const fetchAtImport = globalThis.fetch
const clientAtImport = clientOf('chat-stream')

function clientOf(name: string, options: object = {}): OpenAI {
  return new OpenAI({ baseURL: `${planned(name).url}/v1`, ...options })
}

test('chat, streamed, by a client of module scope', async ({ tape }) => {
  const stream = await clientAtImport.chat.completions.create({ ...planned('chat-stream').body, stream: true })
  const chunks = []
  for await (const chunk of stream as any) chunks.push(chunk)
  const text = chunks.map((chunk) => chunk.choices[0]?.delta?.content ?? '').join('')
  keep('chat-stream', { text, chunks, usage: chunks.at(-1).usage, turns: tape.turns.length })
})

test('chat, streamed, through the fetch that was there at import', async () => {
  const name = 'chat-early-fetch'
  const client = clientOf(name, { fetch: fetchAtImport })
  const final = await client.chat.completions.stream(planned(name).body).finalChatCompletion()
  keep(name, final)
})

test('a chat loop with tools, plain', async ({ tape }) => {
  const client = clientOf('chat-loop')
  const { stream: _stream, ...body } = planned('chat-loop').body
  keep('chat-loop', {
    ...(await chatLoop((messages) => client.chat.completions.create({ ...body, messages }), body.messages)),
    turns: tape.turns.length,
  })
})

test('a chat loop with parallel tools, streamed', async () => {
  const name = 'chat-loop-stream'
  const client = clientOf(name)
  const { body } = planned(name)
  const ask = (messages: unknown[]) => client.chat.completions.stream({ ...body, messages }).finalChatCompletion()
  keep(name, await chatLoop(ask, body.messages))
})

async function chatLoop(ask: (messages: any[]) => Promise<any>, first: readonly unknown[]): Promise<object> {
  const tools = new Tools()
  const messages = [...first]
  const usage = []
  for (let step = 0; step < 5; step += 1) {
    const answer = await ask(messages)
    const { message } = answer.choices[0]
    usage.push(answer.usage)
    messages.push(message)
    if (!message.tool_calls?.length) return { text: message.content, ran: tools.ran, usage, model: answer.model }
    for (const call of message.tool_calls) {
      const content = tools.run(call.function.name, JSON.parse(call.function.arguments))
      messages.push({ role: 'tool', tool_call_id: call.id, content })
    }
  }
  return { endless: true }
}

test('a responses loop with tools, plain', async () => {
  const name = 'responses-loop'
  const client = clientOf(name)
  const { stream: _stream, ...body } = planned(name).body
  keep(name, await responsesLoop((input) => client.responses.create({ ...body, input }), body.input))
})

test('a responses loop with tools, streamed', async () => {
  const name = 'responses-loop-stream'
  const client = clientOf(name)
  const { stream: _stream, ...body } = planned(name).body
  keep(name, await responsesLoop((input) => client.responses.stream({ ...body, input }).finalResponse(), body.input))
})

async function responsesLoop(ask: (input: any) => Promise<any>, first: unknown): Promise<object> {
  const tools = new Tools()
  const input = Array.isArray(first) ? [...first] : [{ role: 'user', content: first }]
  const usage = []
  for (let step = 0; step < 5; step += 1) {
    const response = await ask(input)
    usage.push(response.usage)
    const calls = response.output.filter((item: any) => item.type === 'function_call')
    if (calls.length === 0)
      return { text: response.output_text, ran: tools.ran, usage, requestId: response._request_id }
    input.push(...response.output)
    for (const { call_id, name, arguments: text } of calls) {
      input.push({ type: 'function_call_output', call_id, output: tools.run(name, JSON.parse(text)) })
    }
  }
  return { endless: true }
}

test('errors of the provider', async () => {
  const missing = clientOf('chat-404')
  const refused = clientOf('responses-401')
  keep('errors', {
    missing: await errorOf(() => missing.chat.completions.create({ ...planned('chat-404').body, stream: false })),
    refused: await errorOf(() => refused.responses.create({ ...planned('responses-401').body, stream: false })),
  })
})

test('an error in the middle of a stream', async () => {
  const name = 'responses-mid-error'
  const events: string[] = []
  const read = async () => {
    const stream = await clientOf(name).responses.create({ model: 'gpt-5', input: 'go', stream: true })
    for await (const event of stream) events.push(event.type)
  }
  const error = await errorOf(read)
  keep(name, { events, error })
})

test('a 429 that the client retries', async ({ tape }) => {
  const name = 'chat-retry'
  const final = await clientOf(name).chat.completions.stream(planned(name).body).finalChatCompletion()
  keep(name, { final, interactions: tape.interactions.length, turns: tape.turns.length })
})

test('a stream whose connection is lost', async () => {
  const name = 'chat-cut'
  const deltas: unknown[] = []
  const error = await errorOf(async () => {
    const stream = await clientOf(name, { maxRetries: 0 }).chat.completions.create({
      ...planned(name).body,
      stream: true,
    })
    for await (const chunk of stream as any) deltas.push(chunk.choices[0]?.delta)
  })
  keep(name, { deltas, error })
})

test('a client that leaves its stream early', async () => {
  const name = 'chat-left'
  const deltas: unknown[] = []
  const stream = await clientOf(name).chat.completions.create({ ...planned(name).body, stream: true })
  for await (const chunk of stream as any) {
    deltas.push(chunk.choices[0]?.delta)
    if (deltas.length === 3) break
  }
  keep(name, { deltas, count: deltas.length })
})

test('calls side by side, each with its own answer', async () => {
  const clients = ['side-one', 'side-two', 'side-three']
  const ask = (name: string) => clientOf(name).chat.completions.stream(planned(name).body).finalChatCompletion()
  const answers = await Promise.all(clients.map(ask))
  keep('side-by-side', { answers, ids: new Set(answers.map(({ id }) => id)).size })
})

test('a stream that the caller aborts', async ({ tape }) => {
  const name = 'chat-abort'
  const stream = clientOf(name).chat.completions.stream(planned(name).body)
  const deltas: string[] = []
  stream.on('content', (delta) => {
    deltas.push(delta)
    if (deltas.length === 2) stream.abort()
  })
  const error = await errorOf(() => stream.done())
  keep(name, { first: deltas.slice(0, 2), error, turns: tape.turns.length })
})

test('a response with its head', async () => {
  const name = 'chat-response'
  const { stream: _stream, ...body } = planned(name).body
  const { data, response, request_id } = await clientOf(name).chat.completions.create(body).withResponse()
  const { status, statusText, url, redirected, type, ok } = response
  keep(name, {
    data,
    status,
    statusText,
    url,
    redirected,
    type,
    ok,
    request_id,
    contentType: response.headers.get('content-type'),
  })
})

test('speech: bytes that are no text', async () => {
  const name = 'speech'
  const response = await clientOf(name).audio.speech.create(planned(name).body)
  const bytes = Buffer.from(await response.arrayBuffer())
  keep(name, { length: bytes.length, bytes: bytes.toString('base64') })
})

test('an upload, whose boundary is another each time', async () => {
  const name = 'upload'
  const file = new File([Buffer.alloc(2_000, 'RIFF')], 'speech.wav', { type: 'audio/wav' })
  const stream = await clientOf(name).audio.transcriptions.create({ file, model: 'gpt-4o-transcribe', stream: true })
  const events = []
  for await (const event of stream) events.push(event)
  keep(name, { events })
})

test('a server that is not there', async ({ tape }) => {
  const client = new OpenAI({ baseURL: planned('nowhere').url, maxRetries: 1 })
  const error: any = await client.chat.completions.create({ model: 'gpt-5', messages: [] }).catch((error) => error)
  const { message, cause } = error
  const { name, code } = cause.cause ?? cause
  keep('nowhere', { class: classOf(error), message, cause: { name, code }, interactions: tape.interactions.length })
})
