import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Failure, Json, RecordedBody } from '../../src/core/cassette/document.ts'
import { bodyOf, joinedText, openaiKey, redactorOf, sampleOf, textOf } from './secret-samples.ts'

const key = openaiKey(1)

function chunkTexts(body: RecordedBody): string[] {
  return body.chunks.map(({ bytes }) => textOf(bytes))
}

/** Cuts bytes at the given places. */
function cutAt(text: string, places: readonly number[]): Uint8Array[] {
  const bytes = new TextEncoder().encode(text)
  const cuts = [0, ...places.map((place) => place % (bytes.length + 1)), bytes.length].sort((a, b) => a - b)
  return cuts.slice(1).map((cut, index) => bytes.slice(cuts[index], cut))
}

describe('promise 7: a response head', () => {
  test('keeps headers from an allow-list alone, in their order', () => {
    const kept = [
      'date',
      'content-type',
      'retry-after-ms',
      'x-request-id',
      'request-id',
      'anthropic-ratelimit-tokens-limit',
      'x-ratelimit-limit-requests',
      'vary',
      'etag',
      'x-should-retry',
      'mcp-session-id',
      'x-amzn-errortype',
    ]
    const dropped = [
      'openai-organization',
      'openai-project',
      'anthropic-organization-id',
      'cf-ray',
      'server',
      'authorization',
      'x-api-key',
      'x-account',
      'content-encoding',
      'content-length',
      'transfer-encoding',
    ]
    const headers = [...kept, ...dropped].sort().map((name) => [name, 'v'] as const)
    const head = redactorOf().responseHead({ status: 200, statusText: 'OK', headers, url: 'https://x.test/' })
    expect(head.headers.map(([name]) => name)).toEqual([...kept].sort())
  })

  test('keeps name and attributes of each cookie', () => {
    const { headers } = redactorOf().responseHead({
      status: 200,
      statusText: 'OK',
      url: 'https://x.test/',
      headers: [
        ['set-cookie', 'sid=abc=; Path=/; HttpOnly; Expires=Wed, 06 May 2026 03:44:34 GMT'],
        ['set-cookie', 'theme=dark'],
        ['set-cookie', 'again=abc=; Secure'],
        ['set-cookie', 'gone=; Max-Age=0'],
        ['set-cookie', 'kept=<redacted:cookie:9>; Path=/'],
      ],
    })
    expect(headers.map(([, value]) => value)).toEqual([
      'sid=<redacted:cookie:1>; Path=/; HttpOnly; Expires=Wed, 06 May 2026 03:44:34 GMT',
      'theme=<redacted:cookie:2>',
      'again=<redacted:cookie:1>; Secure',
      'gone=; Max-Age=0',
      'kept=<redacted:cookie:9>; Path=/',
    ])
  })

  test('redacts location and its own URL as request URLs', () => {
    const { headers, url } = redactorOf().responseHead({
      status: 302,
      statusText: 'Found',
      url: 'http://u:p@127.0.0.1:4000/a?token=x',
      headers: [
        ['location', '/b?token=x&page=2#access_token=y'],
        ['content-disposition', 'attachment; filename="/home/alice/shop/a.txt"'],
        ['link', '<https://x.test/a?token=x&page=3>; rel="next"'],
      ],
    })
    expect(url).toBe('http://localhost/a?token=<redacted:token:1>')
    expect(headers).toEqual([
      ['location', '/b?token=<redacted:token:1>&page=2#access_token=<redacted:access-token:1>'],
      ['content-disposition', 'attachment; filename="<project>/a.txt"'],
      ['link', '<https://x.test/a?token=<redacted:token:1>&page=3>; rel="next"'],
    ])
  })

  test('replaces the value of further headers', () => {
    const { headers } = redactorOf({ headers: ['ETag'] }).responseHead({
      status: 200,
      statusText: '',
      url: '',
      headers: [['etag', 'me']],
    })
    expect(headers).toEqual([['etag', '<redacted:header:1>']])
  })
})

