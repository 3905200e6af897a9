import type { ServerResponse } from 'node:http'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { describe, expect, onTestFinished, test } from 'vitest'
import { loopbackServer, settle, until, whenClosed } from './loopback-server.ts'
import { installed, scriptedRouter, witnessed } from './scripted-router.ts'

const decoder = new TextDecoder()

async function readTexts(response: Response): Promise<string[]> {
  const texts: string[] = []
  for await (const chunk of response.body ?? []) texts.push(decoder.decode(chunk))
  return texts
}

/** A server that answers one call as the test says, step by step. */
async function answeringByHand() {
  let answer: ServerResponse | undefined
  const { url } = await loopbackServer((_, response) => {
    answer = response
    response.flushHeaders()
  })
  const response = async () => {
    await until(() => answer !== undefined)
    return answer as ServerResponse
  }
  return {
    url,
    write: async (text: string) => void (await response()).write(text),
    end: async () => void (await response()).end(),
    die: async () => void (await response()).destroy(),
  }
}

describe('a live call over fetch, observed', () => {
  test('hands on each chunk as it comes, before the server sends the next', async () => {
    const { witness } = witnessed()
    let goOn = () => {}
    const { url } = await loopbackServer(async (_, response) => {
      for (const text of ['one', 'two', 'three']) {
        response.write(text)
        await new Promise<void>((resolve) => {
          goOn = resolve
        })
      }
      response.end()
    })
    const response = await fetch(url)
    const read: string[] = []
    for await (const chunk of response.body ?? []) {
      read.push(decoder.decode(chunk))
      expect(witness.chunks).toHaveLength(read.length)
      goOn()
    }
    expect(read).toEqual(['one', 'two', 'three'])
    expect(witness.told).toEqual(['head', 'chunk', 'chunk', 'chunk', 'end'])
    expect(witness.text).toBe('onetwothree')
  })

  test('keeps back-pressure: a server with 64 MB to send is held up when nobody reads', async () => {
    const { witness } = witnessed()
    let pushedBytes = 0
    const megabyte = Buffer.alloc(1 << 20)
    const { url } = await loopbackServer(async (_, response) => {
      for (let sent = 0; sent < 64 && !response.destroyed; sent += 1) {
        pushedBytes += megabyte.byteLength
        if (!response.write(megabyte))
          await new Promise((resolve) => response.once('drain', resolve).once('close', resolve))
      }
      response.end()
    })
    const response = await fetch(url)
    const reader = response.body?.getReader()
    await reader?.read()
    await settle(150)
    expect(pushedBytes).toBeLessThan(24 << 20)
    expect(witness.chunks).toHaveLength(1)
    await reader?.cancel()
  })

  test('passes a cancel on to the server, and tells it', async () => {
    const { witness } = witnessed()
    let closed: Promise<void> | undefined
    const { url } = await loopbackServer((_, response) => {
      closed = whenClosed(response)
      response.write('one')
    })
    const reader = (await fetch(url)).body?.getReader()
    await reader?.read()
    await reader?.cancel('enough')
    await closed
    expect(witness.told).toEqual(['head', 'chunk', 'cancel'])
  })

  test('leaves a body that is read in part and dropped open, with what was read', async () => {
    const { witness } = witnessed()
    const server = await answeringByHand()
    const reader = (await fetch(server.url)).body?.getReader()
    for (const text of ['one', 'two']) {
      await server.write(text)
      await reader?.read()
    }
    await server.write('three')
    await server.end()
    await settle()
    expect(witness.told).toEqual(['head', 'chunk', 'chunk'])
    expect([witness.text, witness.waiting]).toEqual(['onetwo', false])
  })

  test.each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
  ] as const)('F7 shows the observer the decoded bytes of a %s body', async (encoding, compress) => {
    const { witness } = witnessed()
    const { url } = await loopbackServer((_, response) => {
      response.setHeader('content-encoding', encoding)
      response.end(compress('plain words'))
    })
    const response = await fetch(url)
    expect(await response.text()).toBe('plain words')
    expect(response.headers.get('content-encoding')).toBe(encoding)
    expect(witness.text).toBe('plain words')
  })

  test('keeps the final URL, redirected and type of a followed redirect, as one exchange', async () => {
    const { witness, router } = witnessed()
    const { url } = await loopbackServer((request, response) => {
      if (request.path === '/there') response.end('arrived')
      else response.writeHead(302, { location: '/there' }).end()
    })
    const response = await fetch(`${url}/here#part`)
    expect([response.url, response.redirected, response.type]).toEqual([`${url}/there`, true, 'basic'])
    expect(await response.text()).toBe('arrived')
    expect(router.routed.map((request) => request.url)).toEqual([`${url}/here`])
    expect(witness.heads).toMatchObject([{ url: `${url}/there`, redirected: true, status: 200 }])
  })

  test('keeps status, status text and every set-cookie', async () => {
    const { witness } = witnessed()
    const { url } = await loopbackServer((_, response) => {
      response.writeHead(429, 'Slow Down', { 'set-cookie': ['a=1; Path=/', 'b=2'], 'x-request-id': 'r1' })
      response.end('{}')
    })
    const response = await fetch(url)
    expect([response.status, response.statusText, response.ok]).toEqual([429, 'Slow Down', false])
    expect(response.headers.getSetCookie()).toEqual(['a=1; Path=/', 'b=2'])
    expect(witness.heads[0]?.headers.filter(([name]) => name === 'set-cookie')).toEqual([
      ['set-cookie', 'a=1; Path=/'],
      ['set-cookie', 'b=2'],
    ])
    expect(response).toBeInstanceOf(Response)
  })

  test.each([
    ['GET', 204],
    ['GET', 205],
    ['GET', 304],
    ['HEAD', 200],
  ])('gives %s with %i a null body', async (method, status) => {
    const { witness } = witnessed()
    const { url } = await loopbackServer((_, response) => void response.writeHead(status).end())
    const response = await fetch(url, { method })
    expect([response.status, response.body]).toEqual([status, null])
    expect(await response.text()).toBe('')
    expect(witness.told).toEqual(['head', 'end'])
    expect(witness.heads[0]?.hasBody).toBe(false)
  })

  test('gives an answer whose clone reads the same and shows the same URL', async () => {
    const { witness } = witnessed()
    const { url } = await loopbackServer((_, response) => void response.end('{"a":1}'))
    const response = await fetch(`${url}/x`)
    const copy = response.clone()
    expect([copy.url, copy.clone().url]).toEqual([`${url}/x`, `${url}/x`])
    expect(await Promise.all([response.json(), copy.json()])).toEqual([{ a: 1 }, { a: 1 }])
    expect(witness.text).toBe('{"a":1}')
  })

  test('serves a BYOB reader, as a body of fetch does', async () => {
    const { witness } = witnessed()
    const { url } = await loopbackServer((_, response) => void response.end('abcdef'))
    const reader = (await fetch(url)).body?.getReader({ mode: 'byob' })
    const first = await reader?.read(new Uint8Array(4))
    const second = await reader?.read(new Uint8Array(4))
    const last = await reader?.read(new Uint8Array(4))
    expect([decoder.decode(first?.value), decoder.decode(second?.value), last?.done]).toEqual(['abcd', 'ef', true])
    expect(witness.told).toEqual(['head', 'chunk', 'end'])
  })

  test('keeps the recorded bytes when the caller changes his chunk', async () => {
    const { witness } = witnessed()
    const { url } = await loopbackServer((_, response) => void response.end('secret'))
    for await (const chunk of (await fetch(url)).body ?? []) chunk.fill(0)
    expect(witness.text).toBe('secret')
  })

  test('reads a body that holds no byte to its end', async () => {
    const { witness } = witnessed()
    const { url } = await loopbackServer((_, response) => void response.end())
    expect(await readTexts(await fetch(url))).toEqual([])
    expect(witness.told).toEqual(['head', 'end'])
  })
})

