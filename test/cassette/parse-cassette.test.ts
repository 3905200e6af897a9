import { describe, expect, it } from 'vitest'
import { type Caps, defaultCaps } from '../../src/core/cassette/caps.ts'
import type { Cassette } from '../../src/core/cassette/document.ts'
import { parseCassette } from '../../src/core/cassette/parse-cassette.ts'
import { writeCassette } from '../../src/core/cassette/write-cassette.ts'
import { isReplayError } from '../../src/errors/replay-error.ts'
import { cassetteOf, fullCassette, httpInteraction, streamBody } from './sample-cassette.ts'

const cassette = 'cassettes/flights.json'
const text = writeCassette(fullCassette)

function parse(content: string | Uint8Array, caps: Caps = defaultCaps): Cassette {
  return parseCassette(content, { cassette, caps })
}

function failure(content: string | Uint8Array, caps?: Caps): { code: string; details: unknown } {
  try {
    parse(content, caps)
  } catch (error) {
    // What each message says to do is asserted whole in `test/formats/broken-files.test.ts`.
    if (isReplayError(error)) return { code: error.code, details: withoutRemedies(error.details) }
    throw error
  }
  return { code: 'none', details: undefined }
}

function withoutRemedies(details: object): object {
  return Object.fromEntries(Object.entries(details).filter(([name]) => name !== 'remedies'))
}

function replaced(from: string, to: string): string {
  if (!text.includes(from)) return expect.fail(`the sample does not hold ${from}`)
  return text.replace(from, () => to)
}

const invalid = 'TURNTAPE_CASSETTE_INVALID'

