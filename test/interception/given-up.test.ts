/** LR-02 AR-17 A call that its caller gives up, before it was decided or while nothing answers, tells who decided. */
import { setTimeout as delay } from 'node:timers/promises'
import * as undici from 'undici'
import { describe, expect, test } from 'vitest'
import type { Verdict } from '../../src/interception/router.ts'
import { installed, scriptedRouter, served, Witness } from './scripted-router.ts'

const url = 'https://api.example.com/v1/chat/completions'

const roads: [name: string, call: (signal?: AbortSignal) => Promise<unknown>][] = [
  ['fetch', (signal) => fetch(url, { method: 'POST', body: '{}', signal: signal ?? null })],
  ['the dispatcher', (signal) => undici.request(url, { method: 'POST', body: '{}', signal: signal ?? null })],
]

describe.each(roads)('over %s', (_, call) => {
  const told: string[] = []
  const late: [name: string, verdict: () => Verdict, heard: () => readonly string[]][] = [
    ['observed', () => ({ kind: 'observe', observer: witness }), () => witness.told],
    [
      'served',
      () => ({ kind: 'respond', response: served(['one'], { cancelled: () => void told.push('cancel') }) }),
      () => told,
    ],
    ['left unanswered', () => ({ kind: 'hang', cancelled: () => void told.push('cancel') }), () => told],
  ]
  let witness = new Witness()

  test.each(late)(
    'an abort while the router thinks reaches the call that was to be %s',
    async (_name, verdict, heard) => {
      told.length = 0
      witness = new Witness()
      let decide: (verdict: Verdict) => void = () => {}
      installed(scriptedRouter({ route: () => new Promise((resolve) => (decide = resolve)) }))
      const controller = new AbortController()
      const outcome = call(controller.signal).then(
        () => 'answered',
        (error: Error) => error.name,
      )
      await delay(5)
      controller.abort()
      expect(await outcome).toBe('AbortError')
      decide(verdict())
      await delay(5)
      expect(heard()).toEqual(['cancel'])
    },
  )

  test('a call that nothing answers ends with the reason of its caller, and tells so once', async () => {
    told.length = 0
    const reason = new RangeError('mine')
    installed(scriptedRouter({ route: () => ({ kind: 'hang', cancelled: () => void told.push('cancel') }) }))
    const controller = new AbortController()
    const outcome = call(controller.signal).catch((error: unknown) => error)
    await delay(5)
    expect(told).toEqual([])
    controller.abort(reason)
    expect(await outcome).toBe(reason)
    await delay(5)
    expect(told).toEqual(['cancel'])
  })

  test('a call without a signal that nothing answers stays open', async () => {
    installed(scriptedRouter({ route: () => ({ kind: 'hang', cancelled: () => void told.push('cancel') }) }))
    told.length = 0
    const open = call().then(
      () => 'answered',
      () => 'failed',
    )
    expect(await Promise.race([open, delay(30, 'open')])).toBe('open')
    expect(told).toEqual([])
  })
})

test('a caller that aborts in the very moment of the verdict gets his reason, not the answer', async () => {
  const controller = new AbortController()
  const told: string[] = []
  const route = (): Verdict => {
    queueMicrotask(() => controller.abort())
    return { kind: 'respond', response: served(['one'], { cancelled: () => void told.push('cancel') }) }
  }
  installed(scriptedRouter({ route }))
  const outcome = await fetch(url, { signal: controller.signal }).catch((error: unknown) => error)
  expect(outcome).toBe(controller.signal.reason)
  expect(told).toEqual(['cancel'])
})
