import { describe, expect, it } from 'vitest'
import type { HttpRequest, Json } from '../../src/core/cassette/document.ts'
import { dates } from '../../src/core/matching/dates.ts'
import { ignoreMembers } from '../../src/core/matching/ignore-members.ts'
import { normalisedKey, normalisedValueKey } from '../../src/core/matching/normalise-request.ts'
import type { NormalisedRequest, Normaliser } from '../../src/core/matching/normaliser.ts'
import { paths } from '../../src/core/matching/paths.ts'
import { replaceText } from '../../src/core/matching/replace-text.ts'
import { uuids } from '../../src/core/matching/uuids.ts'

const url = 'https://api.openai.com/v1/chat/completions'
const normalised = (normaliser: Normaliser, body: Json): Json | undefined =>
  normaliser({ method: 'POST', url, headers: {}, body }).body
const chat = (json: Json): HttpRequest => ({ method: 'POST', url, body: { json } })
const key = (request: HttpRequest, ...normalisers: Normaliser[]): string =>
  normalisedKey({ request, normalisers, serverIds: new Set() })

describe('dates', () => {
  it.each([
    ['2026-11-30', '<date>'],
    ['2026-11-30T10:20:30.123Z', '<date time>'],
    ['2026-11-30T10:20:30+01:00', '<date time>'],
    ['2026-11-30 10:20', '<date time>'],
    ['20261130T102030Z', '<date time>'],
    ['Mon, 30 Nov 2026 10:20:30 GMT', '<date time>'],
    ['Mon Nov 30 2026 10:20:30 GMT+0100 (Central European Standard Time)', '<date time>'],
    ['Mon Nov 30 2026', '<date>'],
    ['Monday, November 30, 2026', '<date>'],
    ['November 30, 2026', '<date>'],
    ['Nov 3rd, 2026', '<date>'],
    ['30 November 2026', '<date>'],
    ['Monday, November 30, 2026 at 10:20 AM', '<date time>'],
    ['11/30/2026', '<date>'],
    ['11/30/2026, 10:20:30\u202fPM', '<date time>'],
    ['Today is Monday, November 30, 2026.', 'Today is <date>.'],
    ['(2026-11-30, 2026-12-01)', '(<date>, <date>)'],
    ['{"at":"2026-11-30T10:20:30Z"}', '{"at":"<date time>"}'],
  ])('rewrites %j', (text, expected) => {
    expect(normalised(dates(), text)).toBe(expected)
  })

  it.each([
    ...[
      'gpt-4o-2024-08-06',
      'claude-3-5-sonnet-20241022',
      '2026-13-01',
      '1.2.2026',
      '10:20',
      'v2026-11-30',
      '20261130',
    ],
    ...['https://json-schema.org/draft/2020-12/schema', 'In 2026, May 5 of 7 agreed', 'phone 555-2026-11-30-1'],
  ])('leaves %j alone', (text) => {
    expect(normalised(dates(), text)).toBe(text)
  })

  it('is a fixed point for what `Date` prints in every zone and locale form', () => {
    const now = new Date(Date.UTC(2026, 10, 3, 9, 5, 7, 89))
    const printed = [
      now.toISOString(),
      now.toUTCString(),
      now.toString(),
      now.toDateString(),
      now.toLocaleString('en-US'),
      now.toLocaleDateString('en-US', { dateStyle: 'full' }),
      now.toLocaleString('en-US', { dateStyle: 'full', timeStyle: 'long', timeZone: 'UTC' }),
      now.toLocaleDateString('en-GB', { dateStyle: 'long' }),
    ]
    for (const text of printed)
      expect([text, normalised(dates(), text)]).toEqual([text, expect.stringMatching(/^<date( time)?>$/)])
  })

  it('rewrites numbers under names of times only, and keeps names and versions', () => {
    const body = {
      created: 1_796_000_000,
      updated_at: 1_796_000_000_123,
      startTime: 1_796_000_000_123,
      seed: 1_796_000_000,
      time: 12,
      '2026-11-30': 1,
      protocolVersion: '2025-06-18',
      model: '2026-11-30',
    }
    expect(normalised(dates(), body)).toEqual({
      ...body,
      created: '<epoch>',
      updated_at: '<epoch>',
      startTime: '<epoch>',
    })
  })

  it('rewrites the URL, but no interface version, and no header', () => {
    const headers = { 'anthropic-version': '2023-06-01' }
    const request = {
      method: 'GET',
      url: 'https://h/?api-version=2024-10-21&since=2026-11-30',
      headers,
      body: undefined,
    }
    expect(dates()(request)).toEqual({ ...request, url: 'https://h/?api-version=2024-10-21&since=<date>' })
  })
})

