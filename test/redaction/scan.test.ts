import { describe, expect, test } from 'vitest'
import type { Cassette, Interaction, Json, ResponseBody } from '../../src/core/cassette/document.ts'
import { checkRedactOptions } from '../../src/redaction/redact-options.ts'
import { scanForSecrets } from '../../src/redaction/scan.ts'
import type { ScanFacts } from '../../src/redaction/scan-facts.ts'
import { sampleOf } from './secret-samples.ts'

const secret = 'q7"Rw2/Xn9+Kd4 T=é'
const facts: ScanFacts = {
  secretValues: [{ name: 'SHOP_PASSWORD', value: secret }],
  userNames: ['alice'],
  hostNames: ['alices-mac'],
}
const rule = 'the value of SHOP_PASSWORD'

const base = { number: 1, hash: '0'.repeat(64), timing: { startMs: 0 } }

function http(parts: {
  body?: Json
  url?: string
  headers?: [string, string][]
  response?: ResponseBody
}): Interaction {
  return {
    ...base,
    kind: 'model',
    request: { method: 'POST', url: parts.url ?? 'https://api.test/v1', body: { json: parts.body ?? {} } },
    response: { status: 200, headers: parts.headers ?? [], ...(parts.response && { body: parts.response }) },
  }
}

function cassetteOf(...interactions: Interaction[]): Cassette {
  return {
    format: 'turntape/1',
    test: 'books a flight',
    provenance: { kind: 'live' },
    recordedAt: '2025-11-30T10:00:00.000Z',
    recordedWith: { node: '20.20.2' },
    interactions,
  }
}

function scan(cassette: Cassette, files: [string, Uint8Array][] = []) {
  return scanForSecrets({ cassette, sideFiles: new Map(files), facts })
}

function placesIn(interaction: Interaction): string[] {
  const findings = scan(cassetteOf(interaction))
  expect(findings.map((finding) => finding.rule)).toEqual(findings.map(() => rule))
  return findings.map(({ place }) => place)
}

function deltas(pieces: readonly string[]): ResponseBody {
  return {
    framing: 'sse',
    events: pieces.map((content) => ({ data: { choices: [{ index: 0, delta: { content } }] } })),
  }
}

