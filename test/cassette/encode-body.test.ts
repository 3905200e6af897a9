import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { defaultCaps } from '../../src/core/cassette/caps.ts'
import { contentHash } from '../../src/core/cassette/content-hash.ts'
import { bodyBytes, chunkCount, decodeBody } from '../../src/core/cassette/decode-body.ts'
import type { BodyEnd, HttpInteraction, RecordedBody, ResponseBody } from '../../src/core/cassette/document.ts'
import { encodeBody } from '../../src/core/cassette/encode-body.ts'
import { parseCassette } from '../../src/core/cassette/parse-cassette.ts'
import { writeCassette } from '../../src/core/cassette/write-cassette.ts'
import { cassetteOf, httpInteraction } from './sample-cassette.ts'

const complete: BodyEnd = { kind: 'complete' }

function bodyOf(
  content: string | Uint8Array,
  lengths?: readonly number[],
  gapsMs: readonly number[] = [],
): RecordedBody {
  const bytes = Uint8Array.from(Buffer.from(content as string))
  let start = 0
  const chunks = (lengths ?? [bytes.byteLength]).map((length, index) => {
    start += length
    return { bytes: bytes.slice(start - length, start), gapMs: gapsMs[index] ?? 0 }
  })
  return { chunks, end: complete }
}

/** The stored form, after it was proved to give back the body. */
function stored(body: RecordedBody, contentType?: string): ResponseBody | undefined {
  const { stored: form, sideFile } = encodeBody(body, { contentType })
  if (form === undefined) {
    expect(body).toEqual({ chunks: [], end: complete })
    return undefined
  }
  const decoded = decodeBody(form, new Map(sideFile === undefined ? [] : [[sideFile.name, sideFile.bytes]]))
  expect(decoded).toEqual(body)
  expect(chunkCount(form)).toBe(body.chunks.length)
  // On disk it is packed, and comes back the same.
  const text = writeCassette(cassetteOf(httpInteraction(1, form)))
  const [interaction] = parseCassette(text, { cassette: 'cassettes/a.json', caps: defaultCaps }).interactions
  expect(interaction).toEqual(httpInteraction(1, form))
  expect(writeCassette(cassetteOf(interaction as HttpInteraction))).toBe(text)
  expect(bodyBytes(form)).toBe(body.chunks.reduce((total, chunk) => total + chunk.bytes.byteLength, 0))
  return form
}

const json = 'application/json'
const sse = 'text/event-stream; charset=utf-8'
const ndjson = 'application/x-ndjson'

