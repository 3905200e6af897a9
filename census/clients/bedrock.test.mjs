import { BedrockRuntimeClient, ConverseCommand, ConverseStreamCommand } from '@aws-sdk/client-bedrock-runtime'
import { FetchHttpHandler } from '@smithy/fetch-http-handler'
import { NodeHttpHandler } from '@smithy/node-http-handler'
import { cell } from '../harness/cell.mjs'

const input = (text) => ({ modelId: 'census-model', messages: [{ role: 'user', content: [{ text }] }] })
const credentials = { accessKeyId: 'census', secretAccessKey: 'census-key' }

const handlers = [
  { name: 'HTTP/2, the default', road: 'http2', server: 'h2' },
  { name: 'HTTP/2 over TLS', road: 'http2', server: 'tls' },
  { name: 'NodeHttpHandler', road: 'node:http', requestHandler: () => new NodeHttpHandler() },
  { name: 'FetchHttpHandler', road: 'fetch', requestHandler: () => new FetchHttpHandler() },
]

for (const { name, road, server, requestHandler } of handlers) {
  cell(`AWS Bedrock, ${name}`, {
    package: '@aws-sdk/client-bedrock-runtime',
    road,
    server,
    build: (endpoint) =>
      new BedrockRuntimeClient({
        endpoint,
        region: 'us-east-1',
        credentials,
        maxAttempts: 1,
        ...(requestHandler && { requestHandler: requestHandler() }),
      }),
    async ask({ client, text }) {
      return (await client.send(new ConverseCommand(input(text)))).output.message.content[0].text
    },
    async *stream({ client, text, signal }) {
      const { stream } = await client.send(new ConverseStreamCommand(input(text)), { abortSignal: signal })
      for await (const event of stream) yield event.contentBlockDelta?.delta.text ?? ''
      signal.throwIfAborted()
    },
  })
}