describe('uuids', () => {
  const [a, b] = ['0b0e7f6a-58a1-4f7e-9a55-0d6a3c1f2b11', '9c3d2e1f-0a1b-4c2d-8e3f-4a5b6c7d8e9f'] as const

  it('numbers them by first appearance, whatever the order of names', () => {
    const expected = { a: 'call_<uuid 1>', b: ['<uuid 2>', 'x <uuid 1>'] }
    expect(normalised(uuids(), { a: `call_${a}`, b: [b.toUpperCase(), `x ${a}`] })).toEqual(expected)
    expect(normalised(uuids(), { b: [b, `x ${a}`], a: `call_${a}` })).toEqual(expected)
  })

  it('keeps one UUID used twice apart from two', () => {
    expect(key(chat([a, a]), uuids())).toBe(key(chat([b, b]), uuids()))
    expect(key(chat([a, a]), uuids())).not.toBe(key(chat([a, b]), uuids()))
  })

  it('leaves what is no UUID alone', () => {
    expect(normalised(uuids(), `${a}0 z${a} ${a.slice(1)}`)).toBe(`${a}0 z${a} ${a.slice(1)}`)
  })
})

describe('paths', () => {
  it.each([
    ['<tmp>/agent-aB3xYz/out.txt', '<tmp>/<random>/out.txt'],
    ['<tmp>/agent-abcdef', '<tmp>/<random>'],
    ['<tmp>/agent-aB3xYz.json', '<tmp>/<random>.json'],
    ['<tmp>/out.txt', '<tmp>/out.txt'],
    ['/tmp/agent-aB3xYz/src/index.ts', '<tmp>/<random>/src/index.ts'],
    ['/private/tmp/x1/y', '<tmp>/<random>/y'],
    ['/var/folders/zz/zyxvpxvq6csfxvn_n0000000000000/T/run-aB3xYz/a', '<tmp>/<random>/a'],
    ['/private/var/folders/zz/abc/T/run-aB3xYz', '<tmp>/<random>'],
    ['file:///tmp/run-aB3xYz/a', 'file://<tmp>/<random>/a'],
    ['<tmp>\\run-aB3xYz\\a', '<tmp>\\<random>\\a'],
    ['<home>\\AppData\\Local\\Temp\\run-aB3xYz\\a', '<tmp>\\<random>\\a'],
    ['C:\\Users\\me\\AppData\\Local\\Temp\\run-aB3xYz', '<tmp>\\<random>'],
    ['<project>/.cache/run-aB3xYz/a-1b2c3d4e.txt', '<project>/.cache/<random>/a-1b2c3d4e.txt'],
    ['<home>/0b0e7f6a-58a1-4f7e-9a55-0d6a3c1f2b11/a', '<home>/<random>/a'],
    ['<project>/src/fetch-weather.ts', '<project>/src/fetch-weather.ts'],
    ['<project>/test/projects/README.md', '<project>/test/projects/README.md'],
    ['Wrote "/tmp/run-aB3xYz/a.txt", then /tmp/run-aB3xYz.', 'Wrote "<tmp>/<random>/a.txt", then <tmp>/<random>.'],
    ['https://example.com/tmp/run-aB3xYz', 'https://example.com/tmp/run-aB3xYz'],
    ['./tmp/run-aB3xYz/x', './tmp/run-aB3xYz/x'],
    ['cd /tmp', 'cd /tmp'],
  ])('rewrites %s', (text, expected) => {
    expect(normalised(paths(), text)).toBe(expected)
  })
})

describe('replaceText', () => {
  it('replaces every match in the URL, the header values and every string, and no name', () => {
    const request: NormalisedRequest = {
      method: 'POST',
      url: 'https://h/run-1/run-2',
      headers: { 'openai-beta': 'run-3' },
      body: { 'run-4': ['run-5', { a: 'x run-6 run-7' }], n: 8 },
    }
    expect(replaceText(/run-(\d)/, 'run <$1>')(request)).toEqual({
      method: 'POST',
      url: 'https://h/run <1>/run <2>',
      headers: { 'openai-beta': 'run <3>' },
      body: { 'run-4': ['run <5>', { a: 'x run <6> run <7>' }], n: 8 },
    })
  })

  it('does not depend on earlier uses of a pattern with state', () => {
    const pattern = /a/gy
    pattern.lastIndex = 1
    const normaliser = replaceText(pattern, 'b')
    expect([normalised(normaliser, 'xaxa'), normalised(normaliser, 'xaxa'), pattern.lastIndex]).toEqual([
      'xbxb',
      'xbxb',
      1,
    ])
  })

  it('refuses a pattern that is no regular expression', () => {
    expect(() => replaceText('a' as unknown as RegExp, 'b')).toThrow(
      expect.objectContaining({ code: 'TURNTAPE_INVALID_OPTION' }),
    )
  })
})

