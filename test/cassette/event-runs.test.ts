import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { defaultCaps } from '../../src/core/cassette/caps.ts'
import type {
  Cassette,
  HttpInteraction,
  Json,
  JsonLayout,
  ResponseBody,
  StreamEvent,
} from '../../src/core/cassette/document.ts'
import { parseCassette } from '../../src/core/cassette/parse-cassette.ts'
import { unfoldCassette } from '../../src/core/cassette/unfold-cassette.ts'
import { writeCassette } from '../../src/core/cassette/write-cassette.ts'
import { isReplayError } from '../../src/errors/replay-error.ts'
import { cassetteOf, httpInteraction } from './sample-cassette.ts'

const context = { cassette: 'cassettes/a.json', caps: defaultCaps }

function streamOf(events: readonly StreamEvent[], layout?: JsonLayout): Cassette {
  return cassetteOf(httpInteraction(1, { framing: 'sse', ...(layout !== undefined && { layout }), events }))
}

function bodyOf(cassette: Cassette): ResponseBody | undefined {
  return (cassette.interactions[0] as HttpInteraction).response?.body
}

/** The events as they stand in the file, after they were proved to come back. */
function packed(events: readonly StreamEvent[], layout?: JsonLayout): readonly Record<string, Json>[] {
  const text = writeCassette(streamOf(events, layout))
  const cassette = parseCassette(text, context)
  expect(cassette).toEqual(streamOf(events, layout))
  expect(writeCassette(cassette)).toBe(text)
  return fileOf(text).interactions[0].response.body.events
}

/** The file as plain data, to be looked at and broken. */
function fileOf(text: string): any {
  return JSON.parse(text)
}

function delta(text: string, index = 0): Json {
  return { id: 'chatcmpl-1', choices: [{ index, delta: { content: text }, finish_reason: null }] }
}

const words = ['Fly', 'ing', ' to', ' Oslo', '?', '\n', 'Yes', ',', ' at', ' noon', '.']

