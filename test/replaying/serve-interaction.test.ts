import { describe, expect, test } from 'vitest'
import type { BodyEnd, HttpInteraction, HttpResponse, ResponseBody } from '../../src/core/cassette/document.ts'
import type { ServedBody } from '../../src/interception/router.ts'
import { type Serving, serveInteraction } from '../../src/replaying/serve-interaction.ts'

function interaction(answer: Partial<HttpResponse> | Pick<HttpInteraction, 'failure'>): HttpInteraction {
  const given = 'failure' in answer ? answer : { response: { status: 200, headers: [], ...answer } as HttpResponse }
  return {
    number: 1,
    kind: 'model',
    hash: '',
    timing: { startMs: 0 },
    request: { method: 'POST', url: 'https://api.example.com/v1' },
    ...given,
  }
}

function serve(answer: Parameters<typeof interaction>[0], options: Partial<Serving> = {}) {
  return serveInteraction({
    interaction: interaction(answer),
    sideFiles: new Map(),
    retryAfter: 'fast',
    road: 'fetch',
    ...options,
  })
}

function respond(answer: Partial<HttpResponse>, options: Partial<Serving> = {}) {
  const served = serve(answer, options)
  expect(served.kind).toBe('respond')
  return (served as Extract<typeof served, { kind: 'respond' }>).response
}

async function drain(body: ServedBody | undefined): Promise<string[]> {
  const texts: string[] = []
  for (let chunk = await body?.next(); chunk !== undefined; chunk = await body?.next())
    texts.push(Buffer.from(chunk).toString())
  return texts
}

const stream = (events: string[], end?: BodyEnd): ResponseBody => ({
  text: events.join(''),
  cuts: { bytes: events.map((event) => Buffer.byteLength(event)) },
  ...(end === undefined ? {} : { end }),
})

describe('a served interaction', () => {
  test('AR-09 F8 serves the recorded chunks in order, then closes', async () => {
    const { body } = respond({ body: stream(['a', 'bc', '€']) })
    expect(await drain(body)).toEqual(['a', 'bc', '€'])
    expect(body?.end).toEqual({ kind: 'close' })
  })

  test('CU-13 starts from the first chunk each time it is served', async () => {
    const once = interaction({ body: stream(['a', 'b']) })
    for (let round = 0; round < 2; round += 1) {
      const served = serveInteraction({ interaction: once, sideFiles: new Map(), retryAfter: 'fast', road: 'fetch' })
      expect(await drain(served.kind === 'respond' ? served.response.body : undefined)).toEqual(['a', 'b'])
    }
  })

  test('is served again as recorded, whatever its reader does with the chunks he got', async () => {
    const failed = { stage: 'body', name: 'TypeError', message: 'terminated' } as const
    const once = interaction({ body: stream(['a', 'b'], { kind: 'failed', failure: failed }) })
    for (let round = 0; round < 2; round += 1) {
      const served = serveInteraction({ interaction: once, sideFiles: new Map(), retryAfter: 'fast', road: 'fetch' })
      const body = served.kind === 'respond' ? served.response.body : undefined
      const bytes = (await body?.next()) as Uint8Array<ArrayBuffer>
      expect([Buffer.from(bytes).toString(), bytes.buffer.byteLength]).toEqual(['a', 1])
      structuredClone(bytes.fill(0), { transfer: [bytes.buffer] })
      expect(await drain(body)).toEqual(['b'])
    }
  })

  test('decodes nothing before the body is read', () => {
    const missing: ResponseBody = { file: 'no.bin', sha256: '0'.repeat(64), bytes: 4 }
    const { body, status } = respond({ body: missing })
    expect(status).toBe(200)
    expect(() => body?.next()).toThrow(/no\.bin/)
  })

  test('has the final URL and redirected of the recording, else those of the request', () => {
    expect(respond({})).toMatchObject({
      url: 'https://api.example.com/v1',
      redirected: false,
      body: undefined,
      statusText: '',
    })
    expect(respond({ url: 'https://api.example.com/there', redirected: true, statusText: 'OK' })).toMatchObject({
      url: 'https://api.example.com/there',
      redirected: true,
      statusText: 'OK',
    })
  })

  test('tells a failure to come back in 1 ms, unless the recorded wait is wanted', () => {
    const failed = {
      status: 429,
      headers: [
        ['retry-after', '30'],
        ['x-request-id', 'r'],
      ] as const,
    }
    expect(respond(failed).headers).toEqual([
      ['x-request-id', 'r'],
      ['retry-after', '0.001'],
      ['retry-after-ms', '1'],
    ])
    expect(respond(failed, { retryAfter: 'recorded' }).headers).toEqual(failed.headers)
    expect(respond({ ...failed, status: 200 }).headers).toEqual(failed.headers)
  })

  test('F10 errors after the chunks of a body that broke', async () => {
    const failure = { stage: 'body', name: 'TypeError', message: 'terminated' } as const
    const { body } = respond({ body: stream(['a'], { kind: 'failed', failure }) })
    expect(await drain(body)).toEqual(['a'])
    expect(body?.end).toMatchObject({ kind: 'error', error: new TypeError('terminated') })
  })

  test.each(['aborted', 'partial'] as const)(
    'F10 hangs after the chunks of a body that the caller left: %s',
    async (kind) => {
      const told: string[] = []
      const { body } = respond(
        { body: stream(['data: {}\n\n'], { kind }) },
        { onPastEnd: () => told.push('past'), onCancelled: () => told.push('cancelled') },
      )
      await drain(body)
      expect(body?.end).toEqual({ kind: 'hang' })
      body?.readPast?.()
      body?.cancelled?.()
      expect(told).toEqual(['past', 'cancelled'])
    },
  )

  test.each(['aborted', 'partial'] as const)(
    'closes a body that was left after its terminal event: %s',
    async (kind) => {
      const { body } = respond({ body: stream(['data: {}\n\n', 'data: [DO', 'NE]\n\n'], { kind }) })
      expect(await drain(body)).toHaveLength(3)
      expect(body?.end).toEqual({ kind: 'close' })
    },
  )

  test('F16 rejects with the rebuilt error of a call that was never answered', () => {
    const cause = { stage: 'connect', name: 'Error', message: 'connect ECONNREFUSED', code: 'ECONNREFUSED' } as const
    const failure = { stage: 'connect', name: 'TypeError', message: 'fetch failed', cause } as const
    expect(serve({ failure })).toMatchObject({
      kind: 'reject',
      error: { message: 'fetch failed', cause: { code: 'ECONNREFUSED' } },
    })
    expect(serve({ failure }, { road: 'dispatcher' })).toMatchObject({
      kind: 'reject',
      error: { message: 'connect ECONNREFUSED' },
    })
  })

  test('stays silent where the recording caller gave up before the head', () => {
    const failure = { stage: 'headers', name: 'AbortError', message: '', details: { abortedBy: 'caller' } } as const
    expect(serve({ failure })).toEqual({ kind: 'silent' })
  })
})
