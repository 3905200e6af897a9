/** Small files that say they are huge ones: each would take a gigabyte or more if it were unfolded. */
import { writeCassette } from '../../src/core/cassette/write-cassette.ts'
import { cassetteOf, httpInteraction } from './sample-cassette.ts'

const plain = JSON.parse(writeCassette(cassetteOf(httpInteraction(1))))
const [first] = plain.interactions

function fileOf(...interactions: readonly object[]): string {
  const numbered = interactions.map((interaction, index) => ({ ...first, ...interaction, number: index + 1 }))
  return JSON.stringify({ ...plain, interactions: numbered })
}

function answered(body: object): string {
  return fileOf({ response: { ...first.response, body } })
}

function stream(...events: readonly object[]): string {
  return answered({ framing: 'sse', events, cuts: { events: [262_144] } })
}

function chain(length: number, start: object, next: (number: number) => object): string {
  const rest = Array.from({ length: length - 1 }, (_, index) => ({ request: next(index + 2) }))
  return fileOf({ request: { ...first.request, body: { json: start } } }, ...rest)
}

const events = 262_144
const megabyte = 'x'.repeat(1_000_000)

/** What each is, and what it is refused for. */
export const hostileFiles: Readonly<Record<string, { readonly text: string; readonly refusal: string }>> = {
  'a run that repeats eight kilobytes': {
    text: stream({
      run: events,
      data: { text: 'x'.repeat(8192), at: '…' },
      columns: { '/data/at': { from: 0, step: 1 } },
    }),
    refusal: 'maxBodyBytes',
  },
  'a column of one long text': {
    text: stream({ run: events, data: '…', columns: { '/data': { each: ['x'.repeat(8192)], times: [events] } } }),
    refusal: 'maxBodyBytes',
  },
  'a text that grows with each event': {
    text: stream({
      run: events,
      data: '…',
      columns: { '/data': { grows: Array.from({ length: events }, () => 'x') } },
    }),
    refusal: 'maxBodyBytes',
  },
  'runs that alternate': {
    text: stream({
      run: 2,
      data: '…',
      columns: { '/data': [1, 2] },
      between: [
        [
          { each: [1], times: [events - 2] },
          { run: events - 2, data: 'x'.repeat(8192), columns: {} },
        ],
      ],
    }),
    refusal: 'maxBodyBytes',
  },
  'more events than a stream may have': {
    text: stream({ run: events, data: 1, columns: {} }, { run: events, data: 1, columns: {} }),
    refusal: 'it has 524288 events, more than 262144',
  },
  'two thousand streams of a hundred bytes': {
    text: fileOf(
      ...Array.from({ length: 2000 }, () => {
        const run = { run: events, data: '…', columns: { '/data': { from: 0, step: 1 } } }
        return { response: { ...first.response, body: { framing: 'sse', events: [run], cuts: { events: [events] } } } }
      }),
    ),
    refusal: 'its streams take more than 536870912 bytes when they are unfolded',
  },
  'two thousand bodies of as many empty chunks as there may be': {
    text: fileOf(
      ...Array.from({ length: 2000 }, () => {
        return { response: { ...first.response, body: { text: '', cuts: { bytes: ['0 x 65536'] } } } }
      }),
    ),
    refusal: 'its streams take more than 536870912 bytes when they are unfolded',
  },
  'a billion empty chunks': {
    text: answered({ text: '', cuts: { bytes: ['0 x 1000000000'] } }),
    refusal: 'maxChunks',
  },
  'a billion gaps': {
    text: answered({ text: 'x', gapsMs: ['0 x 1000000000'] }),
    refusal: 'it must have one gap a chunk, 1',
  },
  'a billion gaps between elements': {
    text: fileOf({
      kind: 'tool',
      request: { name: 'f', input: 1 },
      result: { elements: [1], gapsMs: ['0 x 1000000000'] },
      response: undefined,
    }),
    refusal: 'it must have one gap an element, 1',
  },
  'an indentation of thousands': {
    text: answered({
      json: Array.from({ length: 200 }).reduce<unknown>((value) => [value], Array(200_000).fill(0)),
      layout: { indent: 10 },
    }),
    refusal: 'maxBodyBytes',
  },
  'values that double': {
    text: chain(40, { a: 'x'.repeat(300) }, (number) => ({
      method: 'POST',
      url: 'https://api.example.com/',
      body: { json: ['…', '…'], same: { '/0': `request ${number - 1}`, '/1': `request ${number - 1}` } },
    })),
    refusal: 'maxBodyBytes',
  },
  'requests that take in the first one, over and over': {
    text: chain(1000, { a: [megabyte] }, (number) => ({
      like: number - 1,
      edits: [{ at: '/a', append: ['…'] }],
      same: { [`/a/${number - 1}`]: 'request 1 /a/0' },
    })),
    refusal: 'maxBodyBytes',
  },
  'an event that takes in a large value, over and over': {
    text: fileOf(
      { request: { ...first.request, body: { json: [megabyte] } } },
      {
        response: {
          ...first.response,
          body: {
            framing: 'sse',
            events: Array.from({ length: 1000 }, () => ({ data: '…', same: { '': 'request 1 /0' } })),
          },
        },
      },
    ),
    refusal: 'maxBodyBytes',
  },
  'a long text with a letter changed, a thousand times': {
    text: chain(1000, { prompt: megabyte }, (number) => ({
      like: number - 1,
      edits: [{ at: '/prompt', from: number, remove: 1, insert: 'y' }],
    })),
    refusal: 'its values take more than 268435456 bytes when they are unfolded',
  },
  'a long list with an element changed, a thousand times': {
    text: chain(1000, Array(200_000).fill(0) as unknown as object, (number) => ({
      like: number - 1,
      edits: [{ at: `/${number}`, set: 1 }],
    })),
    refusal: 'its values take more than 268435456 bytes when they are unfolded',
  },
}