describe('runs of events', () => {
  it('F9 say once what is constant, and the deltas as a reader reads them, a line of text a line', () => {
    const text = writeCassette(streamOf(words.map((word) => ({ data: delta(word) }))))
    expect(text).toContain(`          "events": [
            {
              "run": 11,
              "data": {"id":"chatcmpl-1","choices":[{"index":0,"delta":{"content":"…"},"finish_reason":null}]},
              "columns": {
                "/data/choices/0/delta/content": [
                  "Fly", "ing", " to", " Oslo", "?", "\\n",
                  "Yes", ",", " at", " noon", "."
                ]
              }
            }
          ]
`)
  })

  const range = Array.from({ length: 12 }, (_, index) => index)

  it.each<[string, readonly StreamEvent[], Json]>([
    [
      'a counter as start and step',
      range.map((n) => ({ data: { n: 7 + 3 * n } })),
      { '/data/n': { from: 7, step: 3 } },
    ],
    [
      'what repeats as each and how many times',
      range.map((n) => ({ data: { created: n < 5 ? 1764500000 : 1764500001 } })),
      { '/data/created': { each: [1764500000, 1764500001], times: [5, 7] } },
    ],
    [
      'texts with the same beginning and end as what is between',
      range.map((n) => ({ data: { at: `2026-11-30T12:00:0${n % 7}.5Z` } })),
      { '/data/at': range.map((n) => String(n % 7)) },
    ],
    [
      'a text that grows as what is added',
      range.map((n) => ({ data: { text: words.slice(0, n).join('').repeat(2) && 'word '.repeat(n * 3) } })),
      { '/data/text': { grows: range.map((n) => (n === 0 ? '' : 'word word word ')) } },
    ],
    [
      'numbers that are spelled otherwise by their spelling',
      range.map((n) =>
        n % 3 === 0
          ? { data: { logprob: 0 }, layout: { numbers: { '/logprob': '-0.0' } } }
          : { data: { logprob: -0.5 * n } },
      ),
      { '/data/logprob': { numbers: range.map((n) => (n % 3 === 0 ? '-0.0' : -0.5 * n)) } },
    ],
    [
      'lists of scalars whole, as long as they are',
      range.map((n) => ({ data: { bytes: [...range.slice(0, 1 + (n % 3))] } })),
      { '/data/bytes': range.map((n) => range.slice(0, 1 + (n % 3))) },
    ],
    [
      'padding, where it varies',
      range.map((n) => (n === 4 ? { data: { n: 1 } } : { data: { n: 1 }, layout: { pad: 1 + n } })),
      { '/layout/pad': range.map((n) => (n === 4 ? 0 : 1 + n)) },
    ],
    [
      'names and ids of events',
      range.map((n) => ({ event: 'tick', id: `${n * n}`, data: 1 })),
      { '/id': range.map((n) => `${n * n}`) },
    ],
    ['plain text', range.map((n) => ({ text: `word ${n}` })), { '/text': range.map((n) => `word ${n}`) }],
  ])('F9 write %s', (_, events, columns) => {
    const [run, ...rest] = packed(events)
    expect(rest).toEqual([])
    expect(run).toMatchObject({ run: events.length, columns })
  })

  it('F9 keep what they have in common in the pattern, layout and spellings included', () => {
    const events = range.map((n) => ({
      data: { temperature: 1, n: `${n}` },
      layout: { numbers: { '/temperature': '1.0' } },
    }))
    expect(packed(events)[0]).toMatchObject({
      data: { temperature: 1, n: '…' },
      layout: { numbers: { '/temperature': '1.0' } },
      columns: { '/data/n': range.map(String) },
    })
  })

  it('F9 go on over an event of another form, which stands verbatim in its place', () => {
    const events: StreamEvent[] = words.map((word) => ({ data: delta(word) }))
    events.splice(4, 0, { raw: ': keep-alive\n\n' })
    expect(packed(events)).toMatchObject([{ run: 11, between: [[4, { raw: ': keep-alive\n\n' }]] }])
  })

  it('F9 alternate, where two kinds of deltas do', () => {
    const events = range.flatMap((n): StreamEvent[] => [
      { data: { type: 'audio', delta: `${n * 7}`, item: 'item_0123456789' } },
      { data: { type: 'transcript', delta: ` ${n * 3}`, item: 'item_0123456789', part: 0 } },
    ])
    expect(packed(events)).toMatchObject([
      {
        run: 12,
        data: { type: 'audio' },
        between: [
          [
            { from: 1, step: 1 },
            { run: 11, data: { type: 'transcript' } },
          ],
        ],
      },
      { data: { type: 'transcript' } },
    ])
  })

  it('F9 are not made where they are not shorter, or of fewer than three events', () => {
    expect(packed([{ data: 1 }, { data: 2 }])).toEqual([{ data: 1 }, { data: 2 }])
    expect(packed([{ data: 'a' }, { data: 'b' }, { data: 'c' }])).toEqual([{ data: 'a' }, { data: 'b' }, { data: 'c' }])
  })

  it('F9 no JSON of a user is taken for a run, a hole or a column', () => {
    const lookAlikes: readonly Json[] = [
      '…',
      { run: 3, columns: { '/data': ['a'] } },
      { data: '…', same: { '': 'request 1' } },
      { from: 1, step: 1 },
      '0 x 12',
    ]
    for (const value of lookAlikes) {
      packed([{ data: value }])
      packed(range.map((n) => ({ data: { value, long: 'the same in each of the events', n } })))
      packed(range.map((n) => ({ data: { value: n % 2 === 0 ? value : '…', long: 'the same in each of the events' } })))
      packed(range.map((n) => ({ text: `… and so on … ${n}` })))
    }
  })

  it('law: any events come back, and are written the same again', () => {
    const scalar = fc.oneof(
      fc.constantFrom<Json>(null, true, 0, 1, 2.5, '', '…', 'a…b', '\ud83d\udeeb', 'x\u2028', '0 x 3'),
      fc.string({ unit: 'binary', maxLength: 5 }),
      fc.nat(40),
    )
    const data = fc.oneof(
      scalar.map((text) => ({ choices: [{ index: 0, delta: { content: text } }] })),
      scalar.map((text) => ({ type: 'delta', text, same: { '': 'request 1' } })),
      fc.array(scalar, { maxLength: 3 }).map((bytes) => ({ type: 'bytes', bytes })),
      fc.dictionary(fc.constantFrom('a', '/', '~', '', 'run', '1'), scalar, { maxKeys: 3 }),
      scalar,
    ) as fc.Arbitrary<Json>
    const layout = fc.constantFrom<JsonLayout>(
      {},
      { pad: 3 },
      { pad: 9 },
      { colon: ' ' },
      { colon: ' ', pad: 1 },
      { tail: ' ' },
    )
    const named = fc.record(
      { event: fc.constantFrom('a', 'b'), id: fc.nat(99).map(String), data, layout },
      { requiredKeys: ['data'] },
    )
    const event = fc.oneof(
      { weight: 8, arbitrary: named },
      { weight: 1, arbitrary: fc.constantFrom<StreamEvent>({ raw: ': ping\n\n' }, { text: '[DONE]' }, { text: 'x' }) },
    ) as fc.Arbitrary<StreamEvent>
    // Few kinds, many times: runs, interrupted and alternating.
    const events = fc.oneof(
      fc.array(event, { maxLength: 12 }),
      fc
        .tuple(fc.array(event, { minLength: 1, maxLength: 4 }), fc.array(fc.nat(3), { maxLength: 60 }), fc.nat(9))
        .map(([kinds, order, step]) =>
          order.map((at, index) => {
            const kind = kinds[at % kinds.length] as StreamEvent
            return 'data' in kind && index % 4 !== 0 ? { ...kind, data: withNumber(kind.data, index * step) } : kind
          }),
        ),
    )
    fc.assert(
      fc.property(events, fc.option(layout, { nil: undefined }), (list, common) => {
        packed(list, common?.pad === undefined ? common : undefined)
      }),
      { numRuns: 300 },
    )
  })
})

