import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AmazonFrameReader } from '../../src/core/cassette/amazon-frames.ts'
import type { Cassette } from '../../src/core/cassette/document.ts'
import { scanForSecrets } from '../../src/redaction/scan.ts'
import { amazonCodec, chunkFrame, converseFrames } from '../wire/amazon-codec.ts'
import { openaiKey, redactorOf } from './secret-samples.ts'

const contentType = 'application/vnd.amazon.eventstream'
const key = openaiKey(1)
const pieces = ['The key is ', key.slice(0, 5), key.slice(5, 30), key.slice(30), ' and no other.']
const frames = converseFrames(pieces)
const body = Buffer.concat(frames)

function chunksOf(cuts: readonly number[]) {
  const borders = [0, ...[...cuts].sort((a, b) => a - b), body.length]
  return borders
    .slice(1)
    .map((end, index) => ({ bytes: Uint8Array.from(body.subarray(borders[index], end)), gapMs: index }))
}

function redacted(chunks: ReturnType<typeof chunksOf>) {
  return redactorOf().responseBody({ chunks, end: { kind: 'complete' } }, contentType).chunks
}

/** The frames of a body, each read by the AWS SDK, which checks lengths and CRCs. */
function readBySdk(chunks: readonly { readonly bytes: Uint8Array }[]): readonly Buffer[] {
  const bytes = Buffer.concat(chunks.map((chunk) => chunk.bytes))
  let start = 0
  return new AmazonFrameReader().push(bytes).map(({ length }) => {
    const frame = bytes.subarray(start, start + length)
    start += length
    amazonCodec.decode(Uint8Array.from(frame))
    return frame
  })
}

describe('F15 a secret in AWS frames', () => {
  it('is replaced over any frames and any cuts; each frame stays valid, and the others stay what they were', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(body.length), { maxLength: 20 }), (cuts) => {
        const chunks = chunksOf(cuts)
        const left = redacted(chunks)
        expect(left.map(({ gapMs }) => gapMs)).toEqual(chunks.map(({ gapMs }) => gapMs))
        const read = readBySdk(left)
        expect(read).toHaveLength(frames.length)
        const texts = read.flatMap((frame) => /"text":"([^"]*)"/.exec(frame.toString())?.[1] ?? [])
        expect(texts.slice(2).join('')).toMatch(/^The key is <redacted:[^>]+> and no other\.$/)
        const kept = read.filter((frame, index) => frame.equals(frames[index] as Uint8Array))
        expect(kept).toHaveLength(frames.length - 3)
      }),
      { numRuns: 40 },
    )
  })

  it('that are cut at their borders leaves the cuts at borders', () => {
    let end = 0
    const borders = frames.map(({ length }) => {
      end += length
      return end
    })
    const left = redacted(chunksOf(borders.slice(0, -1)))
    expect(left.map(({ bytes }) => bytes.length)).toEqual(readBySdk(left).map(({ length }) => length))
  })

  it('is replaced inside an event in base64', () => {
    const bytes = chunkFrame({ delta: { text: `no ${key}` } })
    const body = { chunks: [{ bytes, gapMs: 0 }], end: { kind: 'complete' } as const }
    const [frame] = readBySdk(redactorOf().responseBody(body, contentType).chunks)
    const { bytes: inner, p } = JSON.parse(
      Buffer.from(amazonCodec.decode(Uint8Array.from(frame ?? [])).body).toString(),
    )
    expect([Buffer.from(inner, 'base64').toString(), p]).toEqual([
      expect.stringMatching(/^\{"delta":\{"text":"no <redacted:[^>]+>"\}\}$/),
      'abcd',
    ])
  })

  it('is the same body where nothing is found', () => {
    const clean = { chunks: [{ bytes: Buffer.concat(converseFrames()), gapMs: 0 }], end: { kind: 'complete' } as const }
    expect(redactorOf().responseBody(clean, contentType)).toBe(clean)
  })
})

describe('promise 7: the scan', () => {
  const value = 'pw7Qx2Rn9Kd4Tz8Lm'
  const cassette: Cassette = {
    format: 'turntape/1',
    test: 'books a flight',
    provenance: { kind: 'live' },
    recordedAt: '2025-11-30T10:00:00.000Z',
    recordedWith: { node: '20.20.2' },
    interactions: [],
  }

  it.each([
    ['said over several frames', Buffer.concat(converseFrames(['It is ', value.slice(0, 6), value.slice(6)]))],
    ['in an event in base64', Buffer.from(chunkFrame({ delta: { text: value } }))],
  ])('finds a secret of the environment that is %s', (_, bytes) => {
    const facts = { secretValues: [{ name: 'SHOP_PASSWORD', value }], userNames: [], hostNames: [] }
    const sideFiles = new Map([['a.eventstream', Uint8Array.from(bytes)]])
    const findings = scanForSecrets({ cassette, sideFiles, facts })
    expect(findings.map(({ place, rule }) => [place, rule])).toEqual([
      ['side file a.eventstream', 'the value of SHOP_PASSWORD'],
    ])
  })
})
