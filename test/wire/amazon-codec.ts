/** The AWS SDK's own reader and writer of event-stream frames, as the oracle of ours. It lies among its dependencies. */
import { createRequire } from 'node:module'

type Headers = Record<string, { readonly type: 'string'; readonly value: string }>

interface Message {
  readonly headers: Headers
  readonly body: Uint8Array
}

interface Codec {
  encode(message: Message): Uint8Array
  /** Throws where a length or a CRC is wrong. */
  decode(bytes: Uint8Array): Message
}

const ofSdk = createRequire(createRequire(import.meta.url).resolve('@aws-sdk/client-bedrock-runtime'))
const { EventStreamCodec } = ofSdk('@smithy/core/event-streams') as {
  readonly EventStreamCodec: new (
    toUtf8: (bytes: Uint8Array) => string,
    fromUtf8: (text: string) => Uint8Array,
  ) => Codec
}

export const amazonCodec: Codec = new EventStreamCodec(
  (bytes) => Buffer.from(bytes).toString('utf8'),
  (text) => new Uint8Array(Buffer.from(text)),
)

/** A frame as Bedrock sends it. */
export function eventFrame(name: string, value: unknown, kind: 'event' | 'exception' = 'event'): Uint8Array {
  const text = (value: string): Headers[string] => ({ type: 'string', value })
  return amazonCodec.encode({
    headers: {
      [`:${kind}-type`]: text(name),
      ':content-type': text('application/json'),
      ':message-type': text(kind),
    },
    body: new Uint8Array(Buffer.from(JSON.stringify(value))),
  })
}

/** What InvokeModelWithResponseStream sends: an event of another wire, in base64. */
export function chunkFrame(inner: unknown): Uint8Array {
  return eventFrame('chunk', { bytes: Buffer.from(JSON.stringify(inner)).toString('base64'), p: 'abcd' })
}

/** The body of a ConverseStream: thinking, a text in pieces, a tool call in pieces, usage. */
export function converseFrames(
  pieces: readonly string[] = ['Oslo ', 'is ', '89 euros 🛫'],
  { toolUseId = 'tooluse_1', p = 'abc' } = {},
): readonly Uint8Array[] {
  const delta = (contentBlockIndex: number, value: unknown) =>
    eventFrame('contentBlockDelta', { contentBlockIndex, delta: value, p })
  return [
    eventFrame('messageStart', { role: 'assistant', p: 'ab' }),
    delta(0, { reasoningContent: { text: 'Look it ' } }),
    delta(0, { reasoningContent: { text: 'up.' } }),
    delta(0, { reasoningContent: { signature: 'c2lnbmVk' } }),
    eventFrame('contentBlockStop', { contentBlockIndex: 0 }),
    ...pieces.map((text) => delta(1, { text })),
    eventFrame('contentBlockStop', { contentBlockIndex: 1 }),
    eventFrame('contentBlockStart', {
      contentBlockIndex: 2,
      start: { toolUse: { toolUseId, name: 'book' } },
    }),
    delta(2, { toolUse: { input: '{"city":' } }),
    delta(2, { toolUse: { input: '"Oslo"}' } }),
    eventFrame('contentBlockStop', { contentBlockIndex: 2 }),
    eventFrame('messageStop', { stopReason: 'tool_use' }),
    eventFrame('metadata', {
      usage: { inputTokens: 10, outputTokens: 5, totalTokens: 18, cacheReadInputTokens: 3, cacheWriteInputTokens: 0 },
      metrics: { latencyMs: 12 },
    }),
  ]
}