function withNumber(value: Json, number: number): Json {
  if (typeof value === 'string') return `${value}${number}`
  if (typeof value === 'number') return number
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item: Json) => withNumber(item, number))
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, withNumber(item as Json, number)]))
}

describe('F19 F20 a run that cannot be unfolded', () => {
  const good = fileOf(writeCassette(streamOf(words.map((word) => ({ data: delta(word) })))))
  const pointer = '/data/choices/0/delta/content'

  function refusal(change: (run: Record<string, Json>) => void): unknown {
    const file = structuredClone(good)
    change(file.interactions[0].response.body.events[0])
    try {
      parseCassette(JSON.stringify(file), context)
    } catch (error) {
      if (isReplayError(error)) return error.details
      throw error
    }
    return 'none'
  }

  const at = '/interactions/0/response/body/events/0'
  const column = `${at}/columns/${pointer.replaceAll('/', '~1')}`

  it.each<[string, (run: Record<string, Json>) => void, string, string]>([
    [
      'fewer values than events',
      (run) => Object.assign(run, { run: 12 }),
      column,
      'it has 11 values, the run has 12 events',
    ],
    [
      'a column without its hole',
      (run) => Object.assign(run, { columns: { '/data/id': words } }),
      `${at}/columns/~1data~1id`,
      'the pattern has no … there',
    ],
    [
      'a column that leads nowhere',
      (run) => Object.assign(run, { columns: { '/data/nothing': words } }),
      `${at}/columns/~1data~1nothing`,
      'the pattern has no … there',
    ],
    [
      'a column of the run itself',
      (run) => Object.assign(run, { columns: { '/run': words } }),
      `${at}/columns/~1run`,
      'the pattern has no … there',
    ],
    ['neither data nor text', (run) => void delete run.data, at, 'it must have either data or text'],
    [
      'an event between that stands outside',
      (run) => Object.assign(run, { between: [[11, { raw: ':\n\n' }]] }),
      `${at}/between/0`,
      'it must stand inside the run, in order',
    ],
    [
      'a column of no known form',
      (run) => Object.assign(run, { columns: { [pointer]: { odds: [1] } } }),
      column,
      'one of the members "from", "each", "numbers", "grows" is missing',
    ],
    [
      'more events than a stream may have',
      (run) => Object.assign(run, { run: 262_145, columns: { [pointer]: { from: 0, step: 1 } } }),
      `${at}/run`,
      'it must be a whole number from 1 to 262144, found 262145',
    ],
    [
      'a pad longer than any',
      (run) => Object.assign(run, { layout: { pad: '…' }, columns: { '/layout/pad': { from: 0, step: 100 } } }),
      `${at}/columns/~1layout~1pad`,
      'it must have one pad of at most 256 blanks an event',
    ],
  ])('is refused: %s', (_, change, expected, reason) => {
    expect(refusal(change)).toMatchObject({ pointer: expected, reason })
  })

  it.each<[string, (run: Record<string, Json>) => void]>([
    [
      'a long constant',
      (run) =>
        Object.assign(run, {
          run: 60_000,
          data: { long: 'x'.repeat(20_000), n: '…' },
          columns: { '/data/n': { from: 0, step: 1 } },
        }),
    ],
    [
      'a value many times',
      (run) =>
        Object.assign(run, { run: 60_000, columns: { [pointer]: { each: ['x'.repeat(20_000)], times: [60_000] } } }),
    ],
    [
      'a text that grows',
      (run) =>
        Object.assign(run, {
          run: 60_000,
          columns: { [pointer]: { grows: Array.from({ length: 60_000 }, () => 'x') } },
        }),
    ],
  ])('is refused before it is unfolded to a gigabyte: %s', (_, change) => {
    const file = structuredClone(good)
    change(file.interactions[0].response.body.events[0])
    // Few chunks, so that it is not their number that is refused.
    file.interactions[0].response.body.cuts = { events: [60_000] }
    let details: unknown
    try {
      parseCassette(JSON.stringify(file), context)
    } catch (error) {
      if (isReplayError(error)) details = error.details
    }
    expect(details).toMatchObject({ cap: 'maxBodyBytes', when: 'loading' })
    expect((details as { found: number }).found).toBeGreaterThan(1_000_000_000)
  })

  it('F8 gaps and cuts that repeat are said once, and counted before they are unfolded', () => {
    const events = Array.from({ length: 40 }, (_, n) => ({ data: { n } }))
    const gapsMs = events.map((_, index) => (index === 20 ? 9 : 0))
    const text = writeCassette(cassetteOf(httpInteraction(1, { framing: 'sse', events, gapsMs })))
    expect(text).toContain('"gapsMs": ["0 x 20", 9, "0 x 19"]')
    expect(bodyOf(parseCassette(text, context))).toMatchObject({ gapsMs })
    const bomb = text.replace('"0 x 19"', '"0 x 999999999"')
    expect(() => parseCassette(bomb, context)).toThrow(expect.objectContaining({ code: 'TURNTAPE_CASSETTE_INVALID' }))
  })

  it('F8 F19 cuts inside events that do not add up are told when they are unfolded', () => {
    const text = writeCassette(
      cassetteOf(httpInteraction(1, { framing: 'sse', events: [{ data: 1 }], cuts: { bytes: [4, 5] } })),
    )
    const cassette = parseCassette(text.replace('[4, 5]', '[4, 6]'), context)
    expect(() => unfoldCassette(cassette)).toThrow(
      expect.objectContaining({
        details: {
          cassette: 'cassettes/a.json',
          pointer: '/interactions/0/response/body/cuts/bytes',
          reason: 'it adds up to 10, the body has 9 bytes',
        },
      }),
    )
  })
})
