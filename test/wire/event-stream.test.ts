import fc from 'fast-check'
import { expect, it } from 'vitest'
import { EventStream } from '../../src/wire/event-stream.ts'
import type { StreamItem } from '../../src/wire/stream-item.ts'

function read(pieces: readonly Uint8Array[]): readonly StreamItem[] {
  const stream = new EventStream()
  return [...pieces.flatMap((piece) => stream.push(piece)), ...stream.end()]
}

function readText(text: string): readonly StreamItem[] {
  return read([new TextEncoder().encode(text)])
}

function cutAt(bytes: Uint8Array, cuts: readonly number[]): readonly Uint8Array[] {
  const borders = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length]
  return borders.slice(1).map((end, index) => bytes.subarray(borders[index], end))
}

it.each([
  ['line feeds', 'data: {"a":1}\n\ndata: {"b":2}\n\n', ['{"a":1}', '{"b":2}']],
  ['carriage returns', 'data: {"a":1}\r\rdata: {"b":2}\r\r', ['{"a":1}', '{"b":2}']],
  ['both', 'data: {"a":1}\r\n\r\ndata: {"b":2}\r\n\r\n', ['{"a":1}', '{"b":2}']],
  ['mixed line ends', 'data: {"a":1}\n\r\ndata: {"b":2}\r\r\n', ['{"a":1}', '{"b":2}']],
  ['no blank after the colon', 'data:{"a":1}\n\n', ['{"a":1}']],
  ['only one blank goes', 'data:  x\n\n', [' x']],
  ['comments and blank lines before', ': OPENROUTER PROCESSING\n\n\n\ndata: 1\n\n', ['1']],
  ['data of several lines', 'data: {\ndata: "a":1}\n\n', ['{\n"a":1}']],
  ['no last blank line', 'data: 1\n\ndata: 2\n', ['1', '2']],
  ['no last line end', 'data: 1\n\ndata: 2', ['1', '2']],
  ['a byte order mark', '\uFEFFdata: 1\n\n', ['1']],
  ['fields it does not know', 'id: 7\nretry: 10\nnonsense\ndata: 1\n\n', ['1']],
  ['an event without data', 'event: ping\n\ndata: 1\n\n', ['1']],
])('reads server-sent events: %s', (_, text, expected) => {
  expect(readText(text)).toEqual(expected.map((payload) => ({ text: payload })))
})

it('gives the name of a server-sent event to that event alone', () => {
  expect(readText('event: a\ndata: 1\n\ndata: 2\n\n')).toEqual([{ name: 'a', text: '1' }, { text: '2' }])
})

it.each([
  ['one value', '{"a":[1,{"b":2}]}', ['{"a":[1,{"b":2}]}']],
  ['one a line', '{"a":1}\n{"a":2}\r\n{"a":3}', ['{"a":1}', '{"a":2}', '{"a":3}']],
  ['one array', '[{"a":1}\n,\r\n{"a":[2]}]', ['{"a":1}', '{"a":[2]}']],
  ['brackets and quotes in strings', '[{"a":"]}\\"{"},{"a":"\\\\"}]', ['{"a":"]}\\"{"}', '{"a":"\\\\"}']],
  ['an array of other values', '[1, "x,y" ,null,[2,3]]', ['1', '"x,y"', 'null', '[2,3]']],
  ['white space around', ' \n [ ] \n', []],
  ['an array that was cut', '[{"a":1},{"a":', ['{"a":1}', '{"a":']],
  ['closing brackets too many', '{"a":1}}]\n{"b":2}', ['{"a":1}', '{"b":2}']],
])('reads JSON: %s', (_, text, expected) => {
  expect(readText(text).filter(({ text: value }) => value !== '')).toEqual(expected.map((value) => ({ text: value })))
})

it.each([
  ['', 0],
  ['   \n', 0],
  ['<html>Bad gateway</html>', 0],
])('reads %j as no events', (text, count) => {
  expect(readText(text)).toHaveLength(count)
})

const samples: readonly string[] = [
  ': hi\r\n\r\nevent: a\r\ndata: {"t":"héllo 😀 日本"}\r\n\r\ndata: x\rdata: y\r\rdata: [DONE]\n\n',
  '[{"t":"a\\"]😀"}\r\n,\n{"t":[{"u":"\\\\"}]}]',
  '{"a":"日本"}\n{"b":"\\u00e9😀"}\n',
]

it.each(samples)('gives the same events for any cut of the bytes: %#', (text) => {
  const bytes = new TextEncoder().encode(text)
  const whole = read([bytes])
  expect(whole.length).toBeGreaterThan(1)
  fc.assert(
    fc.property(fc.array(fc.nat(bytes.length), { maxLength: bytes.length }), (cuts) => {
      expect(read(cutAt(bytes, cuts))).toEqual(whole)
    }),
    { numRuns: 60 },
  )
  expect(read([...bytes].map((byte) => Uint8Array.of(byte)))).toEqual(whole)
})

it('reads back any events written as server-sent events or as one array', () => {
  const values = fc.array(fc.record({ text: fc.string({ unit: 'grapheme' }), list: fc.array(fc.string()) }), {
    maxLength: 5,
  })
  fc.assert(
    fc.property(values, fc.array(fc.nat(200), { maxLength: 4 }), (events, cuts) => {
      const texts = events.map((event) => JSON.stringify(event))
      for (const text of [
        texts.map((json) => `data: ${json}\n\n`).join(''),
        `[${texts.join(',\n')}]`,
        texts.join('\n'),
      ]) {
        const items = read(cutAt(new TextEncoder().encode(text), cuts))
        expect(items.map((item) => JSON.parse(item.text) as unknown)).toEqual(events)
      }
    }),
    { numRuns: 60 },
  )
})
