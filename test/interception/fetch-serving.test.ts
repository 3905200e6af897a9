import { describe, expect, test } from 'vitest'
import { settle } from './loopback-server.ts'
import { installed, scriptedRouter, served, serving } from './scripted-router.ts'

const url = 'https://api.example.com/v1/chat'
const decoder = new TextDecoder()

describe('a served answer over fetch', () => {
  test('promise 1 gives one read per recorded chunk, split characters included', async () => {
    const bytes = new TextEncoder().encode('a€b')
    const cuts = [bytes.slice(0, 2), bytes.slice(2, 3), bytes.slice(3)]
    serving(() => served([], { next: () => cuts.shift() }))
    const lengths: number[] = []
    for await (const chunk of (await fetch(url)).body ?? []) lengths.push(chunk.byteLength)
    expect(lengths).toEqual([2, 1, 2])
  })

  test('asks for a chunk only when the reader does', async () => {
    let asked = 0
    serving(() => served([], { next: () => (asked++ < 5 ? new Uint8Array([asked]) : undefined) }))
    const reader = (await fetch(url)).body?.getReader()
    await settle()
    expect(asked).toBe(0)
    await reader?.read()
    await settle()
    expect(asked).toBe(1)
  })

  test('shows status, headers, every set-cookie, url, redirected and type', async () => {
    serving(() =>
      served(['{"ok":true}'], {
        status: 201,
        statusText: 'Made',
        headers: [
          ['content-type', 'application/json'],
          ['set-cookie', 'a=1'],
          ['set-cookie', 'b=2'],
        ],
        url: 'https://api.example.com/final',
        redirected: true,
      }),
    )
    const response = await fetch(url)
    expect([response.status, response.statusText, response.url, response.redirected, response.type]).toEqual([
      201,
      'Made',
      'https://api.example.com/final',
      true,
      'basic',
    ])
    expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2'])
    const copy = response.clone()
    expect([copy.url, await copy.text(), await response.json()]).toEqual([
      'https://api.example.com/final',
      '{"ok":true}',
      { ok: true },
    ])
  })

  test.each([204, 205, 304])('gives %i a null body, whatever was stored', async (status) => {
    serving(() => served(['stray'], { status }))
    const response = await fetch(url)
    expect([response.status, response.body, await response.text()]).toEqual([status, null, ''])
  })

  test('gives an answer without a body, such as to HEAD, a null body', async () => {
    serving(() => ({ ...served([]), body: undefined }))
    const response = await fetch(url, { method: 'HEAD' })
    expect([response.status, response.body]).toEqual([200, null])
  })

  test.each([199, 600, 999])('shows a status that a Response cannot be built with: %i', async (status) => {
    serving(() => served(['x'], { status }))
    const response = await fetch(url)
    expect([response.status, response.ok, response.clone().status, await response.text()]).toEqual([
      status,
      false,
      status,
      'x',
    ])
  })

  test('waits for a chunk that is paced', async () => {
    const left = ['a', 'b']
    serving(() =>
      served([], {
        next: async () => {
          await settle(1)
          const text = left.shift()
          return text === undefined ? text : new TextEncoder().encode(text)
        },
      }),
    )
    expect(await (await fetch(url)).text()).toBe('ab')
  })

  test('F10 ends with the recorded error, the very object, after the chunks', async () => {
    const error = new TypeError('terminated')
    serving(() => served(['one'], { end: { kind: 'error', error } }))
    const reader = (await fetch(url)).body?.getReader()
    expect(decoder.decode((await reader?.read())?.value)).toBe('one')
    await expect(reader?.read()).rejects.toBe(error)
  })

  test('a hanging end tells once that the caller reads on, and stays pending until he aborts', async () => {
    const told: string[] = []
    const controller = new AbortController()
    serving(() =>
      served(['one'], {
        end: { kind: 'hang' },
        readPast: () => void told.push('past'),
        cancelled: () => void told.push('cancelled'),
      }),
    )
    const reader = (await fetch(url, { signal: controller.signal })).body?.getReader()
    await reader?.read()
    await settle()
    expect(told).toEqual([])
    const waiting = reader?.read().catch((error: unknown) => error)
    expect(await Promise.race([waiting, settle().then(() => 'pending')])).toBe('pending')
    expect(told).toEqual(['past'])
    controller.abort()
    expect(await waiting).toBe(controller.signal.reason)
    expect(told).toEqual(['past', 'cancelled'])
  })

  test('a cancel while it hangs settles at once', async () => {
    const told: string[] = []
    serving(() => served([], { end: { kind: 'hang' }, cancelled: () => void told.push('cancelled') }))
    const reader = (await fetch(url)).body?.getReader()
    const waiting = reader?.read()
    await settle()
    await reader?.cancel()
    expect([await waiting, told]).toEqual([{ done: true, value: undefined }, ['cancelled']])
  })

  test('an abort mid-body errors it with the reason, also between reads', async () => {
    const controller = new AbortController()
    serving(() => served(['one', 'two']))
    const reader = (await fetch(url, { signal: controller.signal })).body?.getReader()
    await reader?.read()
    controller.abort()
    await expect(reader?.read()).rejects.toBe(controller.signal.reason)
  })

  test('an abort after the end changes nothing', async () => {
    const told: string[] = []
    const controller = new AbortController()
    serving(() => served(['one'], { cancelled: () => void told.push('cancelled') }))
    const response = await fetch(url, { signal: controller.signal })
    expect(await response.text()).toBe('one')
    controller.abort()
    expect(told).toEqual([])
  })

  test('an abort while the router has not answered rejects with the reason', async () => {
    const controller = new AbortController()
    installed(scriptedRouter({ route: () => new Promise(() => {}) }))
    const call = fetch(url, { signal: controller.signal })
    await settle()
    controller.abort()
    await expect(call).rejects.toBe(controller.signal.reason)
  })

  test('a rejected call rejects with the very error', async () => {
    const error = new RangeError('mine')
    installed(scriptedRouter({ route: () => ({ kind: 'reject', error }) }))
    await expect(fetch(url)).rejects.toBe(error)
  })

  test('a router that throws, in peek or route, rejects the call', async () => {
    const error = new RangeError('defect')
    const fail = () => {
      throw error
    }
    const first = installed(scriptedRouter({ peek: fail }))
    await expect(fetch(url)).rejects.toBe(error)
    first.interception.uninstall()
    installed(scriptedRouter({ route: fail }))
    await expect(fetch(url)).rejects.toBe(error)
  })
})
