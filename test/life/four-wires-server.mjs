// @ts-check
/**
 * A loopback model that speaks the wires of four providers, plain and streamed, with new ids, new dates and other pauses
 * each time; what it says depends on the request alone. Run as a process of its own, see `model-server.mjs`.
 *
 * The model's name says how many tools each turn calls: `plan-1-2` is two turns with calls and then an answer.
 * `POST /say?word=warm` changes a word of that answer. `GET /log` gives what was asked so far, `POST /reset` forgets it.
 */
import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { streamedAnswer, wholeAnswer } from './wire-answers.mjs'

/** @type {{ path: string, body: any }[]} */
let log = []
let word = 'calm'

const server = createServer(async (request, response) => {
  const pieces = []
  for await (const piece of request) pieces.push(piece)
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
  if (pathname === '/log') return void response.end(JSON.stringify(log))
  if (pathname === '/reset') log = []
  if (pathname === '/say') word = searchParams.get('word') ?? word
  if (pathname === '/reset' || pathname === '/say') return void response.end()
  const body = JSON.parse(Buffer.concat(pieces).toString('utf8'))
  log.push({ path: pathname, body })
  const { wire, model, turn, streamed } = read(pathname, body)
  const plan = model.split('-').slice(1).map(Number)
  const calls = Array.from({ length: plan[turn] ?? 0 }, (_, index) => ({
    name: 'look',
    input: { place: `room ${turn + 1}.${index + 1}` },
  }))
  const text =
    calls.length === 0 ? `All rooms were seen, and all of them are ${word} today.` : `Now for step ${turn + 1}.`
  const newId = (/** @type {string} */ prefix) => prefix + randomUUID().replaceAll('-', '')
  const answer = { model, text, calls, newId, createdAt: Math.floor(Date.now() / 1000) }
  if (!streamed) {
    response.writeHead(200, { 'content-type': 'application/json', 'request-id': newId('req_') })
    return void response.end(JSON.stringify(wholeAnswer(wire, answer)))
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const event of streamedAnswer(wire, answer)) {
    response.write(event)
    await delay(Math.random() * 6)
  }
  response.end()
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (typeof address === 'object') process.stdout.write(`${address?.port}\n`)
})
process.stdin.on('end', () => process.exit(0)).resume()

/**
 * Whose wire it is, and how many turns the conversation has behind it.
 * @param {string} path
 * @param {any} body
 * @returns {{ wire: import('./wire-answers.mjs').WireName, model: string, turn: number, streamed: boolean }}
 */
function read(path, { model, messages = [], input = [], contents = [], stream = false }) {
  const said = (/** @type {any[]} */ list, /** @type {string} */ role) => list.filter((one) => one.role === role).length
  if (path.endsWith('/chat/completions'))
    return { wire: 'chat', model, turn: said(messages, 'assistant'), streamed: stream }
  if (path.endsWith('/messages'))
    return { wire: 'anthropic', model, turn: said(messages, 'assistant'), streamed: stream }
  if (path.endsWith('/responses')) {
    return { wire: 'responses', model, turn: said(input, 'assistant'), streamed: stream }
  }
  const [, named = '', method] = /models\/([^:]+):(\w+)$/.exec(path) ?? []
  return { wire: 'gemini', model: named, turn: said(contents, 'model'), streamed: method === 'streamGenerateContent' }
}