describe('promises 1 and 7: a response body', () => {
  test('is the same object where nothing is found', () => {
    const body = bodyOf(['{"a":', '"é 鍵"}'])
    expect(redactorOf().responseBody(body, 'application/json')).toBe(body)
  })

  test('is the same object where the bytes are no text', () => {
    const body = bodyOf([new Uint8Array([0xff, 0xd8]), key])
    expect(redactorOf().responseBody(body, 'image/jpeg')).toBe(body)
  })

  test('keeps cuts outside of a secret where they were', () => {
    const body = redactorOf().responseBody(
      bodyOf(['data: {"a":1}\n\n', `data: {"b":"${key}"}\n\n`, 'data: [DONE]\n\n']),
      'text/event-stream',
    )
    expect(chunkTexts(body)).toEqual([
      'data: {"a":1}\n\n',
      'data: {"b":"<redacted:openai-key:1>"}\n\n',
      'data: [DONE]\n\n',
    ])
    expect(body.chunks.map(({ gapMs }) => gapMs)).toEqual([0, 1, 2])
  })

  test('finds a secret cut over two chunks at every place', () => {
    const text = `{"note":"é ${key} 鍵"}`
    for (let place = 1; place < Buffer.byteLength(text); place += 1) {
      const body = redactorOf().responseBody(bodyOf(cutAt(text, [place])), 'application/json')
      expect(joinedText(body)).toBe('{"note":"é <redacted:openai-key:1> 鍵"}')
      expect(body.chunks.map(({ bytes }) => bytes.length > 0)).toEqual([true, true])
    }
  })

  test('finds a secret in an answer of one byte a chunk, and empties no chunk', () => {
    const text = `{"note":"${key}", "and":"more text than was taken"}`
    const body = redactorOf().responseBody(bodyOf([...text].map((letter) => letter)), 'application/json')
    expect(joinedText(body)).toBe('{"note":"<redacted:openai-key:1>", "and":"more text than was taken"}')
    expect(body.chunks).toHaveLength(text.length)
    const bytes = joinedText(body).length
    expect(body.chunks.filter((chunk) => chunk.bytes.length === 0)).toHaveLength(text.length - bytes)
  })

  test('has as many chunks with the same gaps, and its joined text is the redacted joined text', {
    timeout: 60_000,
  }, () => {
    const fragment = fc.constantFrom(
      key,
      openaiKey(2),
      sampleOf('jwt'),
      '/home/alice/shop',
      '"api_key":"x"',
      ' é鍵😀 ',
      '{"a":1}',
      '\n\ndata: ',
      'plain words ',
    )
    fc.assert(
      fc.property(
        fc.array(fragment, { minLength: 1, maxLength: 8 }),
        fc.array(fc.nat(), { maxLength: 12 }),
        (parts, places) => {
          const text = parts.join('')
          const chunks = cutAt(text, places)
          const whole = redactorOf().responseBody(bodyOf([text]), 'text/plain')
          const body = redactorOf().responseBody(bodyOf(chunks), 'text/plain')
          expect(joinedText(body)).toBe(joinedText(whole))
          expect(body.chunks.map(({ gapMs }) => gapMs)).toEqual(chunks.map((_, index) => index))
          const emptied = body.chunks.filter(
            ({ bytes }, index) => bytes.length === 0 && (chunks[index]?.length ?? 0) > 0,
          )
          if (Buffer.byteLength(joinedText(body)) >= chunks.length) expect(emptied).toEqual([])
        },
      ),
      { numRuns: 500 },
    )
  })

  test('keeps an unfinished last letter and still finds what stands before it', () => {
    const bytes = new TextEncoder().encode(`${key} 鍵`)
    const body = redactorOf().responseBody({ ...bodyOf([bytes.slice(0, -1)]), end: { kind: 'aborted' } }, 'text/plain')
    expect(Buffer.from(body.chunks[0]?.bytes as Uint8Array)).toEqual(
      Buffer.concat([Buffer.from('<redacted:openai-key:1> '), bytes.slice(-3, -1)]),
    )
    expect(body.end).toEqual({ kind: 'aborted' })
  })

  test('redacts the failure that a body ended with', () => {
    const failure: Failure = { stage: 'body', name: 'TypeError', message: `terminated ${key}` }
    const body = redactorOf().responseBody({ chunks: [], end: { kind: 'failed', failure } }, undefined)
    expect(body.end).toEqual({ kind: 'failed', failure: { ...failure, message: 'terminated <redacted:openai-key:1>' } })
  })
})

/** A piece that is judged for itself as well: a key, or one that begins with a folder of this machine. */
function standsAlone(piece: string): boolean {
  return piece === key || piece === sampleOf('jwt') || /^\\?\/(?:home\/alice|tmp)/.test(piece)
}

