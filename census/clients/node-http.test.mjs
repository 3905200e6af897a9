import http, { request as namedRequest } from 'node:http'
import https from 'node:https'
import { cell } from '../harness/cell.mjs'
import { bodyOf, chunksOf, contentOf, jsonHeaders, pathOfChat } from '../harness/chat-over-http.mjs'

const nodeClient = (request) => ({
  rawChunks: true,
  build: (url) => url + pathOfChat,
  async ask({ client, text }) {
    const response = await responseOf(request, { url: client, body: bodyOf(text, false) })
    const chunks = []
    for await (const chunk of response) chunks.push(chunk)
    const answer = JSON.parse(Buffer.concat(chunks).toString())
    if (response.statusCode !== 200) throw new Error(`${response.statusCode}: ${answer.error.message}`)
    return contentOf(answer)
  },
  async *stream({ client, text, signal }) {
    yield* chunksOf(await responseOf(request, { url: client, body: bodyOf(text, true), signal }))
  },
})

function responseOf(request, { url, body, signal }) {
  return new Promise((resolve, reject) => {
    const call = request(url, { method: 'POST', headers: jsonHeaders, signal, rejectUnauthorized: false }, resolve)
    call.on('error', reject)
    call.end(body)
  })
}

cell('node:http', { ...nodeClient((...call) => http.request(...call)), road: 'node:http' })
cell('node:http, named import', { ...nodeClient(namedRequest), road: 'node:http' })
cell('node:https', { ...nodeClient((...call) => https.request(...call)), road: 'node:https', server: 'tls' })
