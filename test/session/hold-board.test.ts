import { setImmediate as nextTask } from 'node:timers/promises'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import type { ServedBody } from '../../src/interception/router.ts'
import { gatedBody } from '../../src/session/stepping/gated-stream.ts'
import { HoldBoard } from '../../src/session/stepping/hold-board.ts'

const delta = (text: string): string => `data: {"choices":[{"delta":{"content":${JSON.stringify(text)}}}]}\n\n`
const call = (text: string): string =>
  `data: {"choices":[{"delta":{"tool_calls":[{"function":{"arguments":${JSON.stringify(text)}}}]}}]}\n\n`
const done = 'data: [DONE]\n\n'

function board(): HoldBoard {
  return new HoldBoard({ test: 'a test', realm: globalThis })
}

interface Reading {
  /** What the reader has got so far. */
  readonly got: string[]
  readonly ended: Promise<void>
  readonly body: ServedBody
}

/** A streamed answer and a reader that takes all it can get. */
function read(holds: HoldBoard, chunks: readonly string[], lane?: string): Reading {
  const left = chunks.map((chunk) => Buffer.from(chunk))
  const headers = [['content-type', 'text/event-stream']] as const
  const plain: ServedBody = { next: () => left.shift(), end: { kind: 'close' } }
  const body = gatedBody({ url: 'https://api.example.com', headers, body: plain }, { holds, lane, pace: undefined })
  const got: string[] = []
  const reader = async (): Promise<void> => {
    for (let chunk = await body?.next(); chunk !== undefined; chunk = await body?.next())
      got.push(Buffer.from(chunk).toString())
    got.push('end')
  }
  return { got, ended: reader(), body: body as ServedBody }
}

const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 3; turn += 1) await nextTask()
}