describe('promise 7: the last scan', () => {
  test('passes a cassette that holds nothing', () => {
    expect(
      scan(cassetteOf(http({ body: { a: 'the alices and malice, alice2' }, response: deltas(['a', 'b']) }))),
    ).toEqual([])
  })

  test.each<[string, Interaction, string]>([
    [
      'a request body',
      http({ body: { messages: [{ content: `x ${secret} y` }] } }),
      'interaction 1, request body /messages/0/content',
    ],
    ['a member name', http({ body: { a: { [`x${secret}`]: 1 } } }), 'interaction 1, request body /a, a member name'],
    [
      'JSON in a string',
      http({ body: { arguments: JSON.stringify({ p: secret }) } }),
      'interaction 1, request body /arguments',
    ],
    [
      'JSON in a string in JSON in a string',
      http({ body: { a: JSON.stringify(JSON.stringify([secret])) } }),
      'interaction 1, request body /a',
    ],
    [
      'JSON in ASCII',
      http({ body: { a: JSON.stringify(secret).replace('é', '\\u00e9') } }),
      'interaction 1, request body /a',
    ],
    ['a URL', http({ url: `https://api.test/?q=${encodeURIComponent(secret)}` }), 'interaction 1, request URL'],
    [
      'base64',
      http({ body: { a: `data:;base64,${Buffer.from(`id:${secret}`).toString('base64')}` } }),
      'interaction 1, request body /a',
    ],
    [
      'base64url in a URL',
      http({ url: `https://api.test/?q=${Buffer.from(secret).toString('base64url')}` }),
      'interaction 1, request URL',
    ],
    [
      'JSON in base64',
      http({ body: { a: Buffer.from(JSON.stringify({ secret })).toString('base64') } }),
      'interaction 1, request body /a',
    ],
    [
      'a response header',
      http({
        headers: [
          ['date', 'x'],
          ['location', `/?q=${encodeURIComponent(secret)}`],
        ],
      }),
      'interaction 1, response header location',
    ],
    ['a JSON answer', http({ response: { json: [{ a: secret }] } }), 'interaction 1, response body /0/a'],
    ['an answer of text', http({ response: { text: `a ${secret}` } }), 'interaction 1, response body'],
    [
      'an event',
      http({ response: deltas(['a', secret]) }),
      'interaction 1, response body, event 2 /choices/0/delta/content',
    ],
    [
      'an answer in base64',
      http({ response: { base64: Buffer.from(secret).toString('base64') } }),
      'interaction 1, response body',
    ],
    ['lines', http({ response: { lines: ['a', `b ${secret}`] } }), 'interaction 1, response body /1'],
    [
      'a tool result',
      { ...base, kind: 'tool', request: { name: 't', input: {} }, result: { value: { a: secret } } },
      'interaction 1, result /a',
    ],
    [
      'a tool input',
      { ...base, kind: 'tool', request: { name: 't', input: [secret] }, result: { undefined: true } },
      'interaction 1, input /0',
    ],
    [
      'a failure',
      {
        ...http({}),
        response: undefined,
        failure: { stage: 'connect', name: 'E', message: secret },
      } as unknown as Interaction,
      'interaction 1, failure /message',
    ],
  ])('finds a value in %s and names the place', (_, interaction, place) => {
    expect(placesIn(interaction)[0]).toBe(place)
  })

  test('finds a value that is cut over events at every place, as plain text and as JSON in pieces', () => {
    const json = JSON.stringify({ p: secret })
    for (let place = 1; place < secret.length; place += 1) {
      const response = deltas(['a ', secret.slice(0, place), secret.slice(place), ' b'])
      expect(placesIn(http({ response }))).toEqual(['interaction 1, response body, joined /choices/0/delta/content'])
      const pieces = deltas([json.slice(0, 6 + place), json.slice(6 + place)])
      expect(placesIn(http({ response: pieces }))).toEqual([
        'interaction 1, response body, joined /choices/0/delta/content',
      ])
    }
  })

  test('finds a value that is cut over events which stand as text, over lines, and over elements', () => {
    const [a, b] = [secret.slice(0, 9), secret.slice(9)]
    const sse = [a, b].map((text) => `data: ${JSON.stringify({ text })}`)
    expect(placesIn(http({ response: { lines: sse } }))).toEqual(['interaction 1, response body, joined /text'])
    expect(placesIn(http({ response: { text: sse.join('\n\n') } }))).toEqual([
      'interaction 1, response body, joined /text',
    ])
    expect(placesIn(http({ response: { framing: 'sse', events: [{ text: a }, { text: b }] } }))).toHaveLength(1)
    const elements: Interaction = {
      ...base,
      kind: 'call',
      request: { name: 'c', input: {} },
      result: { elements: [a, b] },
    }
    expect(placesIn(elements)).toHaveLength(1)
  })

  test('finds user and host names as whole words, also between dashes and slashes', () => {
    const findings = scan(
      cassetteOf(
        http({ body: { a: 'at /Users/alice/x', b: '-Users-alice-x', c: 'on alices-mac!', d: '"x\\nalice"' } }),
      ),
    )
    expect(findings.map((finding) => [finding.rule, finding.place])).toEqual([
      ['the user name', 'interaction 1, request body /a'],
      ['the user name', 'interaction 1, request body /b'],
      ['the user name', 'interaction 1, request body /d'],
      ['the host name', 'interaction 1, request body /c'],
    ])
  })

  test.each([
    ['prose', 'I will mark it; the mark, Mark my words: mark', 0],
    ['a path', 'at /home/mark/x', 1],
    ['a path of Windows', 'C:\\Users\\mark\\x', 1],
    ['a folder name made of a path', '-home-mark-x', 1],
    ['an address', 'mark@host', 1],
    ['an assignment', 'USER=mark', 1],
    ['what id prints', 'uid=1000(mark) gid=1000', 1],
    ['a whole string', 'mark', 1],
  ])('of a user name that is a word, %s counts only where a name stands', (_, text, count) => {
    const input = { cassette: cassetteOf(http({ body: { a: text } })), sideFiles: new Map() }
    expect(scanForSecrets({ ...input, facts: { secretValues: [], userNames: ['mark'], hostNames: [] } })).toHaveLength(
      count,
    )
  })

  test('finds a value that stands once more in tokens, in numbers and in parts', () => {
    const tokens = secret.match(/.{1,3}/gsu) ?? []
    const content = tokens.map((token) => ({ token, bytes: [...Buffer.from(token)] }))
    const places = placesIn(http({ response: { json: { choices: [{ logprobs: { content } }] } } }))
    expect(places).toEqual([
      'interaction 1, response body, joined /choices/*/logprobs/content/*/token',
      'interaction 1, response body, joined /choices/*/logprobs/content/*/bytes',
    ])
    expect(placesIn(http({ body: { type: 'Buffer', data: [...Buffer.from(`a ${secret}`)] } }))).toEqual([
      'interaction 1, request body, joined /data',
    ])
    const array = { data: Object.fromEntries(Object.entries([...Buffer.from(`a ${secret}`)])) }
    expect(placesIn(http({ body: array }))).toEqual(['interaction 1, request body, joined /data'])
  })

  test('finds what only its name tells, in an old cassette and in what is packed', () => {
    const packed = Buffer.from(JSON.stringify({ password: 'hunter2', a: '?sig=abc' })).toString('base64')
    const url = 'https://api.test/?key=hunter2&page=2'
    const findings = scan(cassetteOf(http({ url, body: { a: [{ api_key: 'hunter2', password: '' }], packed } })))
    expect(findings.map(({ place, rule }) => [place, rule])).toEqual([
      ['interaction 1, request URL', 'a secret by its name (key)'],
      ['interaction 1, request body /a/0/api_key', 'a secret by its name (api-key)'],
      ['interaction 1, request body /packed', 'a secret by its name (password)'],
      ['interaction 1, request body /packed', 'a secret by its name (sig)'],
    ])
  })

  test('passes what was redacted, by name and in every spelling', () => {
    const redacted = {
      api_key: '<redacted:api-key:1>',
      out: 'DB_PASSWORD=<redacted:db-password:1> ?sig=<redacted:sig:1>',
    }
    const body = { ...redacted, inner: JSON.stringify({ inner: JSON.stringify(redacted) }) }
    const url = 'https://api.test/?key=<redacted:key:1>&payload=%7B%22api_key%22%3A%22<redacted:api-key:1>%22%7D'
    expect(scan(cassetteOf(http({ url, body, response: { lines: [JSON.stringify(body)] } })))).toEqual([])
  })

  test("finds what the user's own patterns match where nothing can be rewritten, and not in the format's own words", () => {
    const patterns = checkRedactOptions({
      patterns: [{ name: 'employee', pattern: /emp-\d+|[0-9a-f]{16}|live/ }],
    }).patterns
    const value: Interaction = {
      ...base,
      kind: 'tool',
      request: { name: 'emp-7', input: Buffer.from('id emp-12 here').toString('base64') },
      result: { undefined: true },
    }
    const findings = scanForSecrets({ cassette: cassetteOf(value), sideFiles: new Map(), facts, patterns })
    expect(findings.map(({ place, rule }) => [place, rule])).toEqual([
      ['interaction 1, request /name', 'what the pattern "employee" of redact matches'],
      ['interaction 1, input', 'what the pattern "employee" of redact matches'],
    ])
  })

  test.each<[string, Interaction, string]>([
    ['a value', http({ body: { a: secret } }), "redact: { values: { 'shop-password': process.env.SHOP_PASSWORD } }"],
    [
      'a name of the account',
      http({ body: { a: 'by alice' } }),
      "redact: { values: { 'user-name': userInfo().username } }, userInfo from 'node:os'",
    ],
    [
      'a key in base64 under a telling name',
      http({ body: { blob: Buffer.from(sampleOf('jwt')).toString('base64') } }),
      "redact: { keys: ['blob'] }",
    ],
    [
      'a key in base64 in a message',
      http({ body: { content: Buffer.from(sampleOf('jwt')).toString('base64') } }),
      'beforeRecord: (interaction) => interaction // return it edited, or undefined to drop it',
    ],
    ['the name of a lane', { ...http({}), lane: sampleOf('jwt') }, 'Rename it: this name is stored in the cassette'],
  ])('says how to mend %s', (_, interaction, remedy) => {
    expect(scan(cassetteOf(interaction)).map((finding) => finding.remedy)).toEqual([remedy])
  })

  test('finds the shape of a known key in every decoded form', () => {
    const key = sampleOf('anthropic-key')
    for (const a of [key, Buffer.from(`key=${key}`).toString('base64'), JSON.stringify(`\n${key}`)]) {
      expect(scan(cassetteOf(http({ body: { a } })))).toMatchObject([
        { rule: 'the shape of a secret (anthropic-key)', place: 'interaction 1, request body /a' },
      ])
    }
  })

  test('looks into side files, and for values alone where they are no text', () => {
    const text = new TextEncoder().encode(`alice ${secret}`)
    const binary = Buffer.concat([Buffer.from([0xff, 0x00]), Buffer.from('alice tok3nValue')])
    expect(scan(cassetteOf(), [['a.txt', text]]).map(({ place, rule }) => [place, rule])).toEqual([
      ['side file a.txt', rule],
      ['side file a.txt', 'the user name'],
    ])
    const found = scanForSecrets({
      cassette: cassetteOf(),
      sideFiles: new Map([['b.bin', binary]]),
      facts: { ...facts, secretValues: [{ name: 'T', value: 'tok3nValue' }] },
    })
    expect(found.map(({ place, rule }) => [place, rule])).toEqual([['side file b.bin', 'the value of T']])
  })

  test("looks into the header: the test's name and the versions", () => {
    const cassette = { ...cassetteOf(), test: `logs in with ${secret}`, recordedWith: { sdk: `alices-mac` } }
    expect(scan(cassette).map(({ place }) => place)).toEqual(["the test's name", 'the header /recordedWith/sdk'])
  })

  test('never says the value, not even where the place is made of it', () => {
    const key = sampleOf('github-token')
    const findings = scan(cassetteOf(http({ body: { [secret]: { [key]: secret } } })))
    expect(findings.length).toBeGreaterThan(1)
    expect(JSON.stringify(findings)).not.toContain(JSON.stringify(secret).slice(1, -1))
    expect(JSON.stringify(findings)).not.toContain(key)
    const encoded = Buffer.from(`id: ${secret}`).toString('base64')
    const [coded, named] = scan(cassetteOf(http({ body: { [encoded]: 1, '/home/alice': 'alice' } })))
    expect([coded?.place, named?.place].join()).not.toMatch(new RegExp(`${encoded.slice(0, 12)}|alice`))
  })

  test('names at most five places a rule, and each with a remedy', () => {
    const messages = Array.from({ length: 50 }, () => secret)
    const findings = scan(cassetteOf(http({ body: { messages } })))
    expect(findings).toHaveLength(5)
    expect(findings[0]?.remedy).toBe("redact: { values: { 'shop-password': process.env.SHOP_PASSWORD } }")
  })

  test('gets through a document as large as the cap, deep and wide, with a hit at its very end', {
    timeout: 60_000,
  }, () => {
    const words = 'ordinary words that stand in a message, with %41 and \\n and /paths/to/files/of/some/length. '
    const messages = Array.from({ length: 40_000 }, (_, index) => ({ content: `${words}${index}` }))
    let deep: Json = secret
    for (let depth = 0; depth < 3_000; depth += 1) deep = [deep]
    const image = Buffer.alloc(2 * 1024 * 1024, 'aé€😀').toString('base64')
    const findings = scan(cassetteOf(http({ body: { messages, image, deep } })))
    expect(findings).toHaveLength(1)
    expect(findings[0]?.place).toMatch(/^interaction 1, request body \/deep\/0\/0/)
  })
})
