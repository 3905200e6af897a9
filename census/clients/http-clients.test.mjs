import axios from 'axios'
import got from 'got'
import ky from 'ky'
import nodeFetch from 'node-fetch'
import { cell } from '../harness/cell.mjs'
import { bodyOf, chunksOf, contentOf, fetchCell, jsonHeaders, pathOfChat } from '../harness/chat-over-http.mjs'

for (const [adapter, road] of [
  ['http', 'node:http'],
  ['fetch', 'fetch'],
]) {
  cell(`axios, ${adapter} adapter`, {
    package: 'axios',
    road,
    rawChunks: true,
    build: (url) => ({ client: axios.create({ adapter, headers: jsonHeaders }), url: url + pathOfChat }),
    async ask({ client: { client, url }, text }) {
      return contentOf((await client.post(url, bodyOf(text, false))).data)
    },
    async *stream({ client: { client, url }, text, signal }) {
      yield* chunksOf((await client.post(url, bodyOf(text, true), { responseType: 'stream', signal })).data)
    },
  })
}

cell('got', {
  package: 'got',
  road: 'node:http',
  rawChunks: true,
  build: (url) => url + pathOfChat,
  async ask({ client, text }) {
    const options = { body: bodyOf(text, false), headers: jsonHeaders, retry: { limit: 0 } }
    return contentOf(await got.post(client, options).json())
  },
  async *stream({ client, text, signal }) {
    const options = { body: bodyOf(text, true), headers: jsonHeaders, retry: { limit: 0 }, signal }
    yield* chunksOf(got.stream.post(client, options))
  },
})

cell('ky', {
  ...fetchCell('ky', (url, options) => ky(url, { ...options, retry: 0, throwHttpErrors: false })),
  road: 'fetch',
})

cell('node-fetch', { ...fetchCell('node-fetch', nodeFetch), road: 'node:http' })
