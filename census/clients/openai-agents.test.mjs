import { Agent, OpenAIResponsesModel, run, setTracingDisabled } from '@openai/agents'
import OpenAI from 'openai'
import { cell } from '../harness/cell.mjs'

setTracingDisabled(true)

cell('@openai/agents', {
  package: '@openai/agents',
  road: 'fetch',
  build(url) {
    const client = new OpenAI({ apiKey: 'census-key', baseURL: `${url}/v1`, maxRetries: 0 })
    return new Agent({
      name: 'agent',
      instructions: 'Be brief.',
      model: new OpenAIResponsesModel(client, 'census-model'),
    })
  },
  async ask({ client, text }) {
    return (await run(client, text)).finalOutput
  },
  async *stream({ client, text, signal }) {
    const result = await run(client, text, { stream: true, signal })
    for await (const part of result.toTextStream()) yield part
    await result.completed
    signal.throwIfAborted()
  },
})