describe('ignoreMembers', () => {
  const body = {
    metadata: { user: 'u', run: 1 },
    messages: [{ role: 'user', name: 'n' }, 'text', { role: 'system', name: ['n'] }],
    'a.b': 1,
    rest: [[{ x: 1 }], [{ x: 2, y: 3 }]],
  }

  it.each([
    [['metadata'], { ...body, metadata: undefined }],
    [['metadata.*'], { ...body, metadata: {} }],
    [['metadata.run'], { ...body, metadata: { user: 'u' } }],
    [['messages[*].name'], { ...body, messages: [{ role: 'user' }, 'text', { role: 'system' }] }],
    [['messages[1]'], { ...body, messages: [body.messages[0], body.messages[2]] }],
    [['messages[*]'], { ...body, messages: [] }],
    [['["a.b"]', 'rest[*][0].x'], { ...body, 'a.b': undefined, rest: [[{}], [{ y: 3 }]] }],
    [['nothing.here', 'metadata[*]', 'messages.role', 'messages[9].name', 'toString'], body],
  ])('removes %j', (members, expected) => {
    const before = JSON.stringify(body)
    expect(normalised(ignoreMembers(...members), body)).toEqual(JSON.parse(JSON.stringify(expected)))
    expect(JSON.stringify(body)).toBe(before)
  })

  it.each(['', '.a', 'a.', 'a..b', 'a[', 'a[x]', 'a[*', '[-1]', 'a*'])('refuses the path %j', (path) => {
    expect(() => ignoreMembers('ok', path)).toThrow(expect.objectContaining({ code: 'TURNTAPE_INVALID_OPTION' }))
  })
})

