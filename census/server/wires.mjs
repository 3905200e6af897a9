/**
 * What the model servers of the census answer, by path: one JSON answer, one streamed, in the wire of each provider. Texts hold
 * characters of two and four bytes, so that a cut can fall inside one.
 */
import { crc32 } from 'node:zlib'

/** The pieces of the streamed answer. */
export const words = ['Grüße', ' aus', ' Zürich', ' 🎉', ' und', ' zurück']
export const answerText = 'Guten Tag, Zürich 🎉'
const usage = { prompt_tokens: 5, completion_tokens: 7, total_tokens: 12 }

const event = (data, name) => `${name === undefined ? '' : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`

const chat = {
  json: {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1_700_000_000,
    model: 'census-model',
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: answerText, refusal: null },
        logprobs: null,
        finish_reason: 'stop',
      },
    ],
    usage,
  },
  stream: () => {
    const chunk = (delta, reason = null) =>
      event({
        id: 'chatcmpl-1',
        object: 'chat.completion.chunk',
        created: 1_700_000_000,
        model: 'census-model',
        choices: [{ index: 0, delta, finish_reason: reason }],
      })
    const texts = words.map((content, index) => chunk(index === 0 ? { role: 'assistant', content } : { content }))
    return [...texts, chunk({}, 'stop'), 'data: [DONE]\n\n']
  },
  error: { error: { message: 'the census refuses this', type: 'invalid_request_error', param: null, code: 'refused' } },
}

const message = (text, status) => ({
  type: 'message',
  id: 'msg_1',
  status,
  role: 'assistant',
  content: text === undefined ? [] : [{ type: 'output_text', text, annotations: [] }],
})
const response = (output, status = 'completed') => ({
  id: 'resp_1',
  object: 'response',
  created_at: 1_700_000_000,
  status,
  model: 'census-model',
  output,
  parallel_tool_calls: true,
  tool_choice: 'auto',
  tools: [],
  temperature: 1,
  top_p: 1,
  error: null,
  incomplete_details: null,
  instructions: null,
  metadata: {},
  usage: {
    input_tokens: 5,
    output_tokens: 7,
    total_tokens: 12,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens_details: { reasoning_tokens: 0 },
  },
})
const responses = {
  json: response([message(answerText, 'completed')]),
  stream: () => {
    let number = 0
    const named = (type, rest) => event({ type, sequence_number: number++, ...rest }, type)
    const place = { item_id: 'msg_1', output_index: 0, content_index: 0 }
    const text = words.join('')
    return [
      named('response.created', { response: response([], 'in_progress') }),
      named('response.output_item.added', { output_index: 0, item: message(undefined, 'in_progress') }),
      named('response.content_part.added', { ...place, part: { type: 'output_text', text: '', annotations: [] } }),
      ...words.map((delta) => named('response.output_text.delta', { ...place, delta })),
      named('response.output_text.done', { ...place, text }),
      named('response.content_part.done', { ...place, part: { type: 'output_text', text, annotations: [] } }),
      named('response.output_item.done', { output_index: 0, item: message(text, 'completed') }),
      named('response.completed', { response: response([message(text, 'completed')]) }),
    ]
  },
  error: chat.error,
}

