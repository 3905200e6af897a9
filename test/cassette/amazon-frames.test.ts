import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AmazonFrameReader, beginsWithAmazonFrame, writeAmazonFrame } from '../../src/core/cassette/amazon-frames.ts'
import { corpusFiles, hasCorpus, loadExchanges } from '../corpus/corpus.ts'
import { amazonCodec, converseFrames, eventFrame } from '../wire/amazon-codec.ts'

const body = new Uint8Array(Buffer.concat(converseFrames()))

function read(chunks: readonly Uint8Array[]) {
  const reader = new AmazonFrameReader()
  return { frames: chunks.flatMap((chunk) => reader.push(chunk)), rest: reader.rest.length }
}

/** What is in them, whatever kind of array the bytes lie in. */
function contents(chunks: readonly Uint8Array[]) {
  const { frames, rest } = read(chunks)
  const facts = frames.map(({ headers, payload, length }) => [[...headers], Buffer.from(payload).toString(), length])
  return [...facts, rest]
}

describe('AWS frames', () => {
  it('are read as the AWS SDK writes them, whatever the cuts', () => {
    const whole = read([body])
    expect(whole.frames).toHaveLength(converseFrames().length)
    expect(whole.frames[0]?.headers.get(':event-type')).toBe('messageStart')
    expect(JSON.parse(Buffer.from(whole.frames[5]?.payload ?? []).toString())).toMatchObject({
      delta: { text: 'Oslo ' },
    })
    const cuts = fc.array(fc.nat(body.length), { maxLength: 12 })
    fc.assert(
      fc.property(cuts, (given) => {
        const borders = [0, ...given.sort((a, b) => a - b), body.length]
        const chunks = borders.slice(1).map((end, index) => body.subarray(borders[index], end))
        expect(contents(chunks)).toEqual(contents([body]))
      }),
      { numRuns: 60 },
    )
    expect(contents([...body].map((byte) => Uint8Array.of(byte)))).toEqual(contents([body]))
  })

  it('are written as the AWS SDK reads them: lengths and CRCs agree with any payload', () => {
    const [frame] = read([body]).frames
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (payload) => {
        const written = writeAmazonFrame(frame as NonNullable<typeof frame>, payload)
        const decoded = amazonCodec.decode(written)
        expect(decoded.headers[':event-type']?.value).toBe('messageStart')
        expect([...decoded.body]).toEqual([...payload])
      }),
      { numRuns: 60 },
    )
    const same = read([body]).frames.map((one) => writeAmazonFrame(one, one.payload))
    expect(Buffer.concat(same).equals(body)).toBe(true)
  })

  it('end where a bit is wrong, and where one was cut', () => {
    fc.assert(
      fc.property(fc.nat(body.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
        const broken = Uint8Array.from(body)
        broken[at] = (broken[at] as number) ^ change
        expect(read([broken]).frames).toHaveLength(read([body.subarray(0, at)]).frames.length)
      }),
      { numRuns: 60 },
    )
    const cut = body.subarray(0, body.length - 1)
    expect(read([cut]).frames).toHaveLength(converseFrames().length - 1)
    expect(read([cut]).rest).toBeGreaterThan(0)
  })

  it('are told from text and from other binary bytes', () => {
    expect(beginsWithAmazonFrame(body)).toBe(true)
    expect(beginsWithAmazonFrame(body.subarray(0, 11))).toBe(false)
    expect(beginsWithAmazonFrame(Buffer.from('{"message":"no frames here"}'))).toBe(false)
    expect(beginsWithAmazonFrame(new Uint8Array(64))).toBe(false)
  })

  it('keep every other kind of header', () => {
    const every = amazonCodec.encode({
      headers: {
        flag: { type: 'boolean', value: true },
        small: { type: 'byte', value: 7 },
        more: { type: 'short', value: 700 },
        much: { type: 'integer', value: 70_000 },
        bytes: { type: 'binary', value: Uint8Array.of(1, 2, 3) },
        at: { type: 'timestamp', value: new Date(1_700_000_000_000) },
        name: { type: 'string', value: 'last' },
      } as never,
      body: Buffer.from('{}'),
    })
    const [frame] = read([every]).frames
    expect([...(frame?.headers ?? [])]).toEqual([['name', 'last']])
    expect(Buffer.from(writeAmazonFrame(frame as NonNullable<typeof frame>, Buffer.from('{}')))).toEqual(
      Buffer.from(every),
    )
  })

  it.skipIf(!hasCorpus)('of real providers are read to the last byte (skipped where there is no corpus)', async () => {
    const exchanges = await Promise.all(
      corpusFiles()
        .filter((file) => /bedrock|aws/i.test(file))
        .map(loadExchanges),
    )
    const streams = exchanges.flat().filter(({ body: bytes }) => beginsWithAmazonFrame(bytes))
    expect(streams.length).toBeGreaterThan(10)
    for (const { path, body: bytes } of streams) {
      const { frames, rest } = read([bytes])
      expect([frames.length > 0, rest], path).toEqual([true, 0])
      const written = frames.map((frame) => writeAmazonFrame(frame, frame.payload))
      expect(Buffer.concat(written).equals(bytes), path).toBe(true)
    }
  })
})

it('a frame of 256 KiB that comes in pieces of 256 bytes is put together once', () => {
  const large = eventFrame('chunk', { bytes: 'A'.repeat(256 * 1024) })
  const reader = new AmazonFrameReader()
  const found = []
  for (let start = 0; start < large.length; start += 256) found.push(...reader.push(large.subarray(start, start + 256)))
  expect(found.map(({ length }) => length)).toEqual([large.length])
})
