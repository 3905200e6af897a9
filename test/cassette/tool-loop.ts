import { wordsFrom } from '../../scripts/made-up-words.mjs'
import type { Cassette, HttpInteraction, Json, ResponseBody } from '../../src/core/cassette/document.ts'
import { encodeBody } from '../../src/core/cassette/encode-body.ts'
import { hashRequest } from '../../src/core/hashing/request-hash.ts'
import { cassetteOf } from './sample-cassette.ts'

export interface ToolLoop {
  readonly cassette: Cassette
  /** Bytes of everything that is said for the first time: tools, system text, each message once, each response. */
  readonly distinctBytes: number
  /** Bytes of all requests as they were sent. */
  readonly sentBytes: number
}

export interface LoopOptions {
  readonly turns: number
  /** What each turn adds to the request: the call, and its result. */
  readonly callCharacters: number
  readonly resultCharacters: number
  readonly answers: 'json' | 'stream'
  /** Replaces the result of this turn, 1-based. */
  readonly changed?: { readonly turn: number; readonly result: string }
}

/** An agent that calls a tool in every turn, and sends the whole conversation each time. */
export function toolLoop({ turns, callCharacters, resultCharacters, answers, changed }: LoopOptions): ToolLoop {
  const words = wordsFrom(42)
  const tools = Array.from({ length: 4 }, (_, index) => ({ name: `tool_${index}`, description: words(300) }))
  const messages: Json[] = [
    { role: 'system', content: words(1200) },
    { role: 'user', content: words(200) },
  ]
  const head = { model: 'gpt-5', tools }
  let distinctBytes = sizeOf({ ...head, messages })
  let sentBytes = 0
  const interactions: HttpInteraction[] = []
  for (let turn = 1; turn <= turns; turn += 1) {
    const json = JSON.parse(JSON.stringify({ ...head, messages })) as Json
    const call = { id: `call_${turn}`, name: 'tool_1', arguments: words(callCharacters) }
    const text = answers === 'json' ? jsonAnswer(call) : streamAnswer(call)
    const body = bodyOf(text, answers)
    interactions.push(exchange({ number: turn, json, body, answers }))
    const said = words(resultCharacters)
    const result = turn === changed?.turn ? changed.result : said
    const added: readonly Json[] = [
      { role: 'assistant', calls: [call] },
      { role: 'tool', id: call.id, content: result },
    ]
    messages.push(...added)
    distinctBytes += sizeOf(added) + Buffer.byteLength(text)
    sentBytes += sizeOf(json)
  }
  return { cassette: cassetteOf(...interactions), distinctBytes, sentBytes }
}

type Call = { readonly id: string; readonly name: string; readonly arguments: string }

function jsonAnswer(call: Call): string {
  return JSON.stringify({ id: `chatcmpl-${call.id}`, created: 1764500000, choices: [{ message: { calls: [call] } }] })
}

function streamAnswer(call: Call): string {
  const pieces = call.arguments.match(/.{1,6}/g) ?? []
  const events = pieces.map((delta) => ({
    id: `chatcmpl-${call.id}`,
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta }],
  }))
  return [...events.map((event) => `data: ${JSON.stringify(event)}\n\n`), 'data: [DONE]\n\n'].join('')
}

function bodyOf(text: string, answers: LoopOptions['answers']): ResponseBody {
  const contentType = answers === 'json' ? 'application/json' : 'text/event-stream'
  const chunks = [{ bytes: Uint8Array.from(Buffer.from(text)), gapMs: 0 }]
  return encodeBody({ chunks, end: { kind: 'complete' } }, { contentType }).stored as ResponseBody
}

function exchange(of: {
  readonly number: number
  readonly json: Json
  readonly body: ResponseBody
  readonly answers: LoopOptions['answers']
}): HttpInteraction {
  const request = {
    method: 'POST',
    url: 'https://api.openai.com/v1/chat/completions',
    headers: { 'content-type': 'application/json' },
    body: { json: of.json },
  }
  const type = of.answers === 'json' ? 'application/json' : 'text/event-stream'
  return {
    number: of.number,
    kind: 'model',
    hash: hashRequest(request),
    request,
    response: { status: 200, headers: [['content-type', type]], body: of.body },
    timing: { startMs: of.number * 1000, headMs: 400 },
  }
}

function sizeOf(value: Json): number {
  return Buffer.byteLength(JSON.stringify(value))
}
