import { describe, expect, test } from 'vitest'
import type { CapturedRequest } from '../../src/core/capture/captured-request.ts'
import { loopbackServer } from './loopback-server.ts'
import { installed, scriptedRouter, served, serving, witnessed } from './scripted-router.ts'

function form(): FormData {
  const data = new FormData()
  data.append('model', 'whisper-1')
  data.append('file', new Blob(['sound']), 'a.wav')
  return data
}

function stream(): ReadableStream<Uint8Array> {
  return new Blob(['streamed']).stream() as ReadableStream<Uint8Array>
}

const header = (request: CapturedRequest | undefined, name: string) =>
  request?.headers.find(([key]) => key === name)?.[1]

describe('request bodies over fetch', () => {
  test.each<[string, string, () => RequestInit]>([
    ['no body', 'none', () => ({ method: 'POST' })],
    ['a string', 'bytes', () => ({ method: 'POST', body: 'wörd' })],
    ['bytes', 'bytes', () => ({ method: 'POST', body: new Uint8Array([0, 255, 10]) })],
    [
      'a view into a larger buffer',
      'bytes',
      () => ({ method: 'POST', body: new Uint8Array([1, 2, 3, 4]).subarray(1, 3) }),
    ],
    ['an ArrayBuffer', 'bytes', () => ({ method: 'POST', body: new Uint8Array([7, 8]).buffer })],
    ['URLSearchParams', 'bytes', () => ({ method: 'POST', body: new URLSearchParams({ a: 'b c' }) })],
    ['FormData', 'stream', () => ({ method: 'POST', body: form() })],
    ['a Blob with a type', 'stream', () => ({ method: 'POST', body: new Blob(['x'], { type: 'text/csv' }) })],
    ['a stream', 'stream', () => ({ method: 'POST', body: stream(), duplex: 'half' })],
  ])('captures %s as it goes out', async (_, bodyKind, make) => {
    const { router } = witnessed()
    const { url, seen } = await loopbackServer((_request, response) => void response.end())
    await (await fetch(url, make())).text()
    expect(seen).toHaveLength(1)
    const [captured] = router.routed
    expect(router.peeked[0]?.bodyKind).toBe(bodyKind)
    expect(Buffer.from(captured?.body ?? [])).toEqual(seen[0]?.body)
    // The same type, and of a form the same boundary.
    expect(header(captured, 'content-type')).toBe(seen[0]?.headers['content-type'])
  })

  test('reads a body that is served once: to know its kind it need not be read', async () => {
    let reads = 0
    class Counted extends URLSearchParams {
      override toString(): string {
        reads += 1
        return super.toString()
      }
    }
    const { routed } = serving(() => served([]))
    await (await fetch('http://a.test/', { method: 'POST', body: new Counted({ a: 'b' }) })).text()
    expect(Buffer.from(routed[0]?.body ?? []).toString()).toBe('a=b')
    expect(reads).toBe(1)
  })

  test('captures a Request with a body, used up as fetch uses it up', async () => {
    const { router } = witnessed()
    const { url, seen } = await loopbackServer((_, response) => void response.end())
    const request = new Request(`${url}/r`, {
      method: 'PUT',
      body: '{"a":1}',
      headers: { 'content-type': 'application/json', 'x-one': '1' },
    })
    await (await fetch(request)).text()
    expect(request.bodyUsed).toBe(true)
    expect(seen).toMatchObject([
      { method: 'PUT', path: '/r', headers: { 'content-type': 'application/json', 'x-one': '1' } },
    ])
    expect(seen[0]?.body.toString()).toBe('{"a":1}')
    expect(router.routed[0]).toMatchObject({ method: 'PUT', url: `${url}/r`, road: 'fetch' })
    expect(Buffer.from(router.routed[0]?.body ?? []).toString()).toBe('{"a":1}')
  })

  test('init overrides the Request, also where init is a Request itself', async () => {
    const { router } = witnessed()
    const { url, seen } = await loopbackServer((_, response) => void response.end())
    const request = new Request(url, { method: 'POST', body: 'from request' })
    await (await fetch(request, { body: form(), headers: { 'x-two': '2' } })).text()
    await (
      await fetch(url, new Request('http://127.0.0.1:1/', { method: 'DELETE', headers: { 'x-three': '3' } }))
    ).text()
    expect(seen[0]?.body.includes('whisper-1')).toBe(true)
    expect(seen[0]?.headers['x-two']).toBe('2')
    expect(seen[1]).toMatchObject({ method: 'DELETE', headers: { 'x-three': '3' } })
    expect(router.routed.map((call) => call.method)).toEqual(['POST', 'DELETE'])
  })

  test('keeps redirect: error and redirect: manual of a Request whose body was read', async () => {
    witnessed()
    const { url } = await loopbackServer((_, response) => void response.writeHead(302, { location: '/there' }).end())
    const make = (redirect: 'error' | 'manual') => new Request(url, { method: 'POST', body: 'x', redirect })
    expect((await fetch(make('manual'))).status).toBe(302)
    await expect(fetch(make('error'))).rejects.toThrow('fetch failed')
  })

  test('a request stream that fails rejects as fetch does, its error the cause', async () => {
    const fail = () =>
      new ReadableStream({
        pull() {
          throw new RangeError('mine')
        },
      })
    const { router } = witnessed()
    const { url, seen } = await loopbackServer((_, response) => void response.end())
    const error = await fetch(url, { method: 'POST', body: fail(), duplex: 'half' }).catch((thrown: Error) => thrown)
    expect(error).toMatchObject({
      name: 'TypeError',
      message: 'fetch failed',
      cause: { name: 'RangeError', message: 'mine' },
    })
    expect([router.routed.length, seen.length]).toEqual([0, 0])
  })

  test('an abort while a request stream is read rejects with the reason', async () => {
    witnessed()
    const controller = new AbortController()
    const never = new ReadableStream({})
    const call = fetch('http://127.0.0.1:1/', {
      method: 'POST',
      body: never,
      duplex: 'half',
      signal: controller.signal,
    })
    controller.abort()
    await expect(call).rejects.toBe(controller.signal.reason)
  })

  test('routes calls with plain bodies in the order they were made', async () => {
    const router = installed(
      scriptedRouter({ route: (request) => ({ kind: 'reject', error: new RangeError(request.url) }) }),
    )
    const calls = ['a', 'b', 'c'].map((name) =>
      fetch(`https://api.example.com/${name}`, { method: 'POST', body: name }),
    )
    expect(router.routed.map((request) => request.url.at(-1))).toEqual(['a', 'b', 'c'])
    await Promise.allSettled(calls)
  })

  test('a decision that comes with the first look is asked where the body is read at once, and no second time', async () => {
    const asked: string[] = []
    const decides = (who: string) => (request: CapturedRequest) => {
      asked.push(`${who}: ${Buffer.from(request.body ?? []).toString()}`)
      return { kind: 'reject', error: new RangeError(who) } as const
    }
    installed(scriptedRouter({ peek: () => decides('at once'), route: decides('later') }))
    const url = 'https://api.example.com/'
    const calls = [
      fetch(url, { method: 'POST', body: 'plain' }),
      fetch(url, { method: 'POST', body: stream(), duplex: 'half' }),
    ]
    expect(asked).toEqual(['at once: plain'])
    await Promise.allSettled(calls)
    expect(asked).toEqual(['at once: plain', 'later: streamed'])
  })

  test('headers are captured with their names in lower case, and the type that fetch adds', async () => {
    const { router } = witnessed()
    const { url } = await loopbackServer((_request, response) => void response.end())
    const given = { 'X-Two': '2', 'X-One': '1' }
    for (const headers of [given, new Headers(given), Object.entries(given) as [string, string][]]) {
      await (await fetch(url, { method: 'POST', headers, body: 'x' })).text()
    }
    const expected = [
      ['x-one', '1'],
      ['x-two', '2'],
      ['content-type', 'text/plain;charset=UTF-8'],
    ]
    expect(router.routed.map(({ headers }) => headers)).toEqual([expected, expected, expected])
  })
})
