import http from 'node:http'
import type { Readable } from 'node:stream'
import axios from 'axios'
import got from 'got'
import nodeFetch from 'node-fetch'
import OpenAI from 'openai'
import { test } from 'turntape/vitest'
import { errorOf, keep, planned } from './scenario.ts'

const keepAlive = new http.Agent({ keepAlive: true, maxSockets: 1 })
const gotAtImport = got.extend({ agent: { http: keepAlive }, retry: { limit: 0 } })

const plain = (name: string): any => ({ ...planned(name).body, stream: false })
const chat = (name: string): string => `${planned(name).url}/chat/completions`

/** The text as it came, and how it ended. */
async function read(stream: Readable): Promise<object> {
  const pieces: string[] = []
  try {
    for await (const piece of stream) pieces.push(String(piece))
    return { text: pieces.join('') }
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException
    return { text: pieces.join(''), message, code }
  }
}

test('axios, streamed, encoded', async ({ tape }) => {
  const answer = await axios.post(chat('axios-stream'), planned('axios-stream').body, { responseType: 'stream' })
  keep('axios-stream', { status: answer.status, ...(await read(answer.data)), turns: tape.turns.length })
})

test('axios, plain, and an error of the provider', async () => {
  const { status, data, headers } = await axios.post(chat('axios-plain'), plain('axios-plain'))
  const missing = await axios.post(chat('missing'), plain('missing'), { validateStatus: () => true })
  keep('axios-plain', { status, data, type: headers['content-type'], missing: [missing.status, missing.data] })
})

test('axios, a body that is cut, and nobody there', async () => {
  const answer = await axios.post(chat('axios-cut'), planned('axios-cut').body, { responseType: 'stream' })
  const nowhere = await errorOf(() => axios.post(chat('nowhere'), plain('nowhere')))
  keep('axios-cut', { cut: await read(answer.data), nowhere })
})

test('got, streamed and plain, over one kept connection', async () => {
  const stream = gotAtImport.stream.post(chat('got-stream'), { json: planned('got-stream').body })
  const streamed = await read(stream)
  const bodies = await Promise.all(
    [1, 2].map((n) => gotAtImport.post(chat('got-plain'), { json: { ...plain('got-plain'), n } }).json()),
  )
  keep('got', { streamed, bodies })
})

test('the OpenAI SDK over node-fetch', async ({ tape }) => {
  const client = new OpenAI({ baseURL: planned('sdk').url, fetch: nodeFetch as never })
  const texts: string[] = []
  for await (const part of (await client.chat.completions.create(planned('sdk').body)) as any) {
    texts.push(part.choices[0]?.delta?.content ?? '')
  }
  keep('sdk', { text: texts.join(''), turns: tape.turns.length })
})
