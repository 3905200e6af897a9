import { ChatAnthropic } from '@langchain/anthropic'
import { ChatOpenAI } from '@langchain/openai'
import { cell } from '../harness/cell.mjs'

const common = { apiKey: 'census-key', model: 'census-model', maxRetries: 0 }
const models = {
  '@langchain/openai': (url) => new ChatOpenAI({ ...common, configuration: { baseURL: `${url}/v1` } }),
  '@langchain/anthropic': (url) => new ChatAnthropic({ ...common, anthropicApiUrl: url }),
}

for (const [name, build] of Object.entries(models)) {
  cell(name, {
    package: name,
    road: 'fetch',
    build,
    async ask({ client, text }) {
      return (await client.invoke(text)).text
    },
    async *stream({ client, text, signal }) {
      for await (const part of await client.stream(text, { signal })) yield part.text
      signal.throwIfAborted()
    },
  })
}
