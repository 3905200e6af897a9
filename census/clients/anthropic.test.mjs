import Anthropic from '@anthropic-ai/sdk'
import { cell } from '../harness/cell.mjs'

const request = (text) => ({ model: 'census-model', max_tokens: 100, messages: [{ role: 'user', content: text }] })

cell('@anthropic-ai/sdk', {
  package: '@anthropic-ai/sdk',
  road: 'fetch',
  build: (url) => new Anthropic({ apiKey: 'census-key', baseURL: url, maxRetries: 0 }),
  async ask({ client, text }) {
    return (await client.messages.create(request(text))).content[0].text
  },
  async *stream({ client, text, signal }) {
    for await (const event of client.messages.stream(request(text), { signal })) {
      yield event.type === 'content_block_delta' ? event.delta.text : ''
    }
    signal.throwIfAborted()
  },
})
