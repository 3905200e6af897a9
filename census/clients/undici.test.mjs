import { Client, request, fetch as undiciFetch } from 'undici'
import { cell } from '../harness/cell.mjs'
import { bodyOf, chunksOf, contentOf, fetchCell, jsonHeaders, pathOfChat } from '../harness/chat-over-http.mjs'

cell('undici, fetch', { ...fetchCell('undici', undiciFetch), road: 'undici' })

cell('undici, request', {
  package: 'undici',
  road: 'undici',
  rawChunks: true,
  build: (url) => url + pathOfChat,
  async ask({ client, text }) {
    return answered(await request(client, { method: 'POST', headers: jsonHeaders, body: bodyOf(text, false) }))
  },
  async *stream({ client, text, signal }) {
    const options = { method: 'POST', headers: jsonHeaders, body: bodyOf(text, true), signal }
    yield* chunksOf((await request(client, options)).body)
  },
})

cell('undici, Client', {
  package: 'undici',
  road: 'undici',
  rawChunks: true,
  build(url) {
    const { origin, pathname } = new URL(url)
    return { client: new Client(origin), path: pathname + pathOfChat }
  },
  async ask({ client: { client, path }, text }) {
    return answered(await client.request({ path, method: 'POST', headers: jsonHeaders, body: bodyOf(text, false) }))
  },
  async *stream({ client: { client, path }, text, signal }) {
    const options = { path, method: 'POST', headers: jsonHeaders, body: bodyOf(text, true), signal }
    yield* chunksOf((await client.request(options)).body)
  },
})

async function answered({ statusCode, body }) {
  const answer = await body.json()
  if (statusCode !== 200) throw new Error(`${statusCode}: ${answer.error.message}`)
  return contentOf(answer)
}
