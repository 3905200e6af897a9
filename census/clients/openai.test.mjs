import OpenAI from 'openai'
import { cell } from '../harness/cell.mjs'

const model = 'census-model'
const build = (url) => new OpenAI({ apiKey: 'census-key', baseURL: `${url}/v1`, maxRetries: 0 })
const chat = {
  package: 'openai',
  async ask({ client, text }) {
    const answer = await client.chat.completions.create({ model, messages: [{ role: 'user', content: text }] })
    return answer.choices[0].message.content
  },
  async *stream({ client, text, signal }) {
    const messages = [{ role: 'user', content: text }]
    const stream = await client.chat.completions.create({ model, messages, stream: true }, { signal })
    for await (const { choices } of stream) yield choices[0]?.delta.content ?? ''
    signal.throwIfAborted()
  },
}

cell('openai, chat', { ...chat, road: 'fetch', build })

const clientOfModule = build('http://model.test')
cell('openai, a client of module scope', {
  ...chat,
  road: 'fetch',
  build: (url) => Object.assign(clientOfModule, { baseURL: `${url}/v1` }),
})

// A client takes the fetch that is there when it is made.
const clientBefore = new OpenAI({ apiKey: 'census-key', maxRetries: 0, fetch: globalThis.fetchBefore })
cell('openai, a client made before there was a tape', {
  ...chat,
  road: 'undici',
  build: (url) => Object.assign(clientBefore, { baseURL: `${url}/v1` }),
})

cell('openai, Responses', {
  package: 'openai',
  road: 'fetch',
  build,
  async ask({ client, text }) {
    return (await client.responses.create({ model, input: text })).output_text
  },
  async *stream({ client, text, signal }) {
    const stream = await client.responses.create({ model, input: text, stream: true }, { signal })
    for await (const event of stream) yield event.type === 'response.output_text.delta' ? event.delta : ''
    signal.throwIfAborted()
  },
})
