import { Mistral } from '@mistralai/mistralai'
import { cell } from '../harness/cell.mjs'

const request = (text) => ({ model: 'census-model', messages: [{ role: 'user', content: text }] })

cell('@mistralai/mistralai', {
  package: '@mistralai/mistralai',
  road: 'fetch',
  build: (url) => new Mistral({ apiKey: 'census-key', serverURL: url, retryConfig: { strategy: 'none' } }),
  async ask({ client, text }) {
    return (await client.chat.complete(request(text))).choices[0].message.content
  },
  async *stream({ client, text, signal }) {
    const stream = await client.chat.stream(request(text), { fetchOptions: { signal } })
    for await (const { data } of stream) yield data.choices[0].delta.content ?? ''
    signal.throwIfAborted()
  },
})
