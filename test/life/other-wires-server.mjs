// @ts-check
/**
 * A loopback provider of what is no chat of the four wires: Ollama, Cohere, an OpenRouter stream that fails, sound,
 * pictures, embeddings, a batch and a response in the background. Run as a process of its own, see `model-server.mjs`.
 * `GET /log` gives what was asked so far, `POST /reset` forgets it.
 */
import { createServer } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'

/** @type {{ path: string, body: string }[]} */
let log = []

/** @type {(value: unknown) => string} */
const line = (value) => `${JSON.stringify(value)}\n`
/** @type {(value: unknown) => string} */
const sse = (value) => `data: ${JSON.stringify(value)}\n\n`

/** @type {(content: string, rest?: object) => string} */
const ollama = (content, rest) =>
  line({
    model: 'qwen3',
    created_at: new Date().toISOString(),
    message: { role: 'assistant', content },
    done: false,
    ...rest,
  })
/** @type {(type: string, message: object, rest?: object) => string} */
const cohere = (type, message, rest) => `event: ${type}\n${sse({ type, ...rest, delta: { message } })}`
/** @type {(delta: object, rest?: object) => string} */
const router = (delta, rest) => sse({ id: 'gen-1', provider: 'P', model: 'm', choices: [{ index: 0, delta }], ...rest })

// No UTF-8, and no end of it either.
const sound = Buffer.from(Array.from({ length: 3000 }, (_, index) => (index * 131 + 128) % 256))

/** @type {(status: string) => object} */
const background = (status) => ({
  ...{ id: 'resp_1', object: 'response', model: 'gpt-5', status, background: true },
  output:
    status === 'completed'
      ? [
          {
            type: 'message',
            id: 'm1',
            role: 'assistant',
            content: [{ type: 'output_text', text: 'Thought.', annotations: [] }],
          },
        ]
      : [],
  ...(status === 'completed' && { usage: { input_tokens: 5, output_tokens: 3, total_tokens: 8 } }),
})

/** @type {(status: string) => object} */
const batch = (status) => ({ id: 'batch_1', object: 'batch', status, output_file_id: 'file-2' })

/**
 * What each path answers: its content type and its pieces; of a list of answers the next one each time.
 * @type {Readonly<Record<string, { type: string, pieces?: readonly (string | Buffer)[], values?: readonly object[] }>>}
 */
const answers = {
  '/api/chat': {
    type: 'application/x-ndjson',
    pieces: [
      ollama('Grün').slice(0, 40),
      ollama('Grün').slice(40) + ollama(' is'),
      ollama(' it', { done: false }),
      ollama('', { done: true, done_reason: 'stop', prompt_eval_count: 9, eval_count: 4 }),
    ],
  },
  '/api/embed': {
    type: 'application/json',
    values: [{ model: 'mini', embeddings: [[0.25, -0.5]], prompt_eval_count: 2 }],
  },
  '/v2/chat': {
    type: 'text/event-stream',
    pieces: [
      `event: message-start\n${sse({ type: 'message-start', id: 'c1', delta: { message: { role: 'assistant' } } })}`,
      cohere('content-start', { content: { type: 'text', text: '' } }, { index: 0 }),
      cohere('content-delta', { content: { text: 'Ahoy' } }, { index: 0 }),
      `event: message-end\n${sse({ type: 'message-end', delta: { finish_reason: 'COMPLETE', usage: { tokens: { input_tokens: 6, output_tokens: 2 } } } })}`,
      'data: [DONE]\n\n',
    ],
  },
  '/api/v1/chat/completions': {
    type: 'text/event-stream',
    pieces: [
      ': OPENROUTER PROCESSING\n\n: OPENROUTER PROCESSING\n\n',
      router({ reasoning: 'Hm', reasoning_details: [{ type: 'reasoning.text', text: 'Hm', index: 0 }] }),
      router({ content: 'Ha' }),
      router({ content: '' }, { error: { code: 502, message: 'Provider disconnected' } }),
    ],
  },
  '/v1/embeddings': {
    type: 'application/json',
    values: [
      {
        object: 'list',
        model: 'embed',
        data: [{ index: 0, embedding: 'AAAAPw==' }],
        usage: { prompt_tokens: 4, total_tokens: 4 },
      },
    ],
  },
  '/v1/audio/speech': { type: 'audio/mpeg', pieces: [sound.subarray(0, 1111), sound.subarray(1111)] },
  '/v1/audio/transcriptions': {
    type: 'application/json',
    values: [{ text: 'Hello', usage: { type: 'tokens', input_tokens: 11, output_tokens: 1, total_tokens: 12 } }],
  },
  '/v1/images/generations': {
    type: 'application/json',
    values: [
      {
        data: [{ b64_json: sound.toString('base64') }],
        usage: { input_tokens: 3, output_tokens: 40, total_tokens: 43 },
      },
    ],
  },
  '/v1/responses': { type: 'application/json', values: [background('queued')] },
  '/v1/responses/resp_1': {
    type: 'application/json',
    values: [background('queued'), background('queued'), background('completed')],
  },
  '/v1/files': { type: 'application/json', values: [{ id: 'file-1', object: 'file' }] },
  '/v1/batches': { type: 'application/json', values: [batch('validating')] },
  '/v1/batches/batch_1': {
    type: 'application/json',
    values: [batch('in_progress'), batch('in_progress'), batch('completed')],
  },
  '/v1/files/file-2/content': {
    type: 'application/octet-stream',
    pieces: [
      line({ custom_id: 'a', response: { status_code: 200 } }),
      line({ custom_id: 'b', response: { status_code: 200 } }),
    ],
  },
}

const server = createServer(async (request, response) => {
  const received = []
  for await (const piece of request) received.push(piece)
  const { pathname } = new URL(request.url ?? '/', 'http://localhost')
  if (pathname === '/log') return void response.end(JSON.stringify(log))
  if (pathname === '/reset') {
    log = []
    return void response.end()
  }
  const times = log.filter(({ path }) => path === pathname).length
  log.push({ path: pathname, body: Buffer.concat(received).toString('latin1') })
  const answer = answers[pathname]
  if (answer === undefined) return void response.writeHead(404).end('{}')
  response.writeHead(200, { 'content-type': answer.type })
  const { values, pieces = [JSON.stringify(values?.[Math.min(times, values.length - 1)])] } = answer
  for (const piece of pieces) {
    response.write(piece)
    await delay(8)
  }
  // Ollama's client goes away at the last line; the connection stays open a while.
  if (pathname === '/api/chat') await delay(300)
  response.end()
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (typeof address === 'object') process.stdout.write(`${address?.port}\n`)
})
process.stdin.on('end', () => process.exit(0)).resume()