const anthropicMessage = (content, reason) => ({
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'census-model',
  content,
  stop_reason: reason,
  stop_sequence: null,
  usage: { input_tokens: 5, output_tokens: 7 },
})
const anthropic = {
  json: anthropicMessage([{ type: 'text', text: answerText }], 'end_turn'),
  stream: () => {
    const named = (type, rest) => event({ type, ...rest }, type)
    return [
      named('message_start', { message: anthropicMessage([], null) }),
      named('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
      ...words.map((text) => named('content_block_delta', { index: 0, delta: { type: 'text_delta', text } })),
      named('content_block_stop', { index: 0 }),
      named('message_delta', { delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: { output_tokens: 7 } }),
      named('message_stop', {}),
    ]
  },
  error: { type: 'error', error: { type: 'invalid_request_error', message: 'the census refuses this' } },
}

const candidate = (text, finishReason) => ({
  candidates: [{ content: { role: 'model', parts: [{ text }] }, index: 0, ...(finishReason && { finishReason }) }],
  usageMetadata: { promptTokenCount: 5, candidatesTokenCount: 7, totalTokenCount: 12 },
  modelVersion: 'census-model',
  responseId: 'response-1',
})
const gemini = {
  json: candidate(answerText, 'STOP'),
  stream: () =>
    words.map(
      (text, index) => `data: ${JSON.stringify(candidate(text, index === words.length - 1 && 'STOP'))}\r\n\r\n`,
    ),
  error: { error: { code: 400, message: 'the census refuses this', status: 'INVALID_ARGUMENT' } },
}

const cohere = {
  json: {
    id: 'chat-1',
    finish_reason: 'COMPLETE',
    message: { role: 'assistant', content: [{ type: 'text', text: answerText }] },
    usage: { tokens: { input_tokens: 5, output_tokens: 7 } },
  },
  stream: () => {
    const named = (type, rest) => event({ type, ...rest }, type)
    const content = (text) => ({ index: 0, delta: { message: { content: { text } } } })
    return [
      named('message-start', { id: 'chat-1', delta: { message: { role: 'assistant', content: [] } } }),
      named('content-start', { index: 0, delta: { message: { content: { type: 'text', text: '' } } } }),
      ...words.map((text) => named('content-delta', content(text))),
      named('content-end', { index: 0 }),
      named('message-end', { delta: { finish_reason: 'COMPLETE', usage: cohere.json.usage } }),
    ]
  },
  error: { id: 'error-1', message: 'the census refuses this' },
}

const ollamaAnswer = (content, done) => ({
  model: 'census-model',
  created_at: '2026-01-01T00:00:00.000Z',
  message: { role: 'assistant', content },
  done,
  ...(done && { done_reason: 'stop', prompt_eval_count: 5, eval_count: 7, total_duration: 1 }),
})
const ollama = {
  contentType: 'application/x-ndjson',
  json: ollamaAnswer(answerText, true),
  stream: () =>
    [...words.map((word) => ollamaAnswer(word, false)), ollamaAnswer('', true)].map(
      (line) => `${JSON.stringify(line)}\n`,
    ),
  error: { error: 'the census refuses this' },
}

/** One message of the AWS event stream: prelude, headers, payload, each half with its CRC. */
function frame(type, payload) {
  const headers = Buffer.concat(
    Object.entries({ ':event-type': type, ':content-type': 'application/json', ':message-type': 'event' }).map(
      ([name, value]) => {
        const length = Buffer.alloc(2)
        length.writeUInt16BE(value.length)
        return Buffer.concat([
          Buffer.from([name.length]),
          Buffer.from(name),
          Buffer.from([7]),
          length,
          Buffer.from(value),
        ])
      },
    ),
  )
  const body = Buffer.from(JSON.stringify(payload))
  const whole = Buffer.alloc(16 + headers.length + body.length)
  whole.writeUInt32BE(whole.length, 0)
  whole.writeUInt32BE(headers.length, 4)
  whole.writeUInt32BE(crc32(whole.subarray(0, 8)), 8)
  headers.copy(whole, 12)
  body.copy(whole, 12 + headers.length)
  whole.writeUInt32BE(crc32(whole.subarray(0, whole.length - 4)), whole.length - 4)
  return whole
}
const bedrockUsage = { usage: { inputTokens: 5, outputTokens: 7, totalTokens: 12 }, metrics: { latencyMs: 1 } }
const bedrock = {
  contentType: 'application/vnd.amazon.eventstream',
  json: {
    output: { message: { role: 'assistant', content: [{ text: answerText }] } },
    stopReason: 'end_turn',
    ...bedrockUsage,
  },
  stream: () => [
    frame('messageStart', { role: 'assistant' }),
    ...words.map((text) => frame('contentBlockDelta', { delta: { text }, contentBlockIndex: 0 })),
    frame('contentBlockStop', { contentBlockIndex: 0 }),
    frame('messageStop', { stopReason: 'end_turn' }),
    frame('metadata', bedrockUsage),
  ],
  error: { message: 'the census refuses this' },
  errorHeaders: { 'x-amzn-errortype': 'ValidationException' },
}

/** The wire that a path speaks; `streams`: whether the path alone asks for a stream, undefined where the body says it. */
export function wireOf(path) {
  if (/\/chat\/completions$/.test(path)) return { wire: chat }
  if (/\/responses$/.test(path)) return { wire: responses }
  if (/\/messages$/.test(path)) return { wire: anthropic }
  if (/:(streamGenerate|generate)Content$/.test(path)) return { wire: gemini, streams: path.includes(':stream') }
  if (/\/v2\/chat$/.test(path)) return { wire: cohere }
  if (/\/api\/chat$/.test(path)) return { wire: ollama }
  if (/\/(converse|converse-stream)$/.test(path)) return { wire: bedrock, streams: path.endsWith('-stream') }
  return undefined
}
