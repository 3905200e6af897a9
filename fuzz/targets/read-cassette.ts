/** A file that somebody else wrote, read as every command and test reads one. */

import { type Caps, defaultCaps } from '../../src/core/cassette/caps.ts'
import { bodyBytes, chunkCount, decodeBody } from '../../src/core/cassette/decode-body.ts'
import type { Cassette, Interaction, ResponseBody } from '../../src/core/cassette/document.ts'
import { sameBody } from '../../src/core/cassette/encode-body.ts'
import { parseCassette } from '../../src/core/cassette/parse-cassette.ts'
import { unfoldCassette } from '../../src/core/cassette/unfold-cassette.ts'
import { writeCassette } from '../../src/core/cassette/write-cassette.ts'
import { maxMessageLines } from '../../src/errors/messages/compose-message.ts'
import { printable } from '../../src/errors/printable.ts'
import { isReplayError } from '../../src/errors/replay-error.ts'
import { hold } from '../fuzz-target.ts'

/** Low, so that small inputs meet them. */
export const fuzzCaps: Caps = {
  ...defaultCaps,
  maxCassetteBytes: 256 * 1024,
  maxBodyBytes: 256 * 1024,
  maxInteractions: 100,
  maxChunks: 2048,
}

const refusals: ReadonlySet<string> = new Set([
  'TURNTAPE_CASSETTE_INVALID',
  'TURNTAPE_CASSETTE_TOO_NEW',
  'TURNTAPE_CAP_EXCEEDED',
])

/** Undefined: it was refused, with one of the codes that say so and a message that can be printed. */
export function readCassette(content: Uint8Array | string): Cassette | undefined {
  try {
    const cassette = parseCassette(content, { cassette: 'cassettes/a.json', caps: fuzzCaps })
    unfoldCassette(cassette)
    return cassette
  } catch (error) {
    if (!isReplayError(error) || !refusals.has(error.code)) throw error
    const lines = error.message.split('\n')
    hold(lines.length <= maxMessageLines, `a message of ${lines.length} lines`)
    hold(
      lines.every((line) => line === printable(line)),
      'a message that a terminal would act on',
    )
    hold(error.message.length < 6000, `a message of ${error.message.length} characters`)
    return undefined
  }
}

/** Side files apart: what refers to one has no bytes here. */
function bodiesOf({ interactions }: Cassette): readonly ResponseBody[] {
  const bodies = interactions.map((one) => ('response' in one ? one.response?.body : undefined))
  return bodies.filter((body) => body !== undefined && !('file' in body)) as readonly ResponseBody[]
}

export function checkCassetteFile(input: Uint8Array): void {
  const cassette = readCassette(input)
  if (cassette === undefined) return
  for (const body of bodiesOf(cassette)) {
    const { chunks } = decodeBody(body, new Map())
    const bytes = chunks.reduce((total, chunk) => total + chunk.bytes.length, 0)
    hold(bytes === bodyBytes(body), `a body of ${bytes} bytes that says it has ${bodyBytes(body)}`)
    hold(bytes <= fuzzCaps.maxBodyBytes, `a body of ${bytes} bytes over the cap`)
    hold(chunks.length === chunkCount(body), `${chunks.length} chunks where there should be ${chunkCount(body)}`)
    hold(chunks.length <= fuzzCaps.maxChunks, `${chunks.length} chunks over the cap`)
  }
  checkWrittenAgain(cassette)
}

/** F2: what was read is written, and read, and written, and the last two writings are one. */
function checkWrittenAgain(cassette: Cassette): void {
  const written = writeCassette(cassette)
  if (Buffer.byteLength(written) > fuzzCaps.maxCassetteBytes) return
  const again = readCassette(written)
  hold(again !== undefined, 'what was written is refused')
  hold(writeCassette(again) === written, 'read then written it is another text')
  const [before, after] = [bodiesOf(cassette), bodiesOf(again)]
  hold(before.length === after.length, 'a body is gone')
  for (const [index, body] of before.entries()) {
    const [one, other] = [body, after[index] as ResponseBody].map((stored) => decodeBody(stored, new Map()))
    hold(one !== undefined && other !== undefined && sameBody(one, other), 'a body comes back as other bytes')
  }
  const requests = (all: Cassette): string =>
    JSON.stringify(all.interactions.map(({ request }) => sortedHeaders(request)))
  hold(requests(cassette) === requests(again), 'a request comes back as another')
}

/** A map of headers has no order (F2); a body does. */
function sortedHeaders(request: Interaction['request']): unknown {
  if (!('headers' in request) || request.headers === undefined) return request
  return { ...request, headers: Object.entries(request.headers).sort() }
}
