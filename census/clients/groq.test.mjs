import Groq from 'groq-sdk'
import { cell } from '../harness/cell.mjs'

const request = (text) => ({ model: 'census-model', messages: [{ role: 'user', content: text }] })

cell('groq-sdk', {
  package: 'groq-sdk',
  road: 'fetch',
  build: (url) => new Groq({ apiKey: 'census-key', baseURL: url, maxRetries: 0 }),
  async ask({ client, text }) {
    return (await client.chat.completions.create(request(text))).choices[0].message.content
  },
  async *stream({ client, text, signal }) {
    const stream = await client.chat.completions.create({ ...request(text), stream: true }, { signal })
    for await (const { choices } of stream) yield choices[0]?.delta.content ?? ''
    signal.throwIfAborted()
  },
})