describe('parseCassette', () => {
  it('reads what the writer wrote, from text and from bytes', () => {
    expect(parse(text)).toEqual(fullCassette)
    expect(parse(Buffer.from(text))).toEqual(fullCassette)
  })

  it('SN-05 reads a file with other line ends, indentation or escapes', () => {
    expect(parse(text.replaceAll('\n', '\r\n'))).toEqual(fullCassette)
    expect(parse(JSON.stringify(fullCassette))).toEqual(fullCassette)
    expect(parse(replaced('"Monday"', '"\\u004donday"'))).toEqual(fullCassette)
  })

  /** `after`: the text that ends where the fault must be found. */
  type Expected = {
    readonly after: string
    readonly pointer?: string
    readonly reason: string
  }

  const faults: readonly [title: string, content: string | Uint8Array, expected: Expected][] = [
    [
      'a git conflict marker',
      replaced('    {\n      "number": 2', '<<<<<<< HEAD\n    {\n      "number": 2'),
      {
        after: '"timing": { "startMs": 0, "headMs": 120 }\n    },\n',
        reason: 'it holds a git conflict marker',
      },
    ],
    [
      'a truncated file',
      text.slice(0, text.indexOf('"lane"')).trimEnd(),
      { after: '"number": 2,\n      "kind": "model",', reason: 'the file ends in the middle: it is truncated' },
    ],
    ['an empty file', '\n', { after: '', reason: 'the file is empty' }],
    ['a byte order mark', `\ufeff${text}`, { after: '', reason: 'it begins with a byte order mark' }],
    [
      'bytes that are no UTF-8',
      Buffer.concat([Buffer.from('{\n  "format": "turn'), Buffer.of(0xff), Buffer.from('"}')]),
      { after: '{\n  "format": "turn', reason: 'the file is not UTF-8' },
    ],
    [
      'a stray comma',
      replaced('"0.1.0" }', '"0.1.0", }'),
      { after: '"turntape": "0.1.0", ', reason: 'it is no JSON: unexpected }' },
    ],
    [
      'a raw control character',
      replaced('"Monday"', '"Mon\u0001day"'),
      { after: '"Mon', reason: 'a string holds a raw control character' },
    ],
    [
      'a duplicate name',
      replaced('"number": 2,', '"number": 2,\n      "number": 2,'),
      {
        after: '"number": 2,\n      ',
        pointer: '/interactions/1/number',
        reason: 'the name "number" stands twice in one object',
      },
    ],
    [
      'a duplicate name in free JSON',
      replaced('{ "city": "Oslo",', '{ "city": "Oslo", "city": "Oslo",'),
      {
        after: '"city": "Oslo", ',
        pointer: '/interactions/3/request/input/city',
        reason: 'the name "city" stands twice in one object',
      },
    ],
    [
      'a number that a double does not hold',
      replaced('[1, 2, 3]', '[1, 2, 12345678901234567890]'),
      {
        after: '"dates": [1, 2, ',
        pointer: '/interactions/3/request/input/dates/2',
        reason: 'the number has more digits than a double holds',
      },
    ],
    [
      'a wrong type',
      replaced('"status": 200', '"status": "200"'),
      {
        after: '"status": ',
        pointer: '/interactions/0/response/status',
        reason: 'it must be a whole number from 200 to 999, found "200"',
      },
    ],
    [
      'an unknown member',
      replaced('"kind": "call",', '"kind": "call",\n      "requires": ["columns"],'),
      { after: '"requires": ', pointer: '/interactions/4/requires', reason: 'unknown member "requires"' },
    ],
    [
      'an unknown kind',
      replaced('"kind": "call"', '"kind": "dream"'),
      {
        after: '"number": 5,\n      "kind": ',
        pointer: '/interactions/4/kind',
        reason: 'it must be one of "model", "http", "tool", "call", found "dream"',
      },
    ],
    [
      'a missing member',
      replaced('"name": "now",\n        ', ''),
      {
        after: `"number": 5,\n      "kind": "call",\n      "hash": "${'a'.repeat(64)}",\n      "request": `,
        pointer: '/interactions/4/request',
        reason: 'the member "name" is missing',
      },
    ],
    [
      'a prototype name in free JSON',
      replaced('{ "city": "Oslo",', '{ "__proto__": "Oslo",'),
      {
        after: '"input": { "__proto__": ',
        pointer: '/interactions/3/request/input/__proto__',
        reason: 'the name "__proto__" is not allowed',
      },
    ],
    [
      'a prototype name that is spelled with an escape',
      replaced('{ "city": "Oslo",', '{ "\\u005f_proto__": "Oslo",'),
      {
        after: '"input": { "\\u005f_proto__": ',
        pointer: '/interactions/3/request/input/__proto__',
        reason: 'the name "__proto__" is not allowed',
      },
    ],
    [
      'a prototype name among free names',
      replaced('{ "node":', '{ "constructor":'),
      {
        after: '"recordedWith": { "constructor": ',
        pointer: '/recordedWith/constructor',
        reason: 'the name "constructor" is not allowed',
      },
    ],
    [
      'a number out of order',
      replaced('"number": 2', '"number": 3'),
      {
        after: '"timing": { "startMs": 0, "headMs": 120 }\n    },\n    {\n      "number": ',
        pointer: '/interactions/1/number',
        reason: 'it must be 2: interactions are numbered in order',
      },
    ],
    [
      'an overlap with a later interaction',
      replaced('"overlaps": [1]', '"overlaps": [2]'),
      {
        after: '"overlaps": [',
        pointer: '/interactions/1/overlaps/0',
        reason: 'it must name earlier interactions, each once, in order',
      },
    ],
    [
      'cuts that do not add up to the events',
      replaced('{ "events": [1, 3] }', '{ "events": [1, 4] }'),
      {
        after: '"cuts": { "events": ',
        pointer: '/interactions/0/response/body/cuts/events',
        reason: 'it adds up to 5, the body has 4 events',
      },
    ],
    [
      'cuts that do not add up to the bytes',
      replaced('{ "bytes": [3, 10] }', '{ "bytes": [3, 11] }'),
      {
        after: '"cuts": { "bytes": ',
        pointer: '/interactions/1/response/body/cuts/bytes',
        reason: 'it adds up to 14, the body has 13 bytes',
      },
    ],
    [
      'gaps that are not one a chunk',
      replaced('[12, 7]', '[12, 7, 1]'),
      {
        after: '"gapsMs": ',
        pointer: '/interactions/0/response/body/gapsMs',
        reason: 'it must have one gap a chunk, 2',
      },
    ],
    [
      'a fraction of a millisecond',
      replaced('[12, 7]', '[12, 7.5]'),
      {
        after: '"gapsMs": [12, ',
        pointer: '/interactions/0/response/body/gapsMs/1',
        reason: 'it must be a whole number, zero or more, found 7.5',
      },
    ],
    [
      'no object at all',
      '[]',
      { after: '', pointer: '', reason: 'this is no cassette: its "format" must be "turntape/1"' },
    ],
    [
      'another format',
      replaced('turntape/1', 'vcr/1'),
      { after: '"format": ', pointer: '/format', reason: 'this is no cassette: its "format" must be "turntape/1"' },
    ],
  ]

  it.each(faults)('F19 refuses %s with its place and reason', (_, content, { after, ...rest }) => {
    const whole = Buffer.from(content).toString('utf8')
    expect(whole).toContain(after)
    const before = whole.slice(0, whole.indexOf(after) + after.length)
    const lines = before.split('\n')
    const place = { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 }
    expect(failure(content)).toEqual({ code: invalid, details: { cassette, ...place, ...rest } })
  })

  it('AS-01 F19 names a file cut at any place as truncated', () => {
    for (let length = 1; length < text.length - 2; length += 13) {
      expect({ length, ...failure(text.slice(0, length)) }).toMatchObject({
        length,
        code: invalid,
        details: { reason: 'the file ends in the middle: it is truncated' },
      })
    }
  })

  it('F19 refuses a path that leaves the folder of side files', () => {
    const sha256 = 'b'.repeat(64)
    for (const file of [
      `../${sha256}.png`,
      `/etc/passwd`,
      `a/${sha256}.png`,
      `${sha256}.PNG`,
      `${'c'.repeat(64)}.png`,
    ]) {
      const { code, details } = failure(writeCassette(cassetteOf(httpInteraction(1, { file, sha256, bytes: 5 }))))
      expect({ file, code, details }).toMatchObject({
        code: invalid,
        details: { pointer: '/interactions/0/response/body/file' },
      })
    }
  })

  it('F19 refuses a response beside a failure, and neither', () => {
    const { response, ...without } = httpInteraction(1)
    const both = { ...httpInteraction(1), failure: { stage: 'body', name: 'Error', message: 'x' } } as const
    const reason = 'it must have either a response or a failure'
    for (const interaction of [without, both]) {
      expect(failure(writeCassette(cassetteOf(interaction)))).toMatchObject({
        details: { pointer: '/interactions/0', reason },
      })
    }
    expect(response?.status).toBe(200)
  })

  it('F18 names both versions of a newer format', () => {
    const details = { cassette, found: 'turntape/7', supported: 'turntape/1' }
    expect(failure(replaced('turntape/1', 'turntape/7'))).toEqual({ code: 'TURNTAPE_CASSETTE_TOO_NEW', details })
  })

  it('survives hostile nesting', () => {
    const deep = '['.repeat(100_000) + ']'.repeat(100_000)
    expect(failure(replaced('"Monday"', deep))).toMatchObject({
      code: invalid,
      details: { reason: expect.stringContaining('deep') },
    })
    let causes = '{"stage":"value","name":"Error","message":""}'
    for (let depth = 0; depth < 5000; depth += 1)
      causes = `{"stage":"value","name":"Error","message":"","cause":${causes}}`
    expect(failure(replaced('{ "stage": "value", "name": "Error", "message": "stopped" }', causes))).toMatchObject({
      code: invalid,
    })
  })

  describe('F20 caps', () => {
    const stream = writeCassette(cassetteOf(httpInteraction(1, streamBody)))
    const bytes = Buffer.byteLength(stream)
    const padded = writeCassette(cassetteOf(httpInteraction(1, { json: [[1, 2]], layout: { indent: 10, tail: '\n' } })))
    const paddedBytes = Buffer.byteLength(`${JSON.stringify([[1, 2]], null, 10)}\n`)

    it.each([
      ['maxCassetteBytes', stream, bytes],
      ['maxInteractions', text, 5],
      ['maxChunks', stream, 2],
      ['maxBodyBytes', padded, paddedBytes],
    ] as const)('%s: exactly at it is fine, one over is refused', (cap, content, size) => {
      expect(failure(content, { ...defaultCaps, [cap]: size })).toEqual({ code: 'none', details: undefined })
      expect(failure(content, { ...defaultCaps, [cap]: size - 1 })).toEqual({
        code: 'TURNTAPE_CAP_EXCEEDED',
        details: { cassette, cap, limit: size - 1, found: size, atLeast: false, when: 'loading' },
      })
    })

    it('counts a body whose layout would unfold it to gigabytes without unfolding it', () => {
      let json: unknown = Array.from({ length: 200_000 }, () => 0)
      for (let depth = 0; depth < 200; depth += 1) json = [json]
      const hostile = replaced(
        '"lines": [\n            "first",\n            "second",\n            ""\n          ],',
        `"json": ${JSON.stringify(json)}, "layout": {"indent": 10},`,
      )
      const { code, details } = failure(hostile)
      expect({ code, details }).toMatchObject({
        code: 'TURNTAPE_CAP_EXCEEDED',
        details: { cap: 'maxBodyBytes', limit: defaultCaps.maxBodyBytes },
      })
      expect((details as { found: number }).found).toBeGreaterThan(400_000_000)
    })

    it('refuses the size before it looks at the content', () => {
      expect(failure('x'.repeat(11), { ...defaultCaps, maxCassetteBytes: 10 })).toMatchObject({
        code: 'TURNTAPE_CAP_EXCEEDED',
      })
    })
  })
})
