import { describe, expect, test } from 'vitest'
import type { Cassette, Interaction, Json, ResponseBody } from '../../src/core/cassette/document.ts'
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
    format: 'turntape/0',
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
  })

  test('names at most five places a rule, and each with a remedy', () => {
    const messages = Array.from({ length: 50 }, () => secret)
    const findings = scan(cassetteOf(http({ body: { messages } })))
    expect(findings).toHaveLength(5)
    expect(findings[0]?.remedy).toContain("name: 'shop-password'")
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
