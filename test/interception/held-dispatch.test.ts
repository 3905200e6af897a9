import { createGzip } from 'node:zlib'
import * as undici from 'undici'
import { describe, expect, test } from 'vitest'
import { gatedObserver } from '../../src/session/stepping/gated-stream.ts'
import { HoldBoard } from '../../src/session/stepping/hold-board.ts'
import { loopbackServer, settle, until } from './loopback-server.ts'
import { installed, scriptedRouter, Witness } from './scripted-router.ts'

// Captured before anything is installed: it takes the dispatcher's road.
const earlyFetch = globalThis.fetch
const delta = (text: string): string => `data: {"choices":[{"delta":{"content":${JSON.stringify(text)}}}]}\n\n`
const words = ['a', 'b', 'c', 'd'].map(delta)

function heldCalls(): { readonly holds: HoldBoard; readonly witness: Witness } {
  const witness = new Witness()
  const holds = new HoldBoard({ test: 'a test', realm: globalThis })
  const observer = gatedObserver(witness, { holds, lane: undefined })
  installed(scriptedRouter({ route: () => ({ kind: 'observe', observer }) }))
  return { holds, witness }
}

/** Sends the next piece once the one before has been taken, so that none are joined. */
async function stream(encoding: 'gzip' | undefined, taken: () => number): Promise<string> {
  const { url } = await loopbackServer(async (_, response) => {
    response.writeHead(200, {
      'content-type': 'text/event-stream',
      ...(encoding === undefined ? {} : { 'content-encoding': encoding }),
    })
    const out = encoding === undefined ? response : createGzip({ flush: 2 })
    if (out !== response) out.pipe(response)
    response.flushHeaders()
    for (const [index, word] of words.entries()) {
      await until(() => taken() >= index)
      out.write(word)
    }
    await until(() => taken() >= words.length)
    out.end()
  })
  return url
}

const roads: readonly [string, (url: string) => Promise<AsyncIterable<Uint8Array>>][] = [
  ['fetch', async (url) => (await fetch(url)).body as unknown as AsyncIterable<Uint8Array>],
  ['fetch captured at import', async (url) => (await earlyFetch(url)).body as unknown as AsyncIterable<Uint8Array>],
  ['undici.fetch', async (url) => (await undici.fetch(url)).body as unknown as AsyncIterable<Uint8Array>],
  ['undici.request', async (url) => (await undici.request(url)).body],
]

describe.each(roads)('a live stream over %s', (name, open) => {
  test('is held and stepped while it is recorded', async () => {
    const { holds, witness } = heldCalls()
    const stepper = holds.hold(undefined)
    const got: string[] = []
    const url = await stream(undefined, () => witness.chunks.length)
    const read = (async () => {
      for await (const chunk of await open(url)) got.push(Buffer.from(chunk).toString())
    })()
    await until(() => witness.told.includes('head'))
    await settle()
    expect([got, witness.chunks.length]).toEqual([[], 0])
    expect(await stepper.next('text', 2)).toMatchObject({ text: 'ab', count: 2, done: false })
    await settle()
    expect(got).toEqual(words.slice(0, 2))
    stepper.release()
    await read
    expect([got.join(''), witness.text, witness.ended]).toEqual([words.join(''), words.join(''), 'end'])
  })

  test('is counted by what stands in it where it is compressed', async () => {
    const { holds, witness } = heldCalls()
    const stepper = holds.hold(undefined)
    const url = await stream('gzip', () => witness.chunks.length)
    const read = (async () => {
      for await (const _chunk of await open(url)) void _chunk
    })()
    expect(await stepper.next('text', 2)).toMatchObject({ text: 'ab', done: false })
    await settle()
    expect(witness.text).toBe(words.slice(0, 2).join(''))
    stepper.release()
    await read
    expect(witness.text).toBe(words.join(''))
  })

  test(`gives an abort of its caller at once (${name})`, async () => {
    const { holds } = heldCalls()
    const stepper = holds.hold(undefined)
    const url = await stream(undefined, () => 0)
    const iterator = (await open(url))[Symbol.asyncIterator]()
    const pending = iterator.next()
    await stepper.next('text')
    await pending
    await iterator.return?.()
    expect(await stepper.next()).toMatchObject({ done: true })
  })
})

test('what comes while a live stream is held keeps its cuts and its time', async () => {
  const { holds, witness } = heldCalls()
  const times: (number | undefined)[] = []
  const told = witness.chunk.bind(witness)
  let nowMs = 0
  Object.assign(witness, {
    clock: () => ++nowMs,
    chunk(bytes: Uint8Array, atMs?: number) {
      times.push(atMs)
      told(bytes)
    },
  })
  const stepper = holds.hold(undefined)
  const { url } = await loopbackServer(async (_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const word of words) {
      response.write(word)
      await until(() => nowMs > words.indexOf(word))
    }
    response.end()
  })
  const reader = (await fetch(url)).body?.getReader()
  const first = reader?.read()
  await until(() => nowMs === words.length)
  expect(witness.chunks).toEqual([])
  await stepper.next()
  await first
  stepper.release()
  for (let next = await reader?.read(); next?.done === false; next = await reader?.read());
  expect(witness.chunks.map((chunk) => Buffer.from(chunk).toString())).toEqual(words)
  expect(times).toEqual([1, 2, 3, 4])
})

test('a failure comes after what came before it, step by step', async () => {
  const { holds, witness } = heldCalls()
  const stepper = holds.hold(undefined)
  let cut = false
  const { url } = await loopbackServer(async (_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(words[0])
    await settle()
    response.destroy()
    cut = true
  })
  const reader = (await fetch(url)).body?.getReader()
  const first = reader?.read()
  await until(() => cut)
  await settle()
  expect(witness.told).toEqual(['head'])
  expect(await stepper.next('text')).toMatchObject({ text: 'a', done: false })
  expect((await first)?.value?.byteLength).toBe(words[0]?.length)
  const second = reader?.read()
  const rejected = expect(second).rejects.toThrow('terminated')
  expect(await stepper.next()).toMatchObject({ done: true })
  await rejected
  expect(witness.ended).toBe('fail')
})
