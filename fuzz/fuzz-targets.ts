import fc from 'fast-check'
import { writeCassette } from '../src/core/cassette/write-cassette.ts'
import { anyCassette, anyJson } from '../test/cassette/any-cassette.ts'
import type { FuzzTarget } from './fuzz-target.ts'
import { answerSeeds, cassetteSeeds } from './seed-files.ts'
import { checkNamesAndUrls } from './targets/names-and-urls.ts'
import { checkAnswer } from './targets/read-answer.ts'
import { checkCassetteFile } from './targets/read-cassette.ts'
import { checkJson } from './targets/read-json.ts'
import { checkRedaction } from './targets/redact.ts'
import { checkShown } from './targets/show-cassette.ts'
import { checkStoredBody } from './targets/store-body.ts'

const encoder = new TextEncoder()
const asBytes = (text: string): Uint8Array => encoder.encode(text)

const madeCassette = anyCassette.map((cassette) => asBytes(writeCassette(cassette)))
const madeJson = fc
  .tuple(anyJson, fc.constantFrom(0, 2))
  .map(([value, indent]) => asBytes(JSON.stringify(value, null, indent)))
const madeStream = fc
  .array(anyJson, { maxLength: 8 })
  .map((values) => asBytes(values.map((value) => `data: ${JSON.stringify(value)}\n\n`).join('')))
const madeText = fc.string({ unit: 'binary', maxLength: 300 }).map(asBytes)

/** In the order in which they depend on each other. */
export const fuzzTargets: readonly FuzzTarget[] = [
  {
    name: 'read-json',
    promise: 'the exact reading of JSON agrees with the language, and requests that differ have two hashes',
    seeds: answerSeeds,
    made: madeJson,
    check: checkJson,
  },
  {
    name: 'read-cassette',
    promise: 'a file is refused with a code, or reads, writes and reads as the same bytes',
    seeds: cassetteSeeds,
    made: madeCassette,
    check: checkCassetteFile,
  },
  {
    name: 'show-cassette',
    promise: 'show, check, diff and the scan take whatever can be read, and a terminal acts on none of it',
    seeds: cassetteSeeds,
    made: madeCassette,
    check: checkShown,
  },
  {
    name: 'store-body',
    promise: 'a body is served as it came, byte for byte and cut for cut',
    seeds: answerSeeds,
    made: madeStream,
    check: checkStoredBody,
  },
  {
    name: 'read-answer',
    promise: 'any bytes are read as an answer without failing, the same however they are cut',
    seeds: answerSeeds,
    made: madeStream,
    check: checkAnswer,
  },
  {
    name: 'redact',
    promise: 'redacting twice changes nothing, keeps chunks, and JSON stays JSON',
    seeds: answerSeeds,
    made: madeStream,
    check: checkRedaction,
  },
  {
    name: 'names-and-urls',
    promise: 'a path stays in its folder, a URL has one canonical form, what is printed can be',
    seeds: () => [],
    made: madeText,
    check: checkNamesAndUrls,
  },
]