describe('promise 7: text that a reader joins from events', () => {
  const openaiChat = (pieces: readonly string[]): string[] =>
    pieces.map((content) => `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`)
  const contents = (body: RecordedBody): string[] =>
    joinedText(body)
      .split('\n\n')
      .slice(0, -1)
      .map((event) => JSON.parse(event.slice(6)).choices[0].delta.content)

  test('is found wherever it is cut, and every event stays an event', () => {
    const text = `my key "${key}" in\n/home/alice/shop.`
    for (let place = 1; place < text.length; place += 1) {
      const pieces = [text.slice(0, place), text.slice(place)]
      const chunks = openaiChat(pieces)
      const body = redactorOf().responseBody(bodyOf(chunks), 'text/event-stream')
      expect(contents(body).join('')).toBe('my key "<redacted:openai-key:1>" in\n<project>.')
      expect(contents(body)).toHaveLength(2)
      expect(chunkTexts(body).every((chunk) => chunk.startsWith('data: ') && chunk.endsWith('\n\n'))).toBe(true)
    }
  })

  test('is found over many events, its placeholder standing where it began', () => {
    const pieces = ['key ', ...(key.match(/.{1,4}/g) ?? []), '\n', 'end']
    const body = redactorOf().responseBody(bodyOf(openaiChat(pieces)), 'text/event-stream')
    expect(contents(body).filter((content) => content !== '')).toEqual(['key ', '<redacted:openai-key:1>', '\n', 'end'])
    expect(contents(body)).toHaveLength(pieces.length)
  })

  test('is told apart by channel where two are interleaved', () => {
    const [a, b] = [openaiKey(1), openaiKey(2)]
    const event = (index: number, text: string): string =>
      `event: content_block_delta\ndata: ${JSON.stringify({ type: 'content_block_delta', index, delta: { type: 'text_delta', text } })} \n\n`
    const chunks = [event(0, a.slice(0, 12)), event(1, b.slice(0, 9)), event(0, a.slice(12)), event(1, b.slice(9))]
    const text = joinedText(redactorOf().responseBody(bodyOf(chunks), 'text/event-stream'))
    const texts = [...text.matchAll(/"text":"([^"]*)"/g)].map((match) => match[1])
    expect(texts).toEqual(['<redacted:openai-key:1>', '<redacted:openai-key:2>', '', ''])
  })

  test('is found by JSON key in tool arguments that come in pieces', () => {
    const pieces = ['{"api_', 'key": ', '"my ', 'sec', 'ret", "path":"/ho', 'me/alice/x"}']
    const body = redactorOf().responseBody(bodyOf(openaiChat(pieces)), 'text/event-stream')
    expect(JSON.parse(contents(body).join(''))).toEqual({ api_key: '<redacted:api-key:1>', path: '<home>/x' })
  })

  test.each([
    [
      'JSON lines',
      (pieces: string[]) => pieces.map((text) => `${JSON.stringify({ message: { content: text } })}\n`),
      'application/x-ndjson',
    ],
    [
      'one array of chunks',
      (pieces: string[]) =>
        pieces.map(
          (text, index) =>
            `${index === 0 ? '[' : ',\r\n'}${JSON.stringify({ parts: [{ text }] })}${index === pieces.length - 1 ? ']' : ''}`,
        ),
      'application/json',
    ],
  ])('is found in %s', (_, write, type) => {
    const chunks = write(['a ', key.slice(0, 10), key.slice(10), ' b'])
    const body = redactorOf().responseBody(bodyOf(chunks), type)
    expect(joinedText(body)).not.toContain(key.slice(10))
    expect(joinedText(body)).toContain('"<redacted:openai-key:1>"')
    expect(body.chunks).toHaveLength(4)
  })

  test.each<[string, (piece: string, index: number) => Json, 'text/event-stream' | 'application/x-ndjson']>([
    [
      'text of Cohere, a citation between',
      (text, index) =>
        index === 2
          ? { type: 'citation-start', index: 0, delta: { message: { citations: { start: 0, end: 2, text: 'my' } } } }
          : { type: 'content-delta', index: 0, delta: { message: { content: { text } } } },
      'text/event-stream',
    ],
    [
      'arguments of Cohere, a call beside',
      (text) => ({
        ...{ type: 'tool-call-delta', index: text === '' ? 1 : 0 },
        delta: { message: { tool_calls: { function: { arguments: text || '{}' } } } },
      }),
      'text/event-stream',
    ],
    [
      'text of the first Cohere',
      (text) => ({ is_finished: false, event_type: 'text-generation', text }),
      'application/x-ndjson',
    ],
    [
      'thinking of Ollama, text beside',
      (thinking, index) => ({
        model: 'm',
        created_at: `2026-${index}`,
        message: { content: 'x', thinking },
        done: false,
      }),
      'application/x-ndjson',
    ],
    ['text of generate', (response) => ({ model: 'm', response, done: false }), 'application/x-ndjson'],
  ])('is found in the %s', (_, eventOf, type) => {
    const pieces = ['a ', key.slice(0, 9), '', '', key.slice(9, 20), '', key.slice(20), '', ' b']
    const chunks = pieces.map((piece, index) => {
      const text = JSON.stringify(eventOf(piece, index))
      return type === 'text/event-stream' ? `data: ${text}\n\n` : `${text}\n`
    })
    const body = redactorOf().responseBody(bodyOf(chunks), type)
    expect(joinedText(body).match(/<redacted:[^>]*>/g)).toEqual(['<redacted:openai-key:1>'])
    for (const piece of [key.slice(0, 9), key.slice(9, 20), key.slice(20)])
      expect(joinedText(body)).not.toContain(piece)
    expect(body.chunks).toHaveLength(pieces.length)
  })

  test('a piece is judged by what it is a piece of', () => {
    const text = joinedText(
      redactorOf().responseBody(bodyOf(openaiChat(['src', '/tmp', '/x ta', `sk-${key}`])), 'text/event-stream'),
    )
    expect(text).toBe(openaiChat(['src', '/tmp', '/x ta', `sk-${key}`]).join(''))
  })

  test('joins to the redacted joined text, however it is cut, and redacting twice changes nothing', {
    timeout: 60_000,
  }, () => {
    const fragment = fc.constantFrom(
      key,
      sampleOf('jwt'),
      sampleOf('private-key'),
      '/home/alice/shop',
      '/tmp',
      'src',
      '"api_key":"x y"',
      '\\"secret\\":\\"é\\"',
      '?sig=a&b=c',
      ' é鍵😀 ',
      '\n',
      '\\',
      '"',
      'emp-12',
      '<redacted:jwt:1>',
    )
    const options = { patterns: [/emp-\d+/] }
    fc.assert(
      fc.property(
        fc.array(fragment, { minLength: 1, maxLength: 8 }),
        fc.array(fc.nat(), { minLength: 1, maxLength: 10 }),
        fc.nat(),
        (parts, places, split) => {
          const letters = [...parts.join('')]
          const cuts = [0, ...places.map((place) => place % letters.length), letters.length].sort((a, b) => a - b)
          const pieces = cuts.slice(1).map((cut, index) => letters.slice(cuts[index], cut).join(''))
          fc.pre(pieces.length === 1 || !pieces.some(standsAlone))
          const chunks = cutAt(openaiChat(pieces).join(''), [split])
          const body = redactorOf(options).responseBody(bodyOf(chunks), 'text/event-stream')
          expect(contents(body).join('')).toBe(
            redactorOf(options)
              .text(` ${letters.join('')}`)
              .slice(1),
          )
          expect(contents(body)).toHaveLength(pieces.length)
          expect(body.chunks).toHaveLength(2)
          expect(joinedText(redactorOf(options).responseBody(body, 'text/event-stream'))).toBe(joinedText(body))
        },
      ),
      { numRuns: 300 },
    )
  })

  test('gives it the placeholder that the next request gives it', () => {
    const redactor = redactorOf()
    redactor.responseBody(bodyOf(openaiChat([openaiKey(2).slice(0, 9), openaiKey(2).slice(9)])), 'text/event-stream')
    expect(redactor.text(openaiKey(2))).toBe('<redacted:openai-key:1>')
  })
})

