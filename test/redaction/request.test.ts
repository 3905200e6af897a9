import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { openaiKey, redactorOf, requestOf, sampleOf, textOf } from './secret-samples.ts'

function bodyAfter(value: unknown): unknown {
  return JSON.parse(textOf(redactorOf().request(requestOf({ body: JSON.stringify(value) })).body))
}

describe('promise 7: a request', () => {
  test('keeps headers from an allow-list alone, sorted, a multipart type without its boundary', () => {
    const { headers, contentType } = redactorOf().request(
      requestOf({
        headers: [
          ['openai-beta', 'assistants=v2'],
          ['authorization', `Bearer ${openaiKey(1)}`],
          ['x-api-key', openaiKey(2)],
          ['cookie', 'a=b'],
          ['user-agent', 'OpenAI/JS'],
          ['content-type', 'multipart/form-data; boundary="x y"; charset=utf-8'],
          ['anthropic-beta', 'one'],
          ['anthropic-beta', 'two'],
        ],
      }),
    )
    expect(Object.entries(headers ?? {})).toEqual([
      ['anthropic-beta', 'one, two'],
      ['content-type', 'multipart/form-data; charset=utf-8'],
      ['openai-beta', 'assistants=v2'],
    ])
    expect(contentType).toBe('multipart/form-data; boundary="x y"; charset=utf-8')
  })

  test('has no headers where none is stored', () => {
    expect(redactorOf().request(requestOf({ headers: [['x-api-key', 'a']] })).headers).toBeUndefined()
  })

  test.each([
    ['https://user:pw@api.example.com/v1?q=1', 'https://api.example.com/v1?q=1'],
    ['http://127.0.0.1:41234/v1/x', 'http://localhost/v1/x'],
    ['http://[::1]:41234/v1/x', 'http://localhost/v1/x'],
    ['http://localhost:41234', 'http://localhost'],
    ['https://x.test:8443/v1', 'https://x.test:8443/v1'],
    ['https://x.test/v1?key=abc&alt=sse', 'https://x.test/v1?key=<redacted:key:1>&alt=sse'],
    [
      'https://x.test/?api-key=a&api_key=b&apikey=a',
      'https://x.test/?api-key=<redacted:api-key:1>&api_key=<redacted:api-key:2>&apikey=<redacted:api-key:1>',
    ],
    [
      'https://x.test/?access_token=a%2Fb&page_token=2',
      'https://x.test/?access_token=<redacted:access-token:1>&page_token=2',
    ],
    [
      'https://x.test/?X-Amz-Signature=0f&X-Amz-Date=20250101',
      'https://x.test/?X-Amz-Signature=<redacted:x-amz-signature:1>&X-Amz-Date=<redacted:x-amz-date:1>',
    ],
    ['https://x.test/?key=', 'https://x.test/?key='],
    ['https://x.test/?file=%2Fhome%2Falice%2Fshop%2Fa', 'https://x.test/?file=<project>%2Fa'],
    [`https://x.test/bot/${openaiKey(1)}/send`, 'https://x.test/bot/<redacted:openai-key:1>/send'],
    ['https://x.test/?key=%3Credacted%3Akey%3A4%3E&p=%3Ctmp%3E', 'https://x.test/?key=<redacted:key:4>&p=<tmp>'],
  ])('writes the URL %s as %s', (url, redacted) => {
    expect(redactorOf().request(requestOf({ url })).url).toBe(redacted)
    expect(redactorOf().request(requestOf({ url: redacted })).url).toBe(redacted)
  })

  test('returns the very bytes where nothing is found', () => {
    const request = requestOf({ body: '{ "model" : "gpt-5", "max_tokens":1e2,\r\n "input": "caf\\u00e9 \\/ x" }' })
    expect(redactorOf().request(request).body).toBe(request.body)
  })

  test('leaves everything around a secret as it was, to the byte', () => {
    const before = '{ "model" : "gpt-5", "n":1e2,\r\n "input": "caf\\u00e9 \\/ 鍵 '
    const { body } = redactorOf().request(requestOf({ body: `${before}${openaiKey(1)}" }` }))
    expect(textOf(body)).toBe(`${before}<redacted:openai-key:1>" }`)
  })

  test.each([
    'api_key',
    'apiKey',
    'API-Key',
    'openaiApiKey',
    'x-api-key',
    'password',
    'dbPassword',
    'passwd',
    'secret',
  ])('replaces the string under the JSON key %s', (name) => {
    expect(bodyAfter({ a: [{ [name]: 'hunter "2"\\' }] })).toEqual({
      a: [{ [name]: expect.stringMatching(/^<redacted:[a-z-]+:1>$/) }],
    })
  })

  test.each([
    'client_secret',
    'access_token',
    'refreshToken',
    'id_token',
    'Authorization',
    'private_key',
    'session_token',
    'Cookie',
    'GITHUB_TOKEN',
  ])('replaces the string under the JSON key %s, whole', (name) => {
    expect(bodyAfter({ [name]: `Bearer ${openaiKey(1)} and more` })).toEqual({
      [name]: expect.stringMatching(/^<redacted:[a-z-]+:1>$/),
    })
  })

  test('leaves other keys and other types alone', () => {
    const value = {
      max_tokens: 5,
      token: 'Hello',
      token_count: '7',
      next_page_token: 'CAUQAA',
      signature: 'EqQBCgIYAhIM1gbcDa9GJwZA2b3hGgxBdjrkzLoky3dl1pkiMOYds',
      encrypted_content: 'gAAAAABoISQ24OyVRYbkYfukdJoqdzWT-3uiErKInHDC-lgAaXeky44N77j7aibc',
      thoughtSignature: 'CpwFAR/MhbYjOYyPoCMlPuyMu',
      password: '',
      api_key: null,
      properties: { password: { type: 'string' }, secret: ['a'] },
      logprobs: [{ token: ' world', bytes: [32] }],
    }
    expect(bodyAfter(value)).toEqual(value)
  })

  test('finds keys in JSON inside strings, however deep, and keeps it JSON', () => {
    const inner = JSON.stringify({ api_key: 'a"b\\', note: `see ${openaiKey(1)}` })
    const middle = JSON.stringify({ arguments: inner, path: '/home/alice/shop/x' })
    const after = bodyAfter({ tool: middle }) as { tool: string }
    const parsed = JSON.parse(after.tool) as { arguments: string; path: string }
    expect(parsed.path).toBe('<project>/x')
    expect(JSON.parse(parsed.arguments)).toEqual({
      api_key: '<redacted:api-key:1>',
      note: 'see <redacted:openai-key:1>',
    })
  })

  test('replaces form fields by name and by shape', () => {
    const { body } = redactorOf().request(
      requestOf({
        headers: [['content-type', 'application/x-www-form-urlencoded']],
        body: `grant_type=password&username=a+b&password=p%26q&client_secret=s&note=${openaiKey(1)}`,
      }),
    )
    expect(textOf(body)).toBe(
      'grant_type=password&username=a+b&password=<redacted:password:1>&client_secret=<redacted:client-secret:1>&note=<redacted:openai-key:1>',
    )
  })

  test('replaces multipart fields by name and by shape, and no byte of another part', () => {
    const image = new Uint8Array([0x89, 0x50, 0xff, 0x0d, 0x0a, 0x00, 0xfe])
    const part = (head: string, content: string | Uint8Array): Buffer =>
      Buffer.concat([
        Buffer.from(`--X\r\nContent-Disposition: form-data; ${head}\r\n\r\n`),
        Buffer.from(content as never),
        Buffer.from('\r\n'),
      ])
    const build = (key: string, note: string, filename: string): Uint8Array =>
      Buffer.concat([
        part('name="api_key"', key),
        part(`name="file"; filename="${filename}"`, image),
        part('name="note"', `für ${note}`),
        Buffer.from('--X--\r\n'),
      ])
    const { body } = redactorOf().request(
      requestOf({
        headers: [['content-type', 'multipart/form-data; boundary=X']],
        body: build('abc', openaiKey(1), '/home/alice/shop/a.png'),
      }),
    )
    expect(Buffer.from(body as Uint8Array)).toEqual(
      build('<redacted:api-key:1>', '<redacted:openai-key:1>', '<project>/a.png'),
    )
  })

  test('replaces what a form field says decoded, and no byte of the others', () => {
    const json = encodeURIComponent(JSON.stringify({ api_key: 'a b', note: 'c' }))
    const { body } = redactorOf().request(
      requestOf({
        headers: [['content-type', 'application/x-www-form-urlencoded']],
        body: `note=a+b%2fc&payload=${json}`,
      }),
    )
    expect(decodeURIComponent(textOf(body))).toBe('note=a+b/c&payload={"api_key":"<redacted:api-key:1>","note":"c"}')
    expect(textOf(body).startsWith('note=a+b%2fc&')).toBe(true)
  })

  test.each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
    ['deflate', deflateSync],
  ])('F7 undoes its content encoding before anything: %s', (encoding, encode) => {
    const body = new Uint8Array(encode(`{"a":"${openaiKey(1)}"}`))
    const headers: [string, string][] = [
      ['content-type', 'application/json'],
      ['content-encoding', encoding],
    ]
    expect(textOf(redactorOf().request(requestOf({ headers, body })).body)).toBe('{"a":"<redacted:openai-key:1>"}')
    const other = new Uint8Array([1, 2, 0xff])
    expect(redactorOf().request(requestOf({ headers, body: other })).body).toBe(other)
  })

  test('leaves bytes that are no text alone', () => {
    const body = new Uint8Array([0xff, 0xfe, ...new TextEncoder().encode(openaiKey(1))])
    expect(redactorOf().request(requestOf({ body })).body).toBe(body)
  })

  test('replaces URL passwords and signed queries in a text', () => {
    expect(
      bodyAfter({
        out: 'postgres://shop:hunter2@db.test/x https://s3.test/a?X-Amz-Signature=0f1e&part=1&sig=a%2Fb token=1',
      }),
    ).toEqual({
      out: 'postgres://shop:<redacted:url-password:1>@db.test/x https://s3.test/a?X-Amz-Signature=<redacted:x-amz-signature:1>&part=1&sig=<redacted:sig:1> token=1',
    })
  })

  test('gives a signed URL in a text and the request to it one placeholder', () => {
    const redactor = redactorOf()
    redactor.json({ url: 'https://s3.test/a?sig=a%2Fb' })
    expect(redactor.request(requestOf({ url: 'https://s3.test/a?sig=a%2Fb' })).url).toBe(
      'https://s3.test/a?sig=<redacted:sig:1>',
    )
  })

  test.each(['anthropic-key', 'jwt', 'private-key', 'slack-token'])('keeps a body JSON with a %s in it', (kind) => {
    expect(bodyAfter({ text: `a ${sampleOf(kind)} b` })).toEqual({ text: `a <redacted:${kind}:1> b` })
  })
})
