import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeBody } from '../../src/core/cassette/decode-body.ts'
import type { RecordedBody, ResponseBody } from '../../src/core/cassette/document.ts'
import { type EncodedBody, encodeBody } from '../../src/core/cassette/encode-body.ts'
import { writeCassette } from '../../src/core/cassette/write-cassette.ts'
import { cassetteOf, httpInteraction } from './sample-cassette.ts'

const sse = 'text/event-stream'

/** One chunk, or one of each length as long as there are bytes. */
function recorded(text: string, lengths: readonly number[] = [], gapsMs: readonly number[] = []): RecordedBody {
  const bytes = Uint8Array.from(Buffer.from(text))
  const chunks: { readonly bytes: Uint8Array; readonly gapMs: number }[] = []
  for (let start = 0; start < bytes.byteLength; ) {
    const length = lengths.length === 0 ? bytes.byteLength : (lengths[chunks.length % lengths.length] as number)
    chunks.push({ bytes: bytes.slice(start, start + length), gapMs: gapsMs[chunks.length % gapsMs.length] ?? 0 })
    start += length
  }
  return { chunks, end: { kind: 'complete' } }
}

/** What the body adds to its cassette and beside it: its content; then its cuts and gaps. */
function sizes({ stored, sideFile }: EncodedBody): { readonly content: number; readonly chunks: number } {
  const { cuts: _cuts, gapsMs: _gapsMs, ...content } = stored as ResponseBody
  const size = (body?: ResponseBody) => Buffer.byteLength(writeCassette(cassetteOf(httpInteraction(1, body))))
  const ofContent = size(content as ResponseBody)
  return {
    content: ofContent - size() + (sideFile?.bytes.byteLength ?? 0),
    chunks: size(stored) - ofContent,
  }
}

function formOf(encoded: EncodedBody): string | undefined {
  return Object.keys(encoded.stored ?? {})[0]
}

function times(count: number, make: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => make(index)).join('')
}

/** Another name each time, so that no two events have one shape. */
const unlike = (index: number): string => `{"${index.toString(36)}":1}`

describe('F9 no stream takes more than its bytes and a kilobyte', () => {
  it.each<[string, string, string, string | undefined]>([
    ['few events of any shape stay events', times(40, (n) => `data: ${unlike(n)}\n\n`), sse, 'framing'],
    ['many tiny ones of one shape do too', times(3000, (n) => `data: ${n % 7}\n\n`), sse, 'framing'],
    ['events of one character', times(3000, (n) => `data: ${'abcdefg'[n % 7]}\n\n`), sse, 'framing'],
    ['an id each', times(3000, (n) => `id: ${n * n}\ndata: 1\n\n`), sse, 'framing'],
    ['comments are verbatim in one piece', `${times(300, () => ': p\n\n')}data: 1\n\n`, sse, 'framing'],
    ['tiny events of unlike shapes are text', times(150, (n) => `data: ${unlike(n)}\n\n`), sse, 'text'],
    ['so many of them that their quotes alone are more', times(900, (n) => `data: ${unlike(n)}\n\n`), sse, 'file'],
    ['the same in lines', times(900, (n) => `${unlike(n)}\n`), 'application/x-ndjson', 'file'],
    ['few bytes that need many escapes', `data: 1\n\n${'\u001b'.repeat(900)}`, sse, 'base64'],
  ])('%s', (_, text, contentType, form) => {
    const body = recorded(text)
    const encoded = encodeBody(body, { contentType })
    expect(formOf(encoded)).toBe(form)
    expect(sizes(encoded).content).toBeLessThanOrEqual(Buffer.byteLength(text) + 1024)
    const sideFiles = new Map(encoded.sideFile === undefined ? [] : [[encoded.sideFile.name, encoded.sideFile.bytes]])
    expect(decodeBody(encoded.stored as ResponseBody, sideFiles)).toEqual(body)
  })

  it('a JSON array cut where its elements end, too', () => {
    const elements = Array.from({ length: 900 }, (_, index) => unlike(index))
    const pieces = elements.map((element, index) => `${index === 0 ? '[' : ','}${element}${index === 899 ? ']' : ''}`)
    const body = recorded(
      pieces.join(''),
      pieces.map((piece) => piece.length),
    )
    const encoded = encodeBody(body, { contentType: 'application/json' })
    expect(sizes(encoded).content).toBeLessThanOrEqual(pieces.join('').length + 1024)
  })

  it('what is no stream is JSON or text, whatever that takes', () => {
    const array = `[${Array.from({ length: 900 }, (_, index) => unlike(index)).join(',')}]`
    expect(formOf(encodeBody(recorded(array), { contentType: 'application/json' }))).toBe('json')
    expect(formOf(encodeBody(recorded('"'.repeat(5000)), { contentType: 'text/plain' }))).toBe('text')
  })

  it('law: however hostile; and a cut or gap takes its digits and two characters at most', () => {
    const shapes: readonly ((index: number) => string)[] = [
      (n) => `data: ${unlike(n)}\n\n`,
      (n) => `data: ${n % 10}\n\n`,
      (n) => `data: ${'"\\'.repeat(n % 5)}\n\n`,
      (n) => `event: ${'ab'[n % 2]}${n % 11}\ndata: {}\n\n`,
      (n) => `id: ${n}\ndata: ${'["x"]'.padStart(5 + (n % 7))}\n\n`,
      (n) => `data: {"a":${' '.repeat(n % 4)}[${' '.repeat(n % 3)}{"b": ${n}}]${' '.repeat(n % 5)}}\n\n`,
      (n) => `: ${n % 3}\n\n`,
      () => '\r\n\r\n',
      (n) => `data: \u2028\u001b${n}\n\n`,
      (n) => `${'['.repeat(n % 40)}${']'.repeat(n % 40)}\n`,
      (n) => `{"${n % 50}": "${n}"}\n`,
    ]
    const shape = fc.constantFrom(...shapes)
    const stream = fc.array(fc.tuple(shape, fc.nat(300)), { minLength: 1, maxLength: 5 })
    const length = fc.constantFrom(1, 1, 2, 9, 500)
    const gapMs = fc.constantFrom(0, 0, 1, 7, 12_345)
    fc.assert(
      fc.property(
        stream,
        fc.boolean(),
        fc.array(length, { minLength: 1, maxLength: 4 }),
        fc.array(gapMs, { minLength: 1, maxLength: 5 }),
        fc.constantFrom(sse, 'application/x-ndjson'),
        (parts, mixed, lengths, gapsMs, contentType) => {
          const pieces = parts.map(([make, count]) => Array.from({ length: count }, (_, index) => make(index)))
          const text = mixed ? interleaved(pieces).join('') : pieces.flat().join('')
          const body = recorded(text, lengths, gapsMs)
          if (body.chunks.length === 0) return
          const encoded = encodeBody(body, { contentType })
          const { content, chunks } = sizes(encoded)
          expect(content).toBeLessThanOrEqual(Buffer.byteLength(text) + 1024)
          const digits = body.chunks.reduce(
            (sum, { bytes, gapMs: gap }) => sum + `${bytes.byteLength}`.length + `${gap}`.length + 4,
            0,
          )
          expect(chunks).toBeLessThanOrEqual(digits + 80)
        },
      ),
      { numRuns: 30 },
    )
  })
})

function interleaved(lists: readonly (readonly string[])[]): readonly string[] {
  const longest = Math.max(...lists.map((list) => list.length))
  return Array.from({ length: longest }, (_, index) => lists.flatMap((list) => list[index] ?? [])).flat()
}