describe('encodeBody', () => {
  describe('F5 stores the most readable form that gives back the bytes', () => {
    const value = { name: 'Zoë 🛫', list: [1, 'two', null], empty: {}, none: [] }
    const ascii = String.raw`{"name":"Zo\u00eb \ud83d\udeeb","list":[1,"two",null],"empty":{},"none":[]}`

    it.each<[string, string, ResponseBody]>([
      ['compact JSON', JSON.stringify(value), { json: value }],
      ['JSON with a tail', `${JSON.stringify(value)}\n`, { json: value, layout: { tail: '\n' } }],
      ['indented JSON', `${JSON.stringify(value, null, 2)}\n`, { json: value, layout: { indent: 2, tail: '\n' } }],
      ['JSON indented by tabs', JSON.stringify(value, null, '\t'), { json: value, layout: { indent: '\t' } }],
      ['JSON escaped to ASCII', ascii, { json: value, layout: { escape: 'ascii' } }],
      ["Python's JSON", '{"a": [1, 2], "b": "x"}', { json: { a: [1, 2], b: 'x' }, layout: { comma: ' ', colon: ' ' } }],
      [
        'indented JSON without a blank',
        '{\n  "a":[\n    1\n  ]\n}',
        { json: { a: [1] }, layout: { indent: 2, colon: '' } },
      ],
      ['a scalar', 'true', { json: true }],
      [
        'numbers that JavaScript spells otherwise',
        '{"top_p":1.0,"n":1,"logprobs":[-0.0,1e-05]}',
        {
          json: { top_p: 1, n: 1, logprobs: [0, 0.00001] },
          layout: { numbers: { '/top_p': '1.0', '/logprobs/0': '-0.0', '/logprobs/1': '1e-05' } },
        },
      ],
      [
        'JSON escaped for HTML',
        String.raw`{"a":"\u003cb\u003e"}`,
        { json: { a: '<b>' }, layout: { escapeAlso: '<>' } },
      ],
      ["PHP's JSON", String.raw`{"url":"https:\/\/a"}`, { json: { url: 'https://a' }, layout: { escapeAlso: '/' } }],
      ['capital escapes', String.raw`{"a":"\u00E9"}`, { json: { a: 'é' }, layout: { escape: 'ascii', hex: 'upper' } }],
      ['text', 'plain words', { text: 'plain words' }],
      ['text of several lines', 'one\r\ntwo\n', { lines: ['one\r', 'two', ''] }],
      ['an empty chunk', '', { text: '' }],
      ['bytes that are no UTF-8', '\u0000', { base64: 'AA==' }],
    ])('%s', (_, text, expected) => {
      expect(stored(bodyOf(text), json)).toEqual(expected)
    })

    it.each([
      ['duplicate names', '{"a":1,"a":2}'],
      ['a lone surrogate', String.raw`{"a":"\ud83d"}`],
      ['a number that a double does not hold', '[12345678901234567890]'],
      ['a number beyond all doubles', '[1e999]'],
      ['names that are numbers out of order', '{"b":1,"1":2}'],
      ['a prototype name', '{"__proto__":{"polluted":true}}'],
      ['mixed layout', '{"a":1, "b": 2}'],
      ['a byte order mark', '\ufeff{"a":1}'],
      ['deep nesting', '['.repeat(5000) + ']'.repeat(5000)],
      ['deeper nesting', '['.repeat(20_000) + ']'.repeat(20_000)],
    ])('JSON with %s is text', (_, text) => {
      expect(stored(bodyOf(text), json)).toEqual({ text })
    })

    it('binary content up to 1 KiB is inline, more is a side file named by its SHA-256', () => {
      const bytes = Uint8Array.from({ length: 1025 }, (_, index) => (index * 7) % 256)
      expect(stored(bodyOf(bytes.slice(0, 1024)), 'image/png')).toEqual({
        base64: Buffer.from(bytes.slice(0, 1024)).toString('base64'),
      })
      const sha256 = contentHash(bytes)
      expect(encodeBody(bodyOf(bytes), { contentType: 'image/png' }).sideFile).toEqual({ name: `${sha256}.png`, bytes })
      expect(stored(bodyOf(bytes, [1000, 25], [1, 2]), 'audio/mpeg')).toEqual({
        file: `${sha256}.mp3`,
        sha256,
        bytes: 1025,
        cuts: { bytes: [1000, 25] },
        gapsMs: [1, 2],
      })
      expect(stored(bodyOf(bytes), undefined)).toMatchObject({ file: `${sha256}.bin` })
    })

    it('no body at all is no stored body', () => {
      expect(stored({ chunks: [], end: complete })).toBeUndefined()
    })
  })

  describe('F8 keeps every cut', () => {
    const events = ['event: a\ndata: {"n":1}\n\n', 'id: 7\ndata: {"n":"é"}\n\n', 'data: [DONE]\n\n']
    const stream = events.join('')
    const sizes = events.map((event) => Buffer.byteLength(event))
    const parsed = [{ event: 'a', data: { n: 1 } }, { id: '7', data: { n: 'é' } }, { text: '[DONE]' }]

    it('one chunk an event needs no cuts', () => {
      expect(stored(bodyOf(stream, sizes, [5, 0, 9]), sse)).toEqual({
        framing: 'sse',
        events: parsed,
        gapsMs: [5, 0, 9],
      })
    })

    it('cuts on event borders are counts of events, empty chunks included', () => {
      const [first = 0, second = 0, third = 0] = sizes
      expect(stored(bodyOf(stream, [0, first + second, 0, third]), sse)).toEqual({
        framing: 'sse',
        events: parsed,
        cuts: { events: [0, 2, 0, 1] },
      })
    })

    it('cuts inside events are byte lengths, inside a character too', () => {
      const inside = stream.indexOf('é') + 1
      const lengths = [inside, Buffer.byteLength(stream) - inside]
      expect(stored(bodyOf(stream, lengths), sse)).toEqual({ framing: 'sse', events: parsed, cuts: { bytes: lengths } })
    })

    it('cuts of JSON and text are byte lengths', () => {
      expect(stored(bodyOf('{"a":1}', [3, 4], [0, 2]), json)).toEqual({
        json: { a: 1 },
        cuts: { bytes: [3, 4] },
        gapsMs: [0, 2],
      })
    })
  })

  describe('F9 keeps what is odd in a stream verbatim, in its place', () => {
    it.each<[string, string, ResponseBody]>([
      ['comments', ': ping\n\ndata: 1\n\n', { framing: 'sse', events: [{ raw: ': ping\n\n' }, { data: 1 }] }],
      ['retry', 'retry: 3\n\ndata: 1\n\n', { framing: 'sse', events: [{ raw: 'retry: 3\n\n' }, { data: 1 }] }],
      ['an unfinished event', 'data: 1\n\ndata: {"a', { framing: 'sse', events: [{ data: 1 }, { raw: 'data: {"a' }] }],
      [
        'a blank missing after one colon',
        'data: 2\n\ndata:1\n\n',
        { framing: 'sse', events: [{ data: 2 }, { raw: 'data:1\n\n' }] },
      ],
      ['data of several lines', 'data: a\ndata: b\n\n', { framing: 'sse', events: [{ text: 'a\nb' }] }],
      [
        'a further empty line',
        'data: 1\n\n\ndata: 2\n\n',
        { framing: 'sse', events: [{ data: 1 }, { raw: '\ndata: 2\n\n' }] },
      ],
      [
        'a byte order mark',
        '\ufeffdata: 1\n\ndata: 2\n\n',
        { framing: 'sse', events: [{ raw: '\ufeffdata: 1\n\n' }, { data: 2 }] },
      ],
      ['duplicate names', 'data: {"a":1,"a":2}\n\n', { framing: 'sse', events: [{ text: '{"a":1,"a":2}' }] }],
    ])('%s', (_, text, expected) => {
      const sizes = expected && 'events' in expected ? { cuts: { events: [expected.events.length] } } : {}
      expect(stored(bodyOf(text), sse)).toEqual(
        'events' in expected && expected.events.length === 1 ? expected : { ...expected, ...sizes },
      )
    })

    it.each<[string, string, ResponseBody]>([
      [
        'line ends',
        'event: a\r\ndata: 1\r\n\r\ndata: 2\r\n\r\n',
        { framing: 'sse', lineEnd: '\r\n', events: [{ event: 'a', data: 1 }, { data: 2 }] },
      ],
      [
        'no blanks after colons',
        'data:1\n\ndata:2\n\n',
        { framing: 'sse', fieldBlank: '', events: [{ data: 1 }, { data: 2 }] },
      ],
      [
        'data before the event name',
        'data: 1\nevent: a\n\ndata: 2\n\n',
        { framing: 'sse', fieldOrder: 'data first', events: [{ event: 'a', data: 1 }, { data: 2 }] },
      ],
      [
        'the layout that most events share',
        'data: {"a": 1}\n\ndata: {"a": 2}\n\ndata: {"a":3}\n\n',
        {
          framing: 'sse',
          layout: { colon: ' ' },
          events: [{ data: { a: 1 } }, { data: { a: 2 } }, { data: { a: 3 }, layout: {} }],
        },
      ],
      [
        'padding, an event at a time',
        'data: {"a":1   }\n\ndata: {"a":2}\n\n',
        { framing: 'sse', events: [{ data: { a: 1 }, layout: { pad: 3 } }, { data: { a: 2 } }] },
      ],
    ])('says %s once', (_, text, expected) => {
      const count = 'events' in expected ? expected.events.length : 0
      expect(stored(bodyOf(text), sse)).toEqual({ ...expected, cuts: { events: [count] } })
    })

    it('a streamed JSON array is events too, cut where its elements end or anywhere', () => {
      const pieces = ['[{\n  "a": 1\n}', '\n,\r\n{\n  "a": 2\n}', '\n]']
      const layout = { indent: 2 }
      const events = [{ data: { a: 1 } }, { data: { a: 2 } }, { raw: '\n]' }]
      const expected = { framing: 'json-array', between: '\n,\r\n', layout, events }
      expect(
        stored(
          bodyOf(
            pieces.join(''),
            pieces.map((piece) => piece.length),
            [1, 2, 3],
          ),
          json,
        ),
      ).toEqual({
        ...expected,
        gapsMs: [1, 2, 3],
      })
      expect(stored(bodyOf(pieces.join(''), [3, 28]), json)).toEqual({ ...expected, cuts: { bytes: [3, 28] } })
    })

    it('newline-delimited JSON is events too', () => {
      expect(stored(bodyOf('{"a":1}\nnot json\n{"a":\n', [8, 9, 6]), ndjson)).toEqual({
        framing: 'ndjson',
        events: [{ data: { a: 1 } }, { text: 'not json' }, { text: '{"a":' }],
      })
    })

    it('a JSON error under a stream content type is a JSON value', () => {
      expect(stored(bodyOf('{"error":{}}'), sse)).toEqual({ json: { error: {} } })
    })
  })

  it('F10 keeps how a body ended, with no chunk at all too', () => {
    const failure = { stage: 'body', name: 'TypeError', message: 'terminated' } as const
    const ends: readonly BodyEnd[] = [{ kind: 'aborted' }, { kind: 'partial' }, { kind: 'failed', failure }]
    for (const end of ends) {
      expect(stored({ ...bodyOf('data: 1\n\n'), end }, sse)).toEqual({ framing: 'sse', events: [{ data: 1 }], end })
      expect(stored({ chunks: [], end }, sse)).toEqual({ text: '', cuts: { bytes: [] }, end })
    }
  })

  it('gives every chunk memory of its own, anew at each decoding', () => {
    const form = stored(bodyOf('data: 1\n\n', [4, 5]), sse) as ResponseBody
    const [first, second] = [decodeBody(form, new Map()), decodeBody(form, new Map())]
    const buffers = [...first.chunks, ...second.chunks].map((chunk) => chunk.bytes.buffer)
    expect(new Set(buffers).size).toBe(4)
    expect(first.chunks.map((chunk) => chunk.bytes.buffer.byteLength)).toEqual([4, 5])
  })

  it('law: any bytes, cuts and gaps come back, under any content type', () => {
    const pieces = fc.constantFrom(
      'data: {"a":1}\n\n',
      'data: {"a": 1, "b": 2}\n\n',
      'event: x\n',
      'id: 3\n',
      ': c\n\n',
      'data:',
      'data: ',
      '\n',
      '\r\n',
      '\r',
      '\r\r',
      'retry: 1\n',
      '{"a":1}',
      '{"a":1}\n',
      '[1,2',
      '[{"a":1}',
      ',\r\n{"a": 2.0}',
      '{"a":1   }',
      'data:{"b":-0.0}\r\n\r\n',
      'data: 7\nevent: x\n\n',
      '"\\u00e9"',
      'é',
      '🛫',
      '\ufeff',
      '\u2028',
      '\u0000',
      '{"__proto__":1}',
      '1.0',
      '  ',
      '{\n  "a": 1\n}',
    )
    const content = fc.oneof(
      fc.array(pieces, { maxLength: 12 }).map((list) => Uint8Array.from(Buffer.from(list.join('')))),
      fc.uint8Array({ maxLength: 60 }),
      fc.json().map((text) => Uint8Array.from(Buffer.from(text))),
      fc.jsonValue().map((value) => Uint8Array.from(Buffer.from(JSON.stringify(value, null, 3)))),
    )
    const cuts = fc.array(fc.record({ length: fc.nat(9), gapMs: fc.nat(40) }), { maxLength: 20 })
    const type = fc.constantFrom(json, sse, ndjson, 'text/plain', undefined)
    fc.assert(
      fc.property(content, cuts, type, (bytes, list, contentType) => {
        const chunks = []
        let start = 0
        for (const { length, gapMs } of list) {
          chunks.push({ bytes: bytes.slice(start, start + length), gapMs })
          start += length
        }
        if (start < bytes.byteLength) chunks.push({ bytes: bytes.slice(start), gapMs: 3 })
        stored({ chunks, end: complete }, contentType)
      }),
      { numRuns: 250 },
    )
  })
})