describe('a live call over fetch that fails', () => {
  /** The same call without us and with us: what the caller sees must be the same kind of error. */
  async function bothWays(
    call: () => Promise<unknown>,
  ): Promise<{ bare: unknown; observed: unknown; told: readonly string[]; seen: unknown }> {
    const bare = await call().catch((error: unknown) => error)
    const { witness } = witnessed()
    const observed = await call().catch((error: unknown) => error)
    return { bare, observed, told: witness.told, seen: witness.error }
  }

  const shape = (error: unknown) => {
    const { name, message, code, cause } = error as {
      name: string
      message: string
      code?: unknown
      cause?: { name: string; code?: unknown }
    }
    return { name, message, code, cause: cause && { name: cause.name, code: cause.code } }
  }

  test('rejects with the very error of a refused connection', async () => {
    const { server, url } = await loopbackServer(() => {})
    await new Promise((resolve) => server.close(resolve))
    const { bare, observed, told, seen } = await bothWays(() => fetch(url))
    expect(shape(observed)).toEqual(shape(bare))
    expect(shape(observed)).toMatchObject({ message: 'fetch failed', cause: { code: 'ECONNREFUSED' } })
    expect([told, seen === observed]).toEqual([['fail'], true])
  })

  test('errors the body with the very error when the server dies mid-stream', async () => {
    const { bare, observed, told, seen } = await bothWays(async () => {
      const server = await answeringByHand()
      const reader = (await fetch(server.url)).body?.getReader()
      await server.write('one')
      await reader?.read()
      await server.die()
      await reader?.read()
    })
    expect(shape(observed)).toEqual(shape(bare))
    expect(shape(observed)).toMatchObject({
      name: 'TypeError',
      message: 'terminated',
      cause: { code: 'UND_ERR_SOCKET' },
    })
    expect(told).toEqual(['head', 'chunk', 'fail'])
    expect(seen).toBe(observed)
  })

  test('tells of a server that dies while a read waits, and shows the reader the same error', async () => {
    const { witness } = witnessed()
    const server = await answeringByHand()
    const reader = (await fetch(server.url)).body?.getReader()
    await server.write('one')
    await reader?.read()
    const outcomes = [reader?.closed, reader?.read()].map((outcome) => outcome?.catch((error: unknown) => error))
    await server.die()
    for (const outcome of outcomes) expect(await outcome).toBe(witness.error)
    expect(witness.told).toEqual(['head', 'chunk', 'fail'])
  })

  test.each([
    ['an abort', undefined, 'AbortError'],
    ['an abort with a reason', new RangeError('mine'), 'RangeError'],
  ])('%s before the head rejects with the reason and reaches the server', async (_, reason, name) => {
    const { witness } = witnessed()
    const controller = new AbortController()
    let closed: Promise<void> | undefined
    const { url } = await loopbackServer((_request, response) => {
      closed = whenClosed(response)
      controller.abort(reason)
    })
    const error = await fetch(url, { signal: controller.signal }).catch((thrown: unknown) => thrown)
    expect(error).toBe(controller.signal.reason)
    expect((error as Error).name).toBe(name)
    await closed
    expect([witness.told, witness.error === error]).toEqual([['cancel'], true])
  })

  test('an abort mid-body errors the waiting read with the reason and reaches the server', async () => {
    const { witness } = witnessed()
    const controller = new AbortController()
    let closed: Promise<void> | undefined
    const { url } = await loopbackServer((_, response) => {
      closed = whenClosed(response)
      response.write('one')
    })
    const response = await fetch(url, { signal: controller.signal })
    const reader = response.body?.getReader()
    await reader?.read()
    const waiting = reader?.read().catch((error: unknown) => error)
    controller.abort()
    expect(await waiting).toBe(controller.signal.reason)
    await closed
    expect(witness.told).toEqual(['head', 'chunk', 'cancel'])
  })

  test('an abort after the end has come, unread, is an abort (the fetch of Node 20 neither ends nor fails the body then)', async () => {
    const { witness } = witnessed()
    const controller = new AbortController()
    const server = await answeringByHand()
    const reader = (await fetch(server.url, { signal: controller.signal })).body?.getReader()
    await server.write('one')
    await reader?.read()
    await server.end()
    await settle()
    controller.abort()
    await settle()
    expect(witness.told).toEqual(['head', 'chunk', 'cancel'])
  })

  test('a timeout signal gives its TimeoutError', async () => {
    const { witness } = witnessed()
    const { url } = await loopbackServer(() => {})
    const error = await fetch(url, { signal: AbortSignal.timeout(15) }).catch((thrown: unknown) => thrown)
    expect((error as Error).name).toBe('TimeoutError')
    expect(witness.told).toEqual(['cancel'])
  })

  test('a signal aborted beforehand routes nothing and sends nothing', async () => {
    const { router } = witnessed()
    const { url, seen } = await loopbackServer((_, response) => void response.end())
    const signal = AbortSignal.abort()
    await expect(fetch(url, { signal })).rejects.toBe(signal.reason)
    expect([router.routed.length, seen.length]).toEqual([0, 0])
  })

  test('a signal that is shared by a hundred calls warns of no leak', async () => {
    const warnings: string[] = []
    const listen = (warning: Error) => void warnings.push(warning.name)
    process.on('warning', listen)
    onTestFinished(() => void process.off('warning', listen))
    installed(scriptedRouter({ route: async () => ({ kind: 'pass' }) }))
    const { url } = await loopbackServer((_, response) => void response.end())
    const { signal } = new AbortController()
    await Promise.all(Array.from({ length: 100 }, () => fetch(url, { signal }).then((response) => response.text())))
    await settle()
    expect(warnings).toEqual([])
  })
})

