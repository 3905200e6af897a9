import { CohereClientV2 } from 'cohere-ai'
import { cell } from '../harness/cell.mjs'

const request = (text) => ({ model: 'census-model', messages: [{ role: 'user', content: text }] })

cell('cohere-ai', {
  package: 'cohere-ai',
  road: 'fetch',
  build: (url) => new CohereClientV2({ token: 'census-key', environment: url, maxRetries: 0 }),
  async ask({ client, text }) {
    return (await client.chat(request(text))).message.content[0].text
  },
  async *stream({ client, text, signal }) {
    for await (const event of await client.chatStream(request(text), { abortSignal: signal })) {
      yield event.type === 'content-delta' ? event.delta.message.content.text : ''
    }
    signal.throwIfAborted()
  },
})
