import { createAmazonBedrock } from '@ai-sdk/amazon-bedrock'
import { createAnthropic } from '@ai-sdk/anthropic'
import { createGoogleGenerativeAI } from '@ai-sdk/google'
import { createOpenAI } from '@ai-sdk/openai'
import { generateText, streamText } from 'ai'
import { cell } from '../harness/cell.mjs'

const apiKey = 'census-key'
const providers = {
  '@ai-sdk/openai': (url) => createOpenAI({ apiKey, baseURL: `${url}/v1` })('census-model'),
  '@ai-sdk/anthropic': (url) => createAnthropic({ apiKey, baseURL: `${url}/v1` })('census-model'),
  '@ai-sdk/google': (url) => createGoogleGenerativeAI({ apiKey, baseURL: `${url}/v1beta` })('census-model'),
  '@ai-sdk/amazon-bedrock': (url) => createAmazonBedrock({ apiKey, region: 'us-east-1', baseURL: url })('census-model'),
}

for (const [name, build] of Object.entries(providers)) {
  cell(`ai with ${name}`, {
    package: name,
    road: 'fetch',
    build,
    async ask({ client, text }) {
      return (await generateText({ model: client, prompt: text, maxRetries: 0 })).text
    },
    async *stream({ client, text, signal }) {
      let failure
      const onError = ({ error }) => {
        failure = error
      }
      const result = streamText({ model: client, prompt: text, maxRetries: 0, abortSignal: signal, onError })
      for await (const part of result.textStream) yield part
      if (failure !== undefined) throw failure
      signal.throwIfAborted()
    },
  })
}