describe('arguments of fetch that are not for the network', () => {
  test.each([
    ['data:text/plain,hello'],
    ['blob:nodedata:nothing'],
    ['file:///nowhere'],
    ['not a url'],
    ['http://user:word@127.0.0.1:1/'],
  ])('%s is left to fetch itself', async (input) => {
    const bare = await fetch(input)
      .then((response) => response.text())
      .catch((error: Error) => error.message)
    const { router } = witnessed()
    const ours = await fetch(input)
      .then((response) => response.text())
      .catch((error: Error) => error.message)
    expect([ours, router.peeked.length]).toEqual([bare, 0])
  })

  test('a GET with a body is refused by fetch and routed nowhere', async () => {
    const { router } = witnessed()
    await expect(fetch('http://127.0.0.1:1/', { body: 'x' })).rejects.toThrow(/GET\/HEAD/)
    expect(router.peeked).toEqual([])
  })

  test('a call that peek passes is forwarded with the very arguments, unread', async () => {
    const router = installed(scriptedRouter({ peek: () => 'pass' }))
    const { url, seen } = await loopbackServer((_, response) => void response.end('ok'))
    const request = new Request(url, { method: 'POST', body: 'hello' })
    expect(await (await fetch(request)).text()).toBe('ok')
    expect([router.routed.length, seen[0]?.body.toString(), router.peeked[0]?.bodyKind]).toEqual([0, 'hello', 'stream'])
    // Only the fetch road was asked: the dispatcher under it lets a decided call through.
    expect(router.peeked).toHaveLength(1)
  })
})
