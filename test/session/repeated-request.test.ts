/** A request that the recording has to the letter is known by its text; whatever else is looked at stays looked at (F13, F14). */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import type { HttpInteraction, Json } from '../../src/core/cassette/document.ts'
import { writeCassette } from '../../src/core/cassette/write-cassette.ts'
import { hashRequest } from '../../src/core/hashing/request-hash.ts'
import { createRedactor } from '../../src/redaction/redactor.ts'
import { repeatedRequest, respelledRequest } from '../../src/session/calls/repeated-request.ts'
import type { TapeSession } from '../../src/session/tape-session.ts'
import { cassetteOf } from '../cassette/sample-cassette.ts'
import { answerTo, answerToText, replaySession } from '../formats/replay-session.ts'

const root = mkdtempSync(join(tmpdir(), 'turntape-repeated-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const url = 'https://api.openai.com/v1/chat/completions'
const asked: Json = {
  model: 'm',
  stream: false,
  messages: [{ role: 'user', content: 'Größe 1.0 \u2028 "x" 1e21', n: 1e21 }],
}

function interaction(json: Json, hash?: string): HttpInteraction {
  const request = { method: 'POST', url, headers: { 'content-type': 'application/json' }, body: { json } }
  return {
    ...{ number: 1, kind: 'model', hash: hash ?? hashRequest(request), request, timing: { startMs: 0, headMs: 1 } },
    response: { status: 200, headers: [['content-type', 'application/json']], body: { json: { said: 'yes' } } },
  }
}

function session(name: string, ...recorded: readonly HttpInteraction[]): TapeSession {
  mkdirSync(join(root, 'cassettes'), { recursive: true })
  writeFileSync(join(root, 'cassettes', `${name}.json`), writeCassette(cassetteOf(...recorded)))
  return replaySession({ root, path: `cassettes/${name}.json` })
}

interface Sent {
  readonly text: string
  readonly headers?: readonly (readonly [string, string])[]
  readonly method?: string
  readonly address?: string
}

const jsonType = ['content-type', 'application/json'] as const

function repeats(of: TapeSession, { text, headers = [jsonType], method = 'POST', address = url }: Sent): boolean {
  const captured = { method, url: address, headers, body: Buffer.from(text), road: 'fetch' } as const
  const call = { captured, kind: 'model', lane: undefined, entry: of.context.log.start(undefined) } as const
  return repeatedRequest(of.context, call) !== undefined
}

test('F13 only the next recorded request, byte for byte, with its method, URL and headers, is one that repeats it', () => {
  const of = session('same', interaction(asked))
  const text = JSON.stringify(asked)
  expect(repeats(of, { text })).toBe(true)
  expect(repeats(of, { text: text.replace('"m"', '"n"') })).toBe(false)
  expect(repeats(of, { text: JSON.stringify(asked, null, 1) })).toBe(false)
  expect(repeats(of, { text, method: 'PUT' })).toBe(false)
  expect(repeats(of, { text, address: `${url}?a=1` })).toBe(false)
  expect(repeats(of, { text, headers: [jsonType, ['anthropic-version', '1']] })).toBe(false)
  expect(repeats(of, { text, headers: [jsonType, ['content-encoding', 'gzip']] })).toBe(false)
  expect(repeats(of, { text, headers: [] })).toBe(false)
})

test('F13 a request in another spelling is served as one that repeats the recorded text is', async () => {
  const order = { messages: (asked as { messages: Json }).messages, stream: false, model: 'm' }
  for (const json of [asked, order]) {
    expect(await answerTo(session('order', interaction(asked)), url, json)).toBe('{"said":"yes"}')
  }
})

function respells(of: TapeSession, { text, headers = [jsonType] }: Sent): boolean {
  const captured = { method: 'POST', url, headers, body: Buffer.from(text), road: 'fetch' } as const
  const call = { captured, kind: 'model', lane: undefined, entry: of.context.log.start(undefined) } as const
  return respelledRequest(of.context, call) !== undefined
}

test('F13 the next recorded request in another layout, with its headers, is one that respells it', () => {
  const of = session('layout', interaction(asked))
  const text = JSON.stringify(asked, null, 2)
  expect(respells(of, { text })).toBe(true)
  expect(respells(of, { text: JSON.stringify(asked) })).toBe(false)
  expect(respells(of, { text: text.replace('"m"', '"n"') })).toBe(false)
  expect(respells(of, { text, headers: [jsonType, ['anthropic-version', '1']] })).toBe(false)
  expect(respells(of, { text, headers: [jsonType, ['content-encoding', 'gzip']] })).toBe(false)
  expect(respells(of, { text, headers: [] })).toBe(false)
})

test('F13 a request in another layout is served, and an edited one is named then too', async () => {
  const text = JSON.stringify(asked, null, 2)
  expect(await answerToText(session('laid-out', interaction(asked)), url, text)).toBe('{"said":"yes"}')
  const edited = session('laid-out-edited', interaction(asked, 'a'.repeat(64)))
  await answerToText(edited, url, text)
  expect(edited.failure).toMatchObject({ code: 'TURNTAPE_CASSETTE_EDITED' })
})

test('F15 a request in another layout that holds a secret is redacted, and equals what was stored of it', async () => {
  const secret = `${'sk-proj-'}Zq7Rw2Xn9Kd4Tb6Yh1Mv8Jc3Lp5Gs0Fa`
  const stored: Json = { model: 'm', messages: [{ role: 'user', content: 'key <redacted:openai-key:1>' }] }
  const text = JSON.stringify(stored, null, 2).replace('<redacted:openai-key:1>', secret)
  const of = session('laid-out-secret', interaction(stored))
  expect(respells(of, { text })).toBe(false)
  expect(await answerToText(of, url, text)).toBe('{"said":"yes"}')
})

/** Six turns of one conversation; `edited`: the turn whose stored request does not have its hash. */
async function runLoop(name: string, edited?: number): Promise<{ said: string[]; of: TapeSession }> {
  const first = { role: 'user', content: 'Größe “x” '.repeat(40) }
  const messagesOf = (turn: number): Json[] => [
    first,
    ...Array.from({ length: turn }, (_, at) => ({ role: 'assistant', content: `${at}`, n: at })),
  ]
  const bodyOf = (turn: number): Json => ({
    model: 'm',
    messages: messagesOf(turn),
    tools: [{ name: 'search', about: 'z'.repeat(300) }],
  })
  const recorded = Array.from({ length: 6 }, (_, turn): HttpInteraction => {
    const body = bodyOf(turn)
    return { ...interaction(body, turn + 1 === edited ? 'b'.repeat(64) : undefined), number: turn + 1 }
  })
  const of = session(name, ...recorded)
  const said: string[] = []
  for (let turn = 0; turn < 6; turn += 1) said.push(await answerTo(of, url, bodyOf(turn)))
  return { said, of }
}

test('promise 9: every turn of a loop is served', async () => {
  const { said, of } = await runLoop('loop')
  expect(readFileSync(join(root, 'cassettes/loop.json'), 'utf8')).toContain('"like"')
  expect(said).toEqual(Array.from({ length: 6 }, () => '{"said":"yes"}'))
  expect(of.failure).toBeUndefined()
})

test('a lane goes on from the request before it; of very many lanes not all are kept', () => {
  const source = session('lanes', interaction(asked)).context.source()
  const first = source?.growing.of('0')
  for (let lane = 1; lane < 16; lane += 1) expect(source?.growing.of(String(lane))).not.toBe(first)
  expect(source?.growing.of('0')).toBe(first)
  source?.growing.of('16')
  expect(source?.growing.of('0')).not.toBe(first)
})

test.each([1, 2, 4, 6])(
  'F13 in a loop the request of turn %i that was edited is named when its turn comes',
  async (edited) => {
    const { of } = await runLoop(`loop-${edited}`, edited)
    expect(of.failure).toMatchObject({ code: 'TURNTAPE_CASSETTE_EDITED', details: { interaction: edited } })
  },
)

test('F13 an edited request is named, also where it is repeated to the letter', async () => {
  const edited = session('edited', interaction(asked, 'a'.repeat(64)))
  expect(repeats(edited, { text: JSON.stringify(asked) })).toBe(true)
  await answerTo(edited, url, asked)
  expect(edited.failure).toMatchObject({ code: 'TURNTAPE_CASSETTE_EDITED' })
})

test('F13 an edited request is named, also where it comes in another order', async () => {
  const edited = session('edited-order', interaction(asked, 'a'.repeat(64)))
  const { messages } = asked as { readonly messages: Json }
  await answerTo(edited, url, { stream: false, messages, model: 'm' })
  expect(edited.failure).toMatchObject({ code: 'TURNTAPE_CASSETTE_EDITED' })
})

test('F15 what equals a text that was redacted is not changed by redacting it', () => {
  const folders = { project: '/home/alice/shop', home: '/home/alice', temporary: [] }
  const secret = {
    model: 'm',
    messages: [{ role: 'user', content: `/home/alice/shop/a.ts ${'sk-proj-'}Zq7Rw2Xn9Kd4Tb6Yh1Mv8Jc3Lp5Gs0Fa` }],
  }
  const redact = (body: Uint8Array): Uint8Array | undefined =>
    createRedactor(folders).request({ method: 'POST', url, headers: [jsonType], body, road: 'fetch' }).body
  const once = redact(Buffer.from(JSON.stringify(secret))) as Uint8Array
  expect(Buffer.from(once).toString()).toContain('<redacted:')
  expect(redact(once)).toBe(once)
})
