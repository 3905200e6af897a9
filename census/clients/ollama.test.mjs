import { Ollama } from 'ollama'
import { cell } from '../harness/cell.mjs'

const request = (text) => ({ model: 'census-model', messages: [{ role: 'user', content: text }] })

cell('ollama', {
  package: 'ollama',
  road: 'fetch',
  build: (url) => new Ollama({ host: url }),
  async ask({ client, text }) {
    return (await client.chat(request(text))).message.content
  },
  async *stream({ client, text, signal }) {
    const stream = await client.chat({ ...request(text), stream: true })
    signal.addEventListener('abort', () => stream.abort())
    for await (const part of stream) yield part.message.content
    signal.throwIfAborted()
  },
})
