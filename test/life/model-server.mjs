// @ts-check
/**
 * A loopback model that speaks OpenAI chat, plain and streamed, run as a process of its own: what listens in the test's
 * process is its own server and would not be captured. What it answers depends on the request alone, but for its ids.
 *
 * A path may start with switches, `/with/status=500,gap=5/v1/chat/completions`:
 * `status=N` answers so; `fail=N` answers 500 to the first N equal requests; `wait=N` ms before the head; `gap=N` ms between
 * chunks; `cut=N` destroys the connection after N chunks; `hold=N` goes silent after N chunks; `size=N` bytes of text;
 * `words=N` words of text; `choices=N` answers.
 * `GET /log` gives what was asked so far, `POST /reset` forgets it.
 */
import { createServer } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'

/** @type {{ path: string, body: any }[]} */
let log = []
let ids = 0

const server = createServer(async (request, response) => {
  const pieces = []
  for await (const piece of request) pieces.push(piece)
  const text = Buffer.concat(pieces).toString('utf8')
  const path = request.url ?? '/'
  if (path === '/log') return void response.end(JSON.stringify(log))
  if (path === '/reset') {
    log = []
    return void response.end()
  }
  log.push({ path, body: text.startsWith('{') ? JSON.parse(text) : text })
  await answer({ path, text, response })
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (typeof address === 'object') process.stdout.write(`${address?.port}\n`)
})
process.stdin.on('end', () => process.exit(0)).resume()

/** @param {{ path: string, text: string, response: import('node:http').ServerResponse }} asked */
async function answer({ path, text, response }) {
  const switches = new Map(
    (/^\/with\/([^/]*)/.exec(path)?.[1] ?? '').split(',').map((one) => {
      const [name = '', value] = one.split('=')
      return [name, Number(value)]
    }),
  )
  const earlier = log.filter((other) => JSON.stringify(other.body) === text || other.body === text).length
  if (switches.has('wait')) await delay(switches.get('wait'))
  const status = switches.get('status') ?? (earlier <= (switches.get('fail') ?? 0) ? 500 : 200)
  if (status !== 200) {
    response.writeHead(status, { 'content-type': 'application/json', 'retry-after': '7' })
    return response.end(JSON.stringify({ error: { message: `status ${status}` } }))
  }
  if (!path.endsWith('/chat/completions')) {
    response.writeHead(200, { 'content-type': 'text/plain' })
    return response.end(`you asked for ${path}`)
  }
  const request = JSON.parse(text)
  const message = reply(request, switches)
  const id = `chatcmpl-${Date.now()}-${ids++}`
  if (request.stream !== true) {
    response.writeHead(200, { 'content-type': 'application/json' })
    const finish = message.tool_calls === undefined ? 'stop' : 'tool_calls'
    const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 }
    const choices = Array.from({ length: switches.get('choices') ?? 1 }, (_, index) => ({
      index,
      message,
      finish_reason: finish,
    }))
    return response.end(JSON.stringify({ id, object: 'chat.completion', model: request.model, choices, usage }))
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const words = String(message.content).split(/(?<= )/)
  const deltas = words.map((/** @type {string} */ content) => ({ choices: [{ index: 0, delta: { content } }] }))
  const events = [...deltas, { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }].map((event) =>
    JSON.stringify({ id, object: 'chat.completion.chunk', model: request.model, ...event }),
  )
  let sent = 0
  for (const event of [...events, '[DONE]']) {
    if (sent === switches.get('hold')) return
    if (sent === switches.get('cut')) return response.destroy()
    if (sent > 0) await delay(switches.get('gap') ?? 1)
    response.write(`data: ${event}\n\n`)
    sent += 1
  }
  response.end()
}

/**
 * With tools: a call of the first tool that has no result yet, else a text.
 * @param {any} request
 * @param {Map<string, number>} switches
 */
function reply(request, switches) {
  const results = request.messages.filter((/** @type {any} */ message) => message.role === 'tool')
  const tool = request.tools?.[results.length]
  if (tool !== undefined) {
    const call = { name: tool.function.name, arguments: JSON.stringify({ step: results.length + 1 }) }
    const id = `call_${results.length + 1}`
    return { role: 'assistant', content: null, tool_calls: [{ id, type: 'function', function: call }] }
  }
  const asked = request.messages.filter((/** @type {any} */ message) => message.role === 'user').at(-1)?.content
  const size = switches.get('size')
  if (size !== undefined) return { role: 'assistant', content: 'a'.repeat(size) }
  const words = switches.get('words')
  if (words !== undefined) return { role: 'assistant', content: 'word '.repeat(words).trimEnd() }
  return { role: 'assistant', content: `answer to: ${asked}` }
}
