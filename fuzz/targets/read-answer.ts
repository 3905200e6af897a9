/** Any bytes as the answer of a model: read without a failure, and the same however they are cut. */
import { isDeepStrictEqual } from 'node:util'
import type { DecodedAnswer } from '../../src/wire/block.ts'
import { decodeAnswer } from '../../src/wire/decode-answer.ts'
import { EventStream } from '../../src/wire/event-stream.ts'
import { hold } from '../fuzz-target.ts'
import { cutAnywhere } from './store-body.ts'

const urls = ['/v1/chat/completions', '/v1/responses', '/v1/messages', '/v1/models/m:generateContent', '/'].map(
  (path) => `https://provider.test${path}`,
)

export function checkAnswer(input: Uint8Array): void {
  const chunks = cutAnywhere(input).map(({ bytes }) => bytes)
  hold(isDeepStrictEqual(itemsOf([input]), itemsOf(chunks)), 'cut otherwise, it is other events')
  for (const url of urls) {
    const [whole, cut] = [answerOf(url, [input]), answerOf(url, chunks)]
    hold(isDeepStrictEqual(whole, cut), `cut otherwise, it is another answer of ${url}`)
  }
}

function answerOf(url: string, body: readonly Uint8Array[]): DecodedAnswer | undefined {
  return decodeAnswer({ url, body })
}

function itemsOf(chunks: readonly Uint8Array[]): unknown {
  const stream = new EventStream()
  return [...chunks.flatMap((chunk) => stream.push(chunk)), ...stream.end()]
}
