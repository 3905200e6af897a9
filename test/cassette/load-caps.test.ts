import { describe, expect, it } from 'vitest'
import { defaultCaps } from '../../src/core/cassette/caps.ts'
import { decodeBody } from '../../src/core/cassette/decode-body.ts'
import type { HttpInteraction, JsonLayout, ResponseBody, StreamEvent } from '../../src/core/cassette/document.ts'
import { parseCassette } from '../../src/core/cassette/parse-cassette.ts'
import { writeCassette } from '../../src/core/cassette/write-cassette.ts'
import { isReplayError } from '../../src/errors/replay-error.ts'
import { cassetteOf, httpInteraction } from './sample-cassette.ts'

const count = 600

type Stream = Extract<ResponseBody, { events: unknown }>

function streamOf(eventAt: (index: number) => StreamEvent, frame: Partial<Stream> = {}): Stream {
  return { framing: 'sse', ...frame, events: Array.from({ length: count }, (_, index) => eventAt(index)) } as Stream
}

function deltas(layout: JsonLayout): Stream {
  return streamOf((index) => ({ data: { n: new Array(60).fill(0), of: { a: 1, b: '<é>' }, text: `t${index % 5}` } }), {
    layout,
  })
}

/** Each takes far more than stands in the file for it. */
const streams: Readonly<Record<string, Stream>> = {
  'what is constant': streamOf((index) => ({
    event: 'delta',
    id: 'x',
    data: { text: `t${index}`, note: 'n'.repeat(90) },
  })),
  'what varies': streamOf((index) => ({ data: `${index}${'\u0003'.repeat(index % 90)}` })),
  'events of their own': streamOf((index) => ({ data: { [`n${index}`]: '\u0003'.repeat(40) } })),
  'a counter alone': streamOf((index) => ({ data: index })),
  'values that are repeated': streamOf((index) => ({
    data: ['\u0001'.repeat(60), '\n'.repeat(60)][index >> 9] as string,
  })),
  'lists that are repeated': streamOf((index) => ({ data: [[1e20, 2], [3]][index >> 9] as number[] })),
  'texts that grow': streamOf((index) => ({ data: { all: `${'é'.repeat(40)}\u0002`.repeat(index + 1) } })),
  'lines in a text': streamOf((index) => ({ text: `${index}\n\n\n` }), { lineEnd: '\r\n' }),
  'lines in texts that are repeated': streamOf((index) => ({ text: '\n'.repeat(20 + (index >> 9)) }), {
    lineEnd: '\r\n',
  }),
  pads: streamOf((index) => ({ data: { n: 1 }, layout: { pad: 250 + (index % 6) } })),
  'a tail of lines': deltas({ tail: '\n'.repeat(200) }),
  'a pad for all': deltas({ pad: 256 }),
  'short white space': deltas({ comma: '     ', colon: '     ' }),
  'long white space': deltas({ comma: ' '.repeat(16), colon: ' '.repeat(16) }),
  'line feeds as white space': deltas({ comma: '\n\n', colon: '\n' }),
  escapes: deltas({ escape: 'ascii', escapeAlso: '<>' }),
  'an array with blanks between': streamOf((index) => ({ data: { n: index } }), {
    framing: 'json-array',
    between: `${' '.repeat(64)},${' '.repeat(64)}`,
  }),
  'an array that is indented': streamOf((index) => ({ data: { a: [[[[[[[[[[[[[index]]]]]]]]]]]]] } }), {
    framing: 'json-array',
    between: ',',
    layout: { indent: 10 },
  }),
  'a line each': streamOf((index) => ({ data: { n: index, note: 'é'.repeat(60) } }), { framing: 'ndjson' }),
}

function opened(text: string, maxBodyBytes: number = defaultCaps.maxBodyBytes): readonly HttpInteraction[] {
  const { interactions } = parseCassette(text, { cassette: 'cassettes/a.json', caps: { ...defaultCaps, maxBodyBytes } })
  return interactions as readonly HttpInteraction[]
}

function refusalOf(text: string, maxBodyBytes: number): object | undefined {
  try {
    opened(text, maxBodyBytes)
    return undefined
  } catch (error) {
    if (!isReplayError(error)) throw error
    return error.details
  }
}

describe('F20 a stream is refused from the very byte over its cap, however it grows', () => {
  it.each(Object.entries(streams))('%s', (_, stream) => {
    const text = writeCassette(cassetteOf(httpInteraction(1, stream)))
    const { chunks } = decodeBody(stream, new Map())
    const bytes = chunks.reduce((total, chunk) => total + chunk.bytes.byteLength, 0)
    expect(refusalOf(text, bytes)).toBeUndefined()
    expect(refusalOf(text, bytes - 1)).toMatchObject({ cap: 'maxBodyBytes', limit: bytes - 1, found: bytes })
  })
})

it('F20 a stream that is well below its cap is not unfolded to be counted, in a large file either', () => {
  const stream = streamOf((index) => ({ data: { text: `t${index}`, note: 'n'.repeat(20_000) } }))
  const large: ResponseBody = { text: 'x'.repeat(4_000_000) }
  const text = writeCassette(cassetteOf(httpInteraction(1, large), httpInteraction(2, stream)))
  const [, interaction] = opened(text)
  expect(Object.getOwnPropertyDescriptor(interaction?.response?.body, 'events')?.get).toBeTypeOf('function')
})
