/** Every answer of the corpus, decompressed, with what the decoders get of its exchange. */
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'
import type { Json } from '../../src/core/cassette/document.ts'
import { parseJson } from '../../src/core/cassette/json-text.ts'
import { corpusFiles, loadExchanges } from '../corpus/corpus.ts'

export interface CorpusAnswer {
  /** The file below `http/`, and the position of the exchange in it. */
  readonly name: string
  readonly status: number
  readonly url: string
  readonly request: Json | undefined
  readonly bytes: Uint8Array
}

export async function corpusAnswers(): Promise<readonly CorpusAnswer[]> {
  const answers: CorpusAnswer[] = []
  for (const file of corpusFiles()) {
    for (const [index, exchange] of (await loadExchanges(file)).entries()) {
      const { path, query, status, reqBody, body, encoded, headers } = exchange
      const encoding = headers.find(([name]) => name.toLowerCase() === 'content-encoding')?.[1]
      answers.push({
        name: `${file.slice('http/'.length)} ${index}`,
        status,
        url: `https://provider.test${path}${query}`,
        request: requestOf(reqBody),
        bytes: encoded ? decompress(body, encoding) : Uint8Array.from(body),
      })
    }
  }
  return answers
}

export function answerText(answer: CorpusAnswer): string {
  return new TextDecoder().decode(answer.bytes)
}

/** False for AWS frames, whatever is in them: the length of a frame begins with a zero. */
export function isText({ bytes }: CorpusAnswer): boolean {
  return bytes[0] !== 0
}

function requestOf(body: Uint8Array | string | null): Json | undefined {
  return body === null ? undefined : parseJson(typeof body === 'string' ? body : new TextDecoder().decode(body))
}

function decompress(body: Uint8Array, encoding: string | undefined): Uint8Array {
  if (encoding === 'br') return Uint8Array.from(brotliDecompressSync(body))
  return Uint8Array.from(encoding === 'deflate' ? inflateSync(body) : gunzipSync(body))
}
