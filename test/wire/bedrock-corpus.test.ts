/** What the AWS SDK makes of real Converse answers, against what our decoder makes of the same bytes. */
import { Readable } from 'node:stream'
import { BedrockRuntimeClient, ConverseCommand, ConverseStreamCommand } from '@aws-sdk/client-bedrock-runtime'
import { expect, it } from 'vitest'
import { decodeAnswer } from '../../src/wire/decode-answer.ts'
import { type CorpusExchange, corpusFiles, hasCorpus, loadExchanges } from '../corpus/corpus.ts'

interface Facts {
  readonly text: string
  readonly thinking: string
  readonly calls: readonly (readonly [name: string, input: unknown])[]
  readonly finishReason: string | undefined
  readonly tokens: readonly (number | undefined)[]
}

/** A client that is answered with this, whatever it sends. */
function clientOf({ status, headers, body }: CorpusExchange): BedrockRuntimeClient {
  const answered = {
    statusCode: status,
    headers: Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value])),
    body: Readable.from([Buffer.from(body)]),
  }
  return new BedrockRuntimeClient({
    region: 'us-east-1',
    credentials: { accessKeyId: 'a', secretAccessKey: 'b' },
    maxAttempts: 1,
    requestHandler: { handle: async () => ({ response: answered as never }) },
  })
}

async function sdkFacts(exchange: CorpusExchange): Promise<Facts> {
  const client = clientOf(exchange)
  if (exchange.path.endsWith('converse')) {
    if (exchange.body[0] !== 0) {
      const { output, stopReason, usage } = await client.send(new ConverseCommand({ modelId: 'm', messages: [] }))
      const content = output?.message?.content ?? []
      return {
        text: content.map(({ text }) => text ?? '').join(''),
        thinking: content.map(({ reasoningContent }) => reasoningContent?.reasoningText?.text ?? '').join(''),
        calls: content.flatMap(({ toolUse }) => (toolUse === undefined ? [] : [[toolUse.name ?? '', toolUse.input]])),
        finishReason: stopReason,
        tokens: [usage?.outputTokens, usage?.totalTokens],
      }
    }
  }
  const { stream } = await client.send(new ConverseStreamCommand({ modelId: 'm', messages: [] }))
  const seen = { text: '', thinking: '', finishReason: undefined as string | undefined, tokens: [] as unknown[] }
  const calls = new Map<number, { readonly name: string; input: string }>()
  for await (const { contentBlockStart, contentBlockDelta, messageStop, metadata } of stream ?? []) {
    const use = contentBlockStart?.start?.toolUse
    if (use !== undefined) calls.set(contentBlockStart?.contentBlockIndex ?? 0, { name: use.name ?? '', input: '' })
    const delta = contentBlockDelta?.delta
    seen.text += delta?.text ?? ''
    seen.thinking += delta?.reasoningContent?.text ?? ''
    const call = calls.get(contentBlockDelta?.contentBlockIndex ?? -1)
    if (call !== undefined) call.input += delta?.toolUse?.input ?? ''
    if (messageStop !== undefined) seen.finishReason = messageStop.stopReason
    if (metadata !== undefined) seen.tokens = [metadata.usage?.outputTokens, metadata.usage?.totalTokens]
  }
  return {
    ...(seen as Omit<Facts, 'calls'>),
    calls: [...calls.values()].map(({ name, input }) => [name, JSON.parse(input === '' ? '{}' : input)]),
  }
}

function ourFacts({ path, body }: CorpusExchange): Facts {
  const answer = decodeAnswer({ url: `https://bedrock.test${path}`, body: [Uint8Array.from(body)] })
  const blocks = answer?.blocks ?? []
  return {
    text: blocks.map((block) => (block.kind === 'text' ? block.text : '')).join(''),
    thinking: blocks.map((block) => (block.kind === 'thinking' ? block.text : '')).join(''),
    calls: blocks.flatMap((block) =>
      block.kind === 'tool call' ? [[block.name, 'json' in block.arguments ? block.arguments.json : undefined]] : [],
    ),
    finishReason: answer?.finishReason,
    tokens: [answer?.usage?.outputTokens, answer?.usage?.totalTokens],
  }
}

it.skipIf(!hasCorpus)(
  'real Converse answers say to us what they say to the AWS SDK (skipped where there is no corpus)',
  async () => {
    const files = corpusFiles().filter((file) => /bedrock|botocore|aws/i.test(file))
    const exchanges = (await Promise.all(files.map(loadExchanges))).flat()
    const answers = exchanges.filter(({ path, status, encoded }) => {
      return /\/converse(?:-stream)?$/.test(path) && status === 200 && !encoded
    })
    expect(answers.length).toBeGreaterThan(12)
    for (const answer of answers) expect(ourFacts(answer), answer.path).toEqual(await sdkFacts(answer))
  },
)
