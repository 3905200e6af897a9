/** The streams of the corpus, each recorded an event a chunk with gaps, and what it takes in a cassette. */
import type { ResponseBody } from '../../src/core/cassette/document.ts'
import { encodeBody } from '../../src/core/cassette/encode-body.ts'
import { mediaKindOf } from '../../src/core/cassette/media-type.ts'
import { writeCassette } from '../../src/core/cassette/write-cassette.ts'
import type { CorpusExchange } from '../corpus/corpus.ts'
import { cassetteOf, httpInteraction } from './sample-cassette.ts'

export interface CorpusStream {
  /** File below the corpus, and which exchange of it. */
  readonly name: string
  /** The path of the request, which tells the provider's API. */
  readonly path: string
  readonly text: string
  readonly body: Extract<ResponseBody, { events: unknown }>
  readonly rawBytes: number
  /** Of the lines that the body adds to its cassette, cuts and gaps included. */
  readonly storedBytes: number
}

/** An exchange of the corpus, and the file it is from. */
export interface FiledExchange {
  readonly file: string
  readonly position: number
  readonly exchange: Pick<CorpusExchange, 'path' | 'headers' | 'body'>
}

export function streamsOf(exchanges: readonly FiledExchange[]): readonly CorpusStream[] {
  return exchanges.flatMap(({ file, position, exchange: { path, headers, body } }): readonly CorpusStream[] => {
    const contentType = headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1]
    const text = Buffer.from(body).toString('utf8')
    const stored = recordStream(text, contentType)
    if (!('events' in stored)) return []
    const sizes = { rawBytes: body.byteLength, storedBytes: sizeOf(stored) }
    return [{ name: `${file} ${position}`, path, text, body: stored, ...sizes }]
  })
}

/** The lines of a body as they stand in its cassette, moved to the left. */
export function bodyLines(body: ResponseBody): string {
  const lines = writeCassette(cassetteOf(httpInteraction(1, body))).split('\n')
  const start = lines.lastIndexOf('        "body": {')
  const end = lines.indexOf('        }', start)
  return lines
    .slice(start, end + 1)
    .map((line) => line.slice(8))
    .join('\n')
}

function sizeOf(body: ResponseBody): number {
  const [withBody, without] = [httpInteraction(1, body), httpInteraction(1)]
  return Buffer.byteLength(writeCassette(cassetteOf(withBody))) - Buffer.byteLength(writeCassette(cassetteOf(without)))
}

/** The stored form of a stream's text: an event a chunk; gaps as a fast model has them, the same at each run. */
export function recordStream(text: string, contentType: string | undefined): ResponseBody {
  const border = mediaKindOf(contentType) === 'ndjson' ? /(?<=\n)/ : /(?<=\n\r?\n)/
  const pieces = text.split(border).filter((piece) => piece !== '')
  const chunks = pieces.map((piece, index) => ({
    bytes: new TextEncoder().encode(piece),
    gapMs: index % 3 === 0 ? 0 : (index * 37) % 61,
  }))
  return encodeBody({ chunks, end: { kind: 'complete' } }, { contentType }).stored ?? { text: '' }
}