describe('promise 7: values of their own at one place of several events', () => {
  const lines = (values: readonly unknown[]): string => values.map((value) => `${JSON.stringify(value)}\n`).join('')
  const redactedText = (text: string, type = 'application/x-ndjson'): string =>
    joinedText(redactorOf().responseBody(bodyOf([text]), type))

  test('a path stays a path, whatever ends the value before', () => {
    const paths = ['/home/alice/shop/a.ts', '/home/alice/shop/b.ts', '/home/alice', '/tmp/a', '/tmp/b']
    expect(redactedText(lines(paths.map((path) => ({ path }))))).toBe(
      lines(['<project>/a.ts', '<project>/b.ts', '<home>', '<tmp>/a', '<tmp>/b'].map((path) => ({ path }))),
    )
  })

  test('two keys are kept apart, and one that is repeated stays in every event', () => {
    const [a, b] = [openaiKey(1), openaiKey(2)]
    expect(redactedText(lines([{ key: a }, { key: b }, { key: b }, { key: a }]))).toBe(
      lines([1, 2, 2, 1].map((n) => ({ key: `<redacted:openai-key:${n}>` }))),
    )
  })

  test.each([
    [
      'parts of one event and the next',
      lines([{ p: [{ t: key.slice(0, 9) }, { t: key.slice(9, 20) }] }, { p: [{ t: key.slice(20) }] }]),
      lines([{ p: [{ t: '<redacted:openai-key:1>' }, { t: '' }] }, { p: [{ t: '' }] }]),
    ],
    [
      'numbered lines',
      `0:"a ${key.slice(0, 12)}"\n0:"${key.slice(12)}"\ne:{"finish":"stop"}\n`,
      '0:"a <redacted:openai-key:1>"\n0:""\ne:{"finish":"stop"}\n',
    ],
    ['lines of strings', `"a ${key.slice(0, 12)}"\n"${key.slice(12)} b"\n`, '"a <redacted:openai-key:1>"\n" b"\n'],
    [
      'events of plain text',
      `data: a ${key.slice(0, 12)}\n\ndata: ${key.slice(12)}\n\ndata: [DONE]\n\n`,
      'data: a <redacted:openai-key:1>\n\ndata: \n\ndata: [DONE]\n\n',
    ],
    [
      'events of plain text with CRLF',
      `data:${key.slice(0, 12)}\r\n\r\ndata:${key.slice(12)}\r\n\r\n`,
      'data:<redacted:openai-key:1>\r\n\r\ndata:\r\n\r\n',
    ],
    [
      'events whose JSON has several lines',
      `data: {\ndata:   "t": "${key.slice(0, 12)}"\ndata: }\n\ndata: {\ndata:   "t": "${key.slice(12)}"\ndata: }\n\n`,
      'data: {\ndata:   "t": "<redacted:openai-key:1>"\ndata: }\n\ndata: {\ndata:   "t": ""\ndata: }\n\n',
    ],
  ])('a key is found over %s', (_, text, redacted) => {
    expect(redactedText(text, 'text/event-stream')).toBe(redacted)
    expect(redactedText(redacted, 'text/event-stream')).toBe(redacted)
  })

  test('lines of one event of plain text are no one line', () => {
    const text = 'data: at /tmp\ndata: next\n\ndata: b\n\n'
    expect(redactedText(text, 'text/event-stream')).toBe('data: at <tmp>\ndata: next\n\ndata: b\n\n')
  })
})

describe('promise 7: failures and values', () => {
  test('redacts message, details and causes of a failure', () => {
    const failure: Failure = {
      stage: 'connect',
      name: 'Error',
      message: `bad key ${key}`,
      code: 'E',
      details: { api_key: 'x', path: '/tmp/a' },
      cause: { stage: 'connect', name: 'Error', message: 'at /home/alice/shop/a.ts:1' },
    }
    expect(redactorOf().failure(failure)).toEqual({
      ...failure,
      message: 'bad key <redacted:openai-key:1>',
      details: { api_key: '<redacted:api-key:1>', path: '<tmp>/a' },
      cause: { stage: 'connect', name: 'Error', message: 'at <project>/a.ts:1' },
    })
  })

  test('gives a failure or a value back as the same object where nothing is found', () => {
    const failure: Failure = {
      stage: 'body',
      name: 'Error',
      message: 'terminated',
      cause: { stage: 'body', name: 'E', message: 'x' },
    }
    const value = { a: [1, 'b', null] }
    expect(redactorOf().failure(failure)).toBe(failure)
    expect(redactorOf().json(value)).toBe(value)
  })
})
