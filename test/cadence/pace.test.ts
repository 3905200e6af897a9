import { setImmediate as nextTask } from 'node:timers/promises'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import type { Cadence } from '../../src/core/cadence/cadence.ts'
import { resolveCadence } from '../../src/core/cadence/cadence.ts'
import type { HttpInteraction } from '../../src/core/cassette/document.ts'
import { serveInteraction } from '../../src/replaying/serve-interaction.ts'
import { SessionPaces } from '../../src/session/stepping/session-paces.ts'
import { serving } from '../interception/scripted-router.ts'

const hourMs = 3_600_000
const endless = { maxGapMs: Number.POSITIVE_INFINITY }
const url = 'https://api.example.com/v1/chat'

/** Paces on a clock that the test moves; timers are the machine's. */
function paces(cadence: Cadence) {
  const clock = { ms: 0 }
  return { clock, paces: new SessionPaces({ cadence: resolveCadence(cadence), now: () => clock.ms }) }
}

function interaction(gapsMs: readonly number[]): HttpInteraction {
  return {
    number: 1,
    kind: 'model',
    hash: '',
    timing: { startMs: 0 },
    request: { method: 'POST', url },
    response: {
      status: 200,
      headers: [['content-type', 'text/event-stream']],
      body: { text: 'abcdefgh'.slice(0, gapsMs.length), cuts: { bytes: gapsMs.map(() => 1) }, gapsMs },
    },
  }
}

/** Every call is answered with these chunks, each answer on a clock of its own. */
function serve(cadence: Cadence, gapsMs: readonly number[]): SessionPaces {
  const all = new SessionPaces({ cadence: resolveCadence(cadence), now: performance.now.bind(performance) })
  serving(() => {
    const served = serveInteraction({
      interaction: interaction(gapsMs),
      sideFiles: new Map(),
      road: 'fetch',
      retryAfter: 'fast',
      pace: all.start(),
    })
    if (served.kind !== 'respond') throw new Error('no response')
    return served.response
  })
  onTestFinished(() => all.stop())
  return all
}

async function isPending(promise: Promise<unknown>): Promise<boolean> {
  const turns = Promise.all([nextTask(), nextTask(), nextTask()]).then(() => 'pending')
  return (await Promise.race([promise, turns])) === 'pending'
}

const textOf = async (response: Response): Promise<string[]> => {
  const chunks: string[] = []
  for await (const chunk of response.body ?? []) chunks.push(Buffer.from(chunk).toString())
  return chunks
}

describe('the pace of a replayed stream', () => {
  test('F8 keeps chunks at their recorded cuts, instant or not', async () => {
    serve({ maxGapMs: 3 }, [0, 2, 0, 5])
    expect(await textOf(await fetch(url))).toEqual(['a', 'b', 'c', 'd'])
    serve('instant', [0, 2, 0, 5])
    expect(await textOf(await fetch(url))).toEqual(['a', 'b', 'c', 'd'])
  })

  test('does not make a slow caller slower: what became due meanwhile is there', () => {
    const { clock, paces: all } = paces(endless)
    const pace = all.start()
    expect(pace?.wait(100)).toBeInstanceOf(Promise)
    clock.ms = 250
    expect(pace?.wait(100)).toBe(undefined)
    expect(pace?.wait(50)).toBe(undefined)
    expect(pace?.wait(1)).toBeInstanceOf(Promise)
    all.stop()
  })

  test('is a clock of its own for each of two streams', () => {
    const { clock, paces: all } = paces(endless)
    const first = all.start()
    clock.ms = 100
    const second = all.start()
    expect(first?.wait(60)).toBe(undefined)
    expect(second?.wait(60)).toBeInstanceOf(Promise)
    all.stop()
  })

  test('goes on under fake timers', async () => {
    vi.useFakeTimers({ now: 0 })
    onTestFinished(() => {
      vi.useRealTimers()
    })
    serve({ maxGapMs: 4 }, [3, 4, 1])
    expect(await textOf(await fetch(url))).toEqual(['a', 'b', 'c'])
  })

  test('LR-11 ends a wait at once when the caller aborts', async () => {
    serve(endless, [0, hourMs])
    const controller = new AbortController()
    const response = await fetch(url, { signal: controller.signal })
    const reader = response.body?.getReader()
    await reader?.read()
    const waiting = reader?.read()
    expect(await isPending(waiting as Promise<unknown>)).toBe(true)
    controller.abort(new RangeError('enough'))
    await expect(waiting).rejects.toThrow('enough')
  })

  test('LR-11 ends a wait at once when the caller cancels', async () => {
    serve(endless, [0, hourMs])
    const reader = (await fetch(url)).body?.getReader()
    await reader?.read()
    const waiting = reader?.read()
    await reader?.cancel()
    expect(await waiting).toMatchObject({ done: true })
  })

  test('gives the rest at once when it is stopped at the end of the test', async () => {
    const all = serve(endless, [0, hourMs, hourMs])
    const text = (await fetch(url)).text()
    expect(await isPending(text)).toBe(true)
    all.stop()
    expect(await text).toBe('abc')
    expect(all.start()).toBe(undefined)
  })

  test('makes no chunk and starts no wait before it is asked for', async () => {
    const all = serve({ maxGapMs: 1 }, [5000, 5000])
    const response = await fetch(url)
    await nextTask()
    expect(all.compression).toEqual({ compressedGaps: 0, compressedMs: 0 })
    await response.text()
    expect(all.compression).toEqual({ compressedGaps: 2, compressedMs: 9998 })
  })

  test('TH-04 says what was left out, and nothing where nothing was', async () => {
    const all = serve({ maxGapMs: 1 }, [0, 5000, 1])
    await (await fetch(url)).text()
    expect(all.notes()).toEqual(['cadence: 1 gap was longer than maxGapMs: 1, 4999 ms of recorded time left out'])
    const none = serve({ minGapMs: 1 }, [0, 0])
    await (await fetch(url)).text()
    expect(none.notes()).toEqual([])
  })

  test('rests while it is suspended, and counts on from where it is resumed', () => {
    const { clock, paces: all } = paces(endless)
    const pace = all.start()
    pace?.suspend()
    expect(pace?.wait(hourMs)).toBe(undefined)
    clock.ms = 500
    pace?.resume()
    expect(pace?.wait(10)).toBeInstanceOf(Promise)
    all.stop()
  })
})