describe('normalisedKey, F14', () => {
  it.each<[string, Normaliser, Json, Json]>([
    ['dates', dates(), { messages: ['Today is 2026-11-30'] }, { messages: ['Today is 2027-01-02'] }],
    ['uuids', uuids(), ['0b0e7f6a-58a1-4f7e-9a55-0d6a3c1f2b11'], ['9c3d2e1f-0a1b-4c2d-8e3f-4a5b6c7d8e9f']],
    ['paths', paths(), ['<tmp>/run-aB3xYz/a'], ['<tmp>/run-QwErTy/a']],
    ['replaceText', replaceText(/run \d+/, 'run'), 'run 1', 'run 22'],
    ['ignoreMembers', ignoreMembers('user'), { a: 1, user: 'x' }, { user: 'y', a: 1 }],
  ])('is equal where %s make two requests equal, on whichever side', (_, normaliser, recorded, present) => {
    expect(key(chat(recorded))).not.toBe(key(chat(present)))
    expect(key(chat(recorded), normaliser)).toBe(key(chat(present), normaliser))
    expect(key(chat(recorded), normaliser)).not.toBe(key(chat(['another']), normaliser))
  })

  it('does not depend on how a body is stored', () => {
    const json = key(chat({ b: 1, a: ['x'] }))
    expect(key({ method: 'post', url, body: { text: '{"a": ["x"], "b":1.0}' } })).toBe(json)
    expect(key({ method: 'POST', url, body: { lines: ['{"a": ["x"],', '"b":1}'] } })).toBe(json)
  })

  it.each<[string, HttpRequest, HttpRequest]>([
    ['a JSON string and a text', chat('a'), { method: 'POST', url, body: { text: 'a' } }],
    ['no body and null', { method: 'POST', url }, chat(null)],
    [
      'digits beyond a double',
      { method: 'POST', url, body: { text: '{"n":9007199254740993}' } },
      { method: 'POST', url, body: { text: '{"n":9007199254740995}' } },
    ],
    [
      'header values that count',
      { method: 'POST', url, headers: { 'openai-beta': 'a' } },
      { method: 'POST', url, headers: { 'openai-beta': 'b' } },
    ],
    [
      'media types of text',
      { method: 'POST', url, headers: { 'content-type': 'text/a' }, body: { text: 'x' } },
      { method: 'POST', url, headers: { 'content-type': 'text/b' }, body: { text: 'x' } },
    ],
    [
      'parts',
      { method: 'POST', url, body: { parts: [{ name: 'a', text: 'x' }] } },
      { method: 'POST', url, body: { parts: [{ name: 'a', text: 'y' }] } },
    ],
  ])('keeps apart %s', (_, a, b) => {
    expect(key(a)).not.toBe(key(b))
  })

  it('hands every kind of body to normalisers as JSON', () => {
    const seen: (Json | undefined)[] = []
    const spy: Normaliser = (request) => {
      seen.push(request.body)
      return request
    }
    const sha = '0'.repeat(64)
    key({ method: 'POST', url, body: { text: 'plain' } }, spy)
    key({ method: 'POST', url, body: { lines: ['a', 'b'] } }, spy)
    key({ method: 'POST', url, body: { text: '{"n":9007199254740993}' } }, spy)
    key({ method: 'POST', url, body: { parts: [{ name: 'a', text: 'x' }] } }, spy)
    key({ method: 'POST', url, body: { sha256: sha, bytes: 3 } }, spy)
    key({ method: 'POST', url }, spy)
    const exact = { n: { '<exact number>': '9007199254740993e0' } }
    expect(seen).toEqual(['plain', 'a\nb', exact, [{ name: 'a', text: 'x' }], { sha256: sha, bytes: 3 }, undefined])
  })

  it('is safe from normalisers that change what they get in place', () => {
    const json = { metadata: { run: 1 }, a: 1 }
    const careless: Normaliser = (request) => {
      delete (request.body as { metadata?: unknown }).metadata
      return request
    }
    expect(key(chat(json), careless)).toBe(key(chat({ a: 1 }), careless))
    expect(json).toEqual({ metadata: { run: 1 }, a: 1 })
  })

  it('normalises a body nested 100,000 deep', () => {
    const deep = (text: string): HttpRequest => {
      const body = `${'['.repeat(100_000)}"${text}"${']'.repeat(100_000)}`
      return { method: 'POST', url, body: { text: body } }
    }
    expect(key(deep('2026-11-30'), dates())).toBe(key(deep('2027-01-02'), dates()))
  })

  it.each<[string, unknown, RegExp]>([
    [
      'throws',
      () => {
        throw new TypeError('no body')
      },
      /throws: no body/,
    ],
    ['returns nothing', () => undefined, /returns undefined/],
    ['returns null', () => null, /returns null/],
    ['is asynchronous', async (request: NormalisedRequest) => request, /returns a promise/],
    [
      'loses the URL',
      ({ body }: NormalisedRequest) => ({ method: 'POST', headers: {}, body }),
      /without a string `url`/,
    ],
    ['loses the headers', ({ body }: NormalisedRequest) => ({ method: 'POST', url, body }), /without `headers`/],
    ['makes a header a number', (request: NormalisedRequest) => ({ ...request, headers: { a: 1 } }), /header `a`/],
    [
      'puts NaN into the body',
      (request: NormalisedRequest) => ({ ...request, body: { a: [Number.NaN] } }),
      /NaN at `body\/a\/0`/,
    ],
    [
      'puts a date into the body',
      (request: NormalisedRequest) => ({ ...request, body: { 'a/b': new Date(0) } }),
      /a Date at `body\/a~1b`/,
    ],
  ])('refuses a normaliser that %s, naming its index', (_, normaliser, message) => {
    const compare = (): string => key(chat({}), dates(), normaliser as Normaliser)
    expect(compare).toThrow(expect.objectContaining({ code: 'TURNTAPE_INVALID_OPTION' }))
    expect(compare).toThrow(/normalise\[1\]/)
    expect(compare).toThrow(message)
  })
})

describe('normalisedValueKey', () => {
  it('normalises the input of a tool call, and keeps kind and name apart', () => {
    const ofTool = (name: string, input: Json, kind: 'tool' | 'call' = 'tool'): string =>
      normalisedValueKey({ request: { kind, name, input }, normalisers: [dates()] })
    expect(ofTool('a', ['2026-11-30'])).toBe(ofTool('a', ['2027-01-02']))
    expect(ofTool('a', ['x'])).not.toBe(ofTool('b', ['x']))
    expect(ofTool('a', ['x'])).not.toBe(ofTool('a', ['x'], 'call'))
    expect(ofTool('a', { messages: [{ id: '1' }] })).not.toBe(ofTool('a', { messages: [{ id: '2' }] }))
  })
})
