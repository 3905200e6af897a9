// @ts-check
/**
 * A model that needs no network and no key of anyone: a server that speaks OpenAI's chat completions, streamed or not.
 * It answers from the conversation it is sent, by rules instead of weights; like a real one it makes up new ids and dates
 * for each answer. `node model.mjs [port]` prints its base URL; `GET /stats` says how many calls it has answered.
 * Run it in a process of its own: a port that the test process itself listens on is not recorded.
 */
import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'

/** @typedef {{ role: string, content?: string | null, tool_calls?: { function: { name: string } }[] }} Message */
/** @typedef {{ model: string, messages: Message[], stream?: boolean, stream_options?: { include_usage?: boolean } }} ChatRequest */
/** @typedef {{ content: string, tool?: { name: string, input: Record<string, string> } }} Answer */

const [port = '4010'] = process.argv.slice(2)
const gapMs = 15
let calls = 0

const server = createServer(async (request, response) => {
  if (request.url === '/stats') return sendJson(response, { status: 200, value: { calls } })
  if (request.method !== 'POST' || request.url !== '/v1/chat/completions') {
    return sendJson(response, { status: 404, value: fault('there is nothing here') })
  }
  calls++
  if (!request.headers.authorization) return sendJson(response, { status: 401, value: fault('no API key') })
  /** @type {ChatRequest} */
  const chat = JSON.parse(await readText(request))
  const answer = answerTo(chat.messages)
  return chat.stream === true ? sendStream(response, { chat, answer }) : sendWhole(response, { chat, answer })
})
server.listen(Number(port), '127.0.0.1', () => {
  const address = server.address()
  console.log(`http://127.0.0.1:${typeof address === 'object' ? address?.port : port}/v1`)
})

/** Searches, then books what the instructions prefer, then says so. @param {Message[]} messages @returns {Answer} */
function answerTo(messages) {
  const wish = String(messages.find(({ role }) => role === 'user')?.content)
  const [flights, booking] = messages
    .filter(({ role }) => role === 'tool')
    .map(({ content }) => JSON.parse(content ?? ''))
  if (flights === undefined) {
    const [, from = 'Berlin', to = 'Oslo', day = 'Friday'] = /from (\w+) to (\w+) on (\w+)/.exec(wish) ?? []
    return { content: '', tool: { name: 'search_flights', input: { from, to, day } } }
  }
  const fastest = messages.some(({ role, content }) => role === 'system' && /fastest/.test(content ?? ''))
  const key = fastest ? 'minutes' : 'price'
  const [best] = flights.sort((/** @type {any} */ a, /** @type {any} */ b) => a[key] - b[key])
  if (best === undefined) return { content: 'There is no such flight.' }
  if (booking === undefined) {
    const passenger = /for (\w+)$/.exec(wish)?.[1] ?? 'the traveller'
    const content = `${best.flight} is the ${fastest ? 'fastest' : 'cheapest'} of ${flights.length} flights. I will book it.`
    return { content, tool: { name: 'book_flight', input: { flight: best.flight, passenger } } }
  }
  const { flight, departs, price } = best
  return {
    content: `Booked: ${flight}, departing ${departs}, for ${price} EUR. Your reference is ${booking.reference}. ✈️`,
  }
}

/** @param {import('node:http').ServerResponse} response @param {{ chat: ChatRequest, answer: Answer }} exchange */
async function sendStream(response, { chat, answer }) {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'x-request-id': `req_${randomUUID()}` })
  const head = { ...newHead(chat), object: 'chat.completion.chunk' }
  const write = async (/** @type {object} */ members) => {
    response.write(`data: ${JSON.stringify({ ...head, ...members })}\n\n`)
    await delay(gapMs)
  }
  for (const delta of deltasOf(answer)) await write({ choices: [{ index: 0, delta, finish_reason: null }] })
  await write({ choices: [{ index: 0, delta: {}, finish_reason: finishReason(answer) }] })
  if (chat.stream_options?.include_usage) await write({ choices: [], usage: usageOf(chat, answer) })
  response.end('data: [DONE]\n\n')
}

/** Text comes word by word, the arguments of a tool call a few characters at a time. @param {Answer} answer */
function* deltasOf({ content, tool }) {
  yield { role: 'assistant', content: '' }
  for (const word of content.match(/\S+\s*/g) ?? []) yield { content: word }
  if (tool === undefined) return
  const opening = { id: newCallId(), type: 'function', function: { name: tool.name, arguments: '' } }
  yield { tool_calls: [{ index: 0, ...opening }] }
  for (const piece of JSON.stringify(tool.input).match(/.{1,9}/g) ?? []) {
    yield { tool_calls: [{ index: 0, function: { arguments: piece } }] }
  }
}

/** @param {import('node:http').ServerResponse} response @param {{ chat: ChatRequest, answer: Answer }} exchange */
function sendWhole(response, { chat, answer }) {
  const { content, tool } = answer
  const call = tool && {
    id: newCallId(),
    type: 'function',
    function: { name: tool.name, arguments: JSON.stringify(tool.input) },
  }
  const message = { role: 'assistant', content, ...(call && { tool_calls: [call] }) }
  const choices = [{ index: 0, message, finish_reason: finishReason(answer) }]
  sendJson(response, {
    status: 200,
    value: { ...newHead(chat), object: 'chat.completion', choices, usage: usageOf(chat, answer) },
  })
}

/** @param {ChatRequest} chat */
function newHead({ model }) {
  return { id: `chatcmpl-${randomUUID()}`, created: Math.floor(Date.now() / 1000), model }
}

function newCallId() {
  return `call_${randomUUID().replaceAll('-', '').slice(0, 24)}`
}

/** @param {Answer} answer */
function finishReason({ tool }) {
  return tool === undefined ? 'stop' : 'tool_calls'
}

/** About four characters a token. @param {ChatRequest} chat @param {Answer} answer */
function usageOf({ messages }, answer) {
  const [prompt = 0, completion = 0] = [messages, answer].map((part) => Math.ceil(JSON.stringify(part).length / 4))
  return { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion }
}

/** @param {string} message */
function fault(message) {
  return { error: { message, type: 'invalid_request_error', param: null, code: null } }
}

/** @param {import('node:http').ServerResponse} response @param {{ status: number, value: object }} answer */
function sendJson(response, { status, value }) {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(value))
}

/** @param {import('node:http').IncomingMessage} request */
async function readText(request) {
  let text = ''
  for await (const piece of request.setEncoding('utf8')) text += piece
  return text
}
