import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createExchangeRecorder, type ExchangeRecorder } from '../../src/recording/exchange-recorder.ts'

const encode = (text: string) => new TextEncoder().encode(text)
const head = {
  status: 200,
  statusText: 'OK',
  headers: [],
  url: 'https://api.example.com/',
  redirected: false,
  hasBody: true,
}

interface Bench {
  readonly recorder: ExchangeRecorder
  readonly told: (string | number)[]
  tick(ms: number): void
}

function bench(caps: { maxBodyBytes?: number; maxChunks?: number } = {}): Bench {
  const told: (string | number)[] = []
  let time = 1000.4
  const recorder = createExchangeRecorder({
    now: () => time,
    maxBodyBytes: 1000,
    maxChunks: 10,
    ...caps,
    onCap: (cap, found) => told.push(cap, found),
    onSettled: () => told.push('settled'),
  })
  const tick = (ms: number) => {
    time += ms
  }
  return { recorder, told, tick }
}

/** A read that gives one chunk. */
function read({ recorder }: Bench, text: string): void {
  recorder.observer.reading(true)
  recorder.observer.chunk(encode(text))
  recorder.observer.reading(false)
}

describe('an exchange recorder', () => {
  test('F8 keeps the chunks with the whole milliseconds between them, which add up', () => {
    const rig = bench()
    rig.tick(20.3)
    rig.recorder.observer.head(head)
    for (const text of ['a', 'b', 'c']) {
      rig.tick(1.7)
      read(rig, text)
    }
    rig.recorder.observer.end()
    const { headMs, body, read: how, waiting } = rig.recorder.snapshot()
    expect([headMs, body?.chunks.map((chunk) => chunk.gapMs)]).toEqual([20, [2, 2, 1]])
    expect([Buffer.concat(body?.chunks.map((chunk) => chunk.bytes) ?? []).toString(), body?.end]).toEqual([
      'abc',
      { kind: 'complete' },
    ])
    expect([how, waiting, rig.recorder.state(), rig.told]).toEqual(['all', false, 'settled', ['settled']])
  })

  test('a response without a body has none', () => {
    const { recorder } = bench()
    recorder.observer.head({ ...head, status: 204, hasBody: false })
    recorder.observer.end()
    expect(recorder.snapshot()).toMatchObject({ head: { status: 204 }, read: 'all' })
    expect(recorder.snapshot()).not.toHaveProperty('body')
  })

  test('an unread body is told from one read in part, and from one that is waited for', () => {
    const unread = bench()
    unread.recorder.observer.head(head)
    expect(unread.recorder.snapshot()).toMatchObject({
      read: 'none',
      waiting: false,
      body: { chunks: [], end: { kind: 'partial' } },
    })
    const dropped = bench()
    dropped.recorder.observer.head(head)
    read(dropped, 'a')
    expect(dropped.recorder.snapshot()).toMatchObject({
      read: 'part',
      waiting: false,
      body: { end: { kind: 'partial' } },
    })
    expect(dropped.recorder.state()).toBe('open')
    dropped.recorder.observer.reading(true)
    expect(dropped.recorder.snapshot()).toMatchObject({ read: 'part', waiting: true })
  })

  test('F10 a cancelled body ends aborted, a broken one with its failure', () => {
    const left = bench()
    left.recorder.observer.head(head)
    read(left, 'a')
    left.recorder.observer.cancel()
    expect([left.recorder.snapshot().body?.end, left.told]).toEqual([{ kind: 'aborted' }, ['settled']])
    const broken = bench()
    broken.recorder.observer.head(head)
    read(broken, 'a')
    broken.recorder.observer.fail(new TypeError('terminated'))
    expect(broken.recorder.snapshot().body?.end).toEqual({
      kind: 'failed',
      failure: { stage: 'body', name: 'TypeError', message: 'terminated' },
    })
  })

  test('F16 a call that fails before its head has a failure and no body', () => {
    const { recorder } = bench()
    const cause = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED', syscall: 'connect' })
    recorder.observer.fail(new TypeError('fetch failed', { cause }))
    const snapshot = recorder.snapshot()
    expect(snapshot.failure).toMatchObject({ stage: 'connect', name: 'TypeError', cause: { code: 'ECONNREFUSED' } })
    expect([snapshot.body, snapshot.head, recorder.state()]).toEqual([undefined, undefined, 'settled'])
  })

  test('a call that the caller aborts before its head says who ended it', () => {
    const { recorder } = bench()
    recorder.observer.cancel(new DOMException('stop', 'AbortError'))
    expect(recorder.snapshot().failure).toEqual({
      stage: 'headers',
      name: 'AbortError',
      message: 'stop',
      details: { abortedBy: 'caller' },
    })
  })

  test('only the first ending counts', () => {
    const rig = bench()
    rig.recorder.observer.head(head)
    rig.recorder.observer.end()
    rig.recorder.observer.cancel()
    rig.recorder.observer.fail(new TypeError('late'))
    rig.recorder.observer.chunk(encode('late'))
    expect([rig.recorder.snapshot().body, rig.told]).toEqual([{ chunks: [], end: { kind: 'complete' } }, ['settled']])
  })

  test('promise 5 takes exactly the cap, and refuses one more without stopping the call', () => {
    const bytes = bench({ maxBodyBytes: 4 })
    bytes.recorder.observer.head(head)
    read(bytes, 'abcd')
    expect(bytes.told).toEqual([])
    read(bytes, 'e')
    read(bytes, 'f')
    bytes.recorder.observer.end()
    expect(bytes.told).toEqual(['maxBodyBytes', 5, 'settled'])
    expect(bytes.recorder.snapshot().body?.chunks).toHaveLength(1)
    const chunks = bench({ maxChunks: 2 })
    chunks.recorder.observer.head(head)
    for (const text of ['a', 'b', 'c', 'd']) read(chunks, text)
    expect(chunks.told).toEqual(['maxChunks', 3])
  })

  test.each([
    ['OpenAI chat', 'data: {"a":1}\n\ndata: [DONE]\n\n'],
    ['Anthropic', 'event: message_stop\ndata: {"type":"message_stop"         }\n\n'],
    ['Responses', `event: response.completed\ndata: {"type":"response.completed","response":"${'x'.repeat(500)}"}\n\n`],
    ['Responses that failed', 'event: response.failed\ndata: {}\n\n'],
    ['Responses that were cut', 'data: {"type":"response.incomplete"}\r\n\r\n'],
    [
      'Ollama',
      `{"model":"m","done":false}\n{"model":"m","response":"","done":true,"context":[${'7,'.repeat(300)}7]}\n`,
    ],
  ])('F10 is settled and complete by the terminal event of %s, wherever the bytes are cut', (_, stream) => {
    fc.assert(
      fc.property(fc.array(fc.nat(stream.length), { maxLength: 6 }), (places) => {
        const rig = bench()
        rig.recorder.observer.head(head)
        const cuts = [0, ...places.sort((a, b) => a - b), stream.length]
        for (const [index, cut] of cuts.slice(0, -1).entries())
          rig.recorder.observer.chunk(encode(stream.slice(cut, cuts[index + 1])))
        expect([rig.recorder.state(), rig.told]).toEqual(['settled', ['settled']])
        const left = rig.recorder.snapshot()
        expect([left.body?.end, left.final]).toEqual([{ kind: 'complete' }, false])
        rig.recorder.observer.cancel()
        const { body, final } = rig.recorder.snapshot()
        expect([body?.end, final, rig.told]).toEqual([{ kind: 'complete' }, true, ['settled']])
      }),
      { numRuns: 40 },
    )
  })

  test.each([
    ['within a JSON string', 'data: {"content":"data: [DONE]"}\n\n'],
    ['without its blank line', 'event: message_stop\ndata: {"type":"message_stop"}\n'],
    ['in the middle of a line', 'data: {"a":"event: message_stop"}\n\n'],
    ['among the arguments of a tool', '{"model":"m","message":{"tool_calls":[{"x":{"done":true}}]},"done":false}\n'],
    ['in a JSON line that has not ended', '{"model":"m","response":"","done":true'],
    ['as the start of another name', 'data: {"type":"response.created"}\n\n'],
  ])('takes no terminal event for one that stands %s', (_, stream) => {
    const rig = bench()
    rig.recorder.observer.head(head)
    read(rig, stream)
    expect([rig.recorder.state(), rig.told]).toEqual(['open', []])
  })
})
