/** Whatever a server sends, cut anywhere: stored, written, read and served, it is the same chunks (promise 1). */

import { defaultCaps } from '../../src/core/cassette/caps.ts'
import { decodeBody } from '../../src/core/cassette/decode-body.ts'
import type { Chunk, RecordedBody, ResponseBody } from '../../src/core/cassette/document.ts'
import { encodeBody, sameBody } from '../../src/core/cassette/encode-body.ts'
import { parseCassette } from '../../src/core/cassette/parse-cassette.ts'
import { writeCassette } from '../../src/core/cassette/write-cassette.ts'
import { cassetteOf, httpInteraction } from '../../test/cassette/sample-cassette.ts'
import { BrokenPromise, hold } from '../fuzz-target.ts'
import { randomFrom } from '../random.ts'

const contentTypes = [
  'text/event-stream',
  'application/json; charset=utf-8',
  'application/x-ndjson',
  'text/plain; charset=iso-8859-1',
  'application/octet-stream',
  undefined,
] as const

export function checkStoredBody(input: Uint8Array): void {
  const random = randomFrom(input)
  const body: RecordedBody = { chunks: cutAnywhere(input), end: { kind: 'complete' } }
  const { stored, sideFile } = encodeBody(body, { contentType: random.pick(contentTypes) })
  if (stored === undefined) throw new BrokenPromise('a body is gone')
  const sideFiles = new Map(sideFile === undefined ? [] : [[sideFile.name, sideFile.bytes]])
  hold(sameBody(decodeBody(stored, sideFiles), body), 'stored, it is other bytes')
  const written = writeCassette(cassetteOf(httpInteraction(1, stored)))
  const [read] = parseCassette(written, { cassette: 'cassettes/a.json', caps: defaultCaps }).interactions
  const again = (read !== undefined && 'response' in read ? read.response?.body : undefined) as ResponseBody
  hold(sameBody(decodeBody(again, sideFiles), body), 'written and read, it is other bytes')
}

/** In up to seven chunks, empty ones and cuts inside characters included; the same for the same input. */
export function cutAnywhere(input: Uint8Array): readonly Chunk[] {
  const random = randomFrom(input)
  const cuts = Array.from({ length: random.below(7) }, () => random.below(input.length + 1)).sort((a, b) => a - b)
  return [...cuts, input.length].map((end, index) => ({
    bytes: input.slice(cuts[index - 1] ?? 0, end),
    gapMs: random.below(3) * 7,
  }))
}
