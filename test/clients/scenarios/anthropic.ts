import Anthropic from '@anthropic-ai/sdk'
import { test } from 'turntape/vitest'
import { errorOf, keep, planned, Tools } from './scenario.ts'

const fetchAtImport = globalThis.fetch
const clientAtImport = clientOf('plain')

function clientOf(name: string, options: object = {}): Anthropic {
  return new Anthropic({ baseURL: planned(name).url, ...options })
}

test('plain, by a client of module scope', async ({ tape }) => {
  const { stream: _stream, ...body } = planned('plain').body
  const message: any = await clientAtImport.beta.messages.create(body)
  keep('plain', { message, requestId: message._request_id, turns: tape.turns.length })
})

test('streamed, through the fetch that was there at import', async () => {
  const { stream: _stream, ...body } = planned('stream').body
  const client = clientOf('stream', { fetch: fetchAtImport })
  const stream = client.messages.stream(body)
  const events: string[] = []
  stream.on('streamEvent', (event) => events.push(event.type))
  keep('stream', { message: await stream.finalMessage(), events })
})

test('a loop with parallel tools, plain', async () => {
  const client = clientOf('loop')
  const { body } = planned('loop')
  keep('loop', await messagesLoop((messages) => client.messages.create({ ...body, messages }), body.messages))
})

test('a loop with thinking and tools, streamed', async ({ tape }) => {
  const client = clientOf('loop-stream')
  const { stream: _stream, ...body } = planned('loop-stream').body
  const ask = (messages: any[]) => client.messages.stream({ ...body, messages }).finalMessage()
  keep('loop-stream', { ...(await messagesLoop(ask, body.messages)), turns: tape.turns.length })
})

async function messagesLoop(ask: (messages: any[]) => Promise<any>, first: readonly unknown[]): Promise<object> {
  const tools = new Tools()
  const messages: unknown[] = [...first]
  const usage = []
  for (let step = 0; step < 5; step += 1) {
    const { content, usage: used, stop_reason } = await ask(messages)
    usage.push(used)
    messages.push({ role: 'assistant', content })
    const calls = content.filter((block: any) => block.type === 'tool_use')
    if (calls.length === 0) return { content, stop_reason, ran: tools.ran, usage }
    const results = calls.map(({ id, name, input }: any) => ({
      type: 'tool_result',
      tool_use_id: id,
      content: tools.run(name, input),
    }))
    messages.push({ role: 'user', content: results })
  }
  return { endless: true }
}

test('errors of the provider', async () => {
  const ask = (name: string) => () => clientOf(name).beta.messages.create({ ...planned(name).body, stream: false })
  const tooLong = () =>
    clientOf('too-long').messages.create({ ...planned('too-long').body, max_tokens: 100, stream: false })
  keep('errors', { missing: await errorOf(ask('missing')), tooLong: await errorOf(tooLong) })
})

test('an overload that the client retries', async ({ tape }) => {
  const { stream: _stream, ...body } = planned('retry').body
  const message = await clientOf('retry').messages.stream(body).finalMessage()
  keep('retry', { message, interactions: tape.interactions.length, turns: tape.turns.length })
})