describe('a held stream', () => {
  test('gives nothing before a step, one chunk a step, and all of the rest on release', async () => {
    const holds = board()
    const stepper = holds.hold(undefined)
    const { got, ended } = read(holds, [delta('a'), delta('b'), delta('c'), done])
    await settle()
    expect(got).toEqual([])
    await stepper.next()
    await settle()
    expect(got).toEqual([delta('a')])
    stepper.release()
    await ended
    expect(got).toEqual([delta('a'), delta('b'), delta('c'), done, 'end'])
  })

  test('goes on until so many parts of a kind have come, others in between included', async () => {
    const holds = board()
    const stepper = holds.hold(undefined)
    const { got } = read(holds, [delta('a'), call('{'), delta('b'), call('}'), done])
    const step = await stepper.next('text', 2)
    expect(got).toEqual([delta('a'), call('{'), delta('b')])
    expect(step).toEqual({
      parts: [
        { kind: 'text', text: 'a' },
        { kind: 'tool-args', text: '{' },
        { kind: 'text', text: 'b' },
      ],
      text: 'ab',
      count: 2,
      reached: true,
      done: false,
    })
    expect(await stepper.next('tool-args')).toMatchObject({ parts: [{ text: '}' }], text: 'ab' })
    expect(await stepper.next('[DONE]')).toMatchObject({ reached: true })
  })

  test('promise 1 keeps a chunk whole: one with five deltas gives five where three were asked for', async () => {
    const holds = board()
    const stepper = holds.hold(undefined)
    const chunk = ['a', 'b', 'c', 'd', 'e'].map(delta).join('')
    const { got } = read(holds, [chunk, delta('f')])
    expect(await stepper.next('text', 3)).toMatchObject({ text: 'abcde', count: 5, reached: true })
    expect(got).toEqual([chunk])
  })

  test('counts an event with the chunk that completes it', async () => {
    const holds = board()
    const stepper = holds.hold(undefined)
    const [event] = [delta('€')]
    const { got } = read(holds, [event.slice(0, 20), event.slice(20), delta('b')])
    expect(await stepper.next('text')).toMatchObject({ text: '€' })
    expect(got).toHaveLength(2)
  })

  test('ends behind its gate too, and says so once', async () => {
    const holds = board()
    const stepper = holds.hold(undefined)
    const { got } = read(holds, [delta('a')])
    expect(await stepper.next()).toMatchObject({ done: false })
    await settle()
    expect(got).toEqual([delta('a')])
    expect(await stepper.next()).toEqual({ parts: [], text: 'a', count: 0, reached: false, done: true })
    expect(got).toEqual([delta('a'), 'end'])
  })

  test('says at its end that a kind never came', async () => {
    const holds = board()
    const stepper = holds.hold(undefined)
    read(holds, [delta('a'), delta('b')])
    expect(await stepper.next('image')).toMatchObject({ text: 'ab', count: 0, reached: false, done: true })
  })

  test('waits for the next stream where none is open', async () => {
    const holds = board()
    const stepper = holds.hold(undefined)
    read(holds, [delta('a')])
    expect(await stepper.next('text', 9)).toMatchObject({ done: true })
    const step = stepper.next('text')
    await settle()
    read(holds, [delta('second')])
    expect(await step).toMatchObject({ text: 'second', done: false })
  })

  test('is stepped after one that began before it', async () => {
    const holds = board()
    const stepper = holds.hold(undefined)
    const first = read(holds, [delta('a')])
    const second = read(holds, [delta('b')])
    expect(await stepper.next('text')).toMatchObject({ text: 'a' })
    expect(await stepper.next('text')).toMatchObject({ done: true })
    expect(second.got).toEqual([])
    expect(await stepper.next('text')).toMatchObject({ text: 'b' })
    expect(first.got).toEqual([delta('a'), 'end'])
  })

  test('of a named lane is stepped by its own stepper, and others pass', async () => {
    const holds = board()
    const planner = holds.hold('planner')
    const free = read(holds, [delta('a')])
    const held = read(holds, [delta('b')], 'planner')
    await free.ended
    expect(held.got).toEqual([])
    const rest = holds.hold(undefined)
    const own = read(holds, [delta('c')], 'writer')
    expect(await planner.next('text')).toMatchObject({ text: 'b' })
    expect(own.got).toEqual([])
    expect(await rest.next('text')).toMatchObject({ text: 'c' })
  })

  test('may be held in the middle', async () => {
    const holds = board()
    const left = [delta('a'), delta('b'), delta('c')].map((chunk) => Buffer.from(chunk))
    const headers = [['content-type', 'text/event-stream']] as const
    const plain: ServedBody = { next: () => left.shift(), end: { kind: 'close' } }
    const served = { url: 'https://api.example.com', headers, body: plain }
    const body = gatedBody(served, { holds, lane: undefined, pace: undefined })
    expect(body?.next()).toBeInstanceOf(Buffer)
    const stepper = holds.hold(undefined)
    const second = body?.next()
    expect(second).toBeInstanceOf(Promise)
    expect(await stepper.next('text')).toMatchObject({ text: 'b' })
    expect(await second).toBeInstanceOf(Buffer)
  })

  test('has one stepper a lane, and another after a release', async () => {
    const holds = board()
    const first = holds.hold(undefined)
    expect(holds.hold(undefined)).toBe(first)
    first.release()
    const again = holds.hold(undefined)
    expect(again).not.toBe(first)
    const stream = read(holds, [delta('a'), delta('b')])
    await again.next()
    expect(stream.got).toEqual([delta('a')])
  })

  test('rejects a step that has no stream once the test has failed, and goes on with one that is open', async () => {
    const holds = board()
    const stepper = holds.hold(undefined)
    read(holds, [delta('a')])
    await settle()
    const diverged = new Error('diverged')
    holds.fail(diverged)
    expect(await stepper.next('text')).toMatchObject({ text: 'a' })
    expect(await stepper.next()).toMatchObject({ done: true })
    await expect(stepper.next()).rejects.toBe(diverged)
    const other = holds.hold('planner').next()
    await expect(other).rejects.toBe(diverged)
  })

  test('is over for its stepper when the caller leaves', async () => {
    const holds = board()
    const stepper = holds.hold(undefined)
    const { body } = read(holds, [delta('a'), delta('b')])
    await stepper.next()
    body.cancelled?.()
    expect(await stepper.next('text')).toMatchObject({ done: true, reached: false })
  })

  test('takes steps that are asked for together one after the other', async () => {
    const holds = board()
    const stepper = holds.hold(undefined)
    read(holds, [delta('a'), delta('b'), delta('c')])
    const steps = await Promise.all([stepper.next('text'), stepper.next('text'), stepper.next('text', 5)])
    expect(steps.map(({ text }) => text)).toEqual(['a', 'ab', 'abc'])
    expect(steps.map((step) => step.done)).toEqual([false, false, true])
  })

  test('settles a step that waits when it is released', async () => {
    const holds = board()
    const stepper = holds.hold(undefined)
    const step = stepper.next('text')
    stepper.release()
    expect(await step).toEqual({ parts: [], text: '', count: 0, reached: false, done: false })
    await expect(stepper.next()).rejects.toThrow('hold().next was called after release()')
  })

  test('steps under fake timers', async () => {
    vi.useFakeTimers()
    onTestFinished(() => {
      vi.useRealTimers()
    })
    const holds = board()
    const stepper = holds.hold(undefined)
    read(holds, [delta('a'), delta('b')])
    expect(await stepper.next('text')).toMatchObject({ text: 'a' })
  })

  test.each([0, -1, 1.5, Number.NaN, '3'])('refuses %s as a count', async (count) => {
    await expect(
      board()
        .hold(undefined)
        .next('text', count as number),
    ).rejects.toMatchObject({ code: 'TURNTAPE_USAGE' })
  })

  test('is not what an answer without streaming is', async () => {
    const holds = board()
    holds.hold(undefined)
    const body: ServedBody = { next: () => undefined, end: { kind: 'close' } }
    const headers = [['content-type', 'application/json']] as const
    const gating = { holds, lane: undefined, pace: undefined }
    expect(gatedBody({ url: 'https://api.example.com', headers, body }, gating)).toBe(body)
    const gemini = 'https://api.example.com/v1/models/small:streamGenerateContent'
    expect(gatedBody({ url: gemini, headers, body }, gating)).not.toBe(body)
  })
})

describe('the end of a test', () => {
  test('lets every held stream go, and counts those that were', async () => {
    const holds = board()
    holds.hold(undefined)
    const { ended, got } = read(holds, [delta('a')])
    await settle()
    expect(holds.end()).toEqual({ held: 1, unmet: [] })
    await ended
    expect(got).toEqual([delta('a'), 'end'])
    await read(holds, [delta('late')]).ended
  })

  test('rejects a step that still waits, and says what for', async () => {
    const holds = board()
    const step = holds.hold('planner').next('text', 3)
    const [error] = holds.end().unmet
    expect(error?.details).toEqual({
      test: 'a test',
      lane: 'planner',
      part: 'text',
      wanted: 3,
      count: 0,
      streams: 0,
      open: 0,
    })
    await expect(step).rejects.toBe(error)
    await expect(holds.hold(undefined).next()).rejects.toThrow('after its test had ended')
  })
})
