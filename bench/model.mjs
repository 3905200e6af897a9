// The made-up model as a server in a process of its own: `node model.mjs <head in ms>`; ends with its standard input.
import http from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { answerTo, wordsFrom } from './answers.mjs'

const headMs = Number(process.argv[2] ?? 0)
const server = http.createServer(async (request, response) => {
  const parts = []
  for await (const part of request) parts.push(part)
  const body = JSON.parse(Buffer.concat(parts).toString())
  const [, kind, count] = body.model.split('-')
  const { type, chunks } = kind === 'bytes' ? kilobytes(Number(count)) : answerTo(body)
  await delay(headMs)
  response.writeHead(200, { 'content-type': type })
  for (const chunk of chunks) if (!response.write(chunk)) await new Promise((go) => response.once('drain', go))
  response.end()
})
server.listen(0, '127.0.0.1', () => {
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
  console.log(`http://127.0.0.1:${port}`)
})
process.stdin.resume().once('end', () => process.exit(0))

/** Events of 1 KB. @param {number} count */
function kilobytes(count) {
  const words = wordsFrom(3)
  const event = () => `data: ${JSON.stringify({ text: words(1004) })}\n\n`
  return { type: 'text/event-stream', chunks: Array.from({ length: count }, event) }
}
