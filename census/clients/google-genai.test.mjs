import { GoogleGenAI } from '@google/genai'
import { cell } from '../harness/cell.mjs'

cell('@google/genai', {
  package: '@google/genai',
  road: 'fetch',
  build: (url) =>
    new GoogleGenAI({ apiKey: 'census-key', httpOptions: { baseUrl: url, retryOptions: { attempts: 1 } } }),
  async ask({ client, text }) {
    return (await client.models.generateContent({ model: 'census-model', contents: text })).text
  },
  async *stream({ client, text, signal }) {
    const request = { model: 'census-model', contents: text, config: { abortSignal: signal } }
    for await (const part of await client.models.generateContentStream(request)) yield part.text ?? ''
    signal.throwIfAborted()
  },
})
