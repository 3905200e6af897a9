import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { decodeBody } from '../../src/core/cassette/decode-body.ts'
import { encodeBody } from '../../src/core/cassette/encode-body.ts'
import type { Block, DecodedAnswer } from '../../src/wire/block.ts'
import { decodeAnswer } from '../../src/wire/decode-answer.ts'
import { hasCorpus } from '../corpus/corpus.ts'
import { answerText, type CorpusAnswer, corpusAnswers } from './corpus-answers.ts'

interface Decoded {
  readonly answer: CorpusAnswer
  readonly decoded: DecodedAnswer
}

function decode(answer: CorpusAnswer, chunks: readonly Uint8Array[] = [answer.bytes]): DecodedAnswer | undefined {
  const { url, request } = answer
  return decodeAnswer({ url, ...(request !== undefined && { request }), body: chunks })
}

function split(bytes: Uint8Array, length: number): readonly Uint8Array[] {
  const chunks = []
  for (let start = 0; start < bytes.length; start += length) chunks.push(bytes.subarray(start, start + length))
  return chunks
}

function isStream(answer: CorpusAnswer): boolean {
  return /^\s*[^\s[{]/.test(answerText(answer))
}

function textsOf(blocks: readonly Block[], kind: 'text' | 'thinking'): string {
  return blocks.map((block) => (block.kind === kind && 'text' in block ? block.text : '')).join('')
}

const modelPath =
  /\/completions$|\/responses(?:\/\w+)?$|\/messages$|enerateContent$|\/v[12]\/chat$|\/api\/generate$|\/converse(?:-stream)?$/

describe.skipIf(!hasCorpus)('real answers (skipped where there is no corpus)', () => {
  let all: readonly CorpusAnswer[]
  let known: readonly Decoded[]

  beforeAll(async () => {
    all = await corpusAnswers()
    known = all.flatMap((answer) => {
      const decoded = decode(answer)
      return decoded === undefined ? [] : [{ answer, decoded }]
    })
  }, 60_000)

  it('decode, each of the seven wires', () => {
    const counts = new Map<string, number>()
    for (const { decoded } of known) counts.set(decoded.wire, (counts.get(decoded.wire) ?? 0) + 1)
    const undecoded = all.filter(
      (answer) => modelPath.test(new URL(answer.url).pathname) && decode(answer) === undefined,
    )
    expect(Object.fromEntries(counts)).toMatchInlineSnapshot(`
      {
        "anthropic-messages": 71,
        "bedrock-converse": 17,
        "cohere": 5,
        "gemini": 29,
        "ollama": 1,
        "openai-chat": 79,
        "openai-responses": 35,
      }
    `)
    expect(undecoded.map(({ name }) => name)).toEqual([])
  })

  it('are finished, have something in them, and nothing that was not understood', () => {
    const odd = known.filter(({ decoded: { blocks, finished, error, torn } }) => {
      const hasMarker = blocks.some(({ kind }) => kind === 'marker')
      return hasMarker || !finished || torn !== undefined || (blocks.length === 0 && error === undefined)
    })
    expect(odd.map(({ answer }) => answer.name)).toMatchInlineSnapshot(`
      [
        "vercel-ai/openai/openai-reasoning-encrypted-content.1.chunks.txt 0",
        "vercel-ai/anthropic/spliced-message-start.chunks.txt 0",
        "braintrust-sdk-javascript/openai-instrumentation/openai-v6-latest.cassette.json 18",
      ]
    `)
  })

  it('tell of an error exactly where the status or the stream does', () => {
    for (const { answer, decoded } of known) {
      const inStream = /test_openrouter_stream_error|openai-error\.1/.test(answer.name)
      expect(decoded.error !== undefined, answer.name).toBe(answer.status >= 400 || inStream)
      if (decoded.error !== undefined) expect(decoded.error.message, answer.name).not.toBe('')
    }
  })

  it('have usage and a finish reason, errors apart', () => {
    const without = known.filter(({ decoded: { usage, finishReason, error } }) => {
      return error === undefined && (usage === undefined || usage.outputTokens === 0 || finishReason === undefined)
    })
    expect(without.map(({ answer }) => answer.name)).toMatchInlineSnapshot(`
      [
        "braintrust-sdk-javascript/openai-instrumentation/openai-v6-latest.cassette.json 18",
        "dd-trace-py/openai/response_stream_incomplete.yaml 0",
        "openllmetry/opentelemetry-instrumentation-openai/test_functions/test_open_ai_function_calls_tools_streaming_parallel.yaml 0",
        "openllmetry/opentelemetry-instrumentation-openai/test_functions/test_open_ai_function_calls_tools_streaming_parallel.yaml 1",
        "llm/test_tools_streaming/test_tools_streaming_variant_a.yaml 0",
      ]
    `)
  })

  it('give the same blocks in pieces of one byte and of seven', () => {
    const streams = known.filter(({ answer }) => isStream(answer) && answer.bytes.length < 20_000)
    expect(streams.length).toBeGreaterThan(80)
    for (const { answer, decoded } of streams) {
      expect(decode(answer, split(answer.bytes, 7)), answer.name).toEqual(decoded)
      if (answer.bytes.length < 6_000) expect(decode(answer, split(answer.bytes, 1)), answer.name).toEqual(decoded)
    }
  })

  it('give the same blocks for any cut', () => {
    const streams = known.filter(({ answer }) => isStream(answer) && /[^\0-\x7f]/.test(answerText(answer)))
    const some = fc.constantFrom(...streams.filter(({ answer }) => answer.bytes.length < 60_000))
    fc.assert(
      fc.property(some, fc.array(fc.nat(60_000), { maxLength: 8 }), ({ answer, decoded }, cuts) => {
        const { bytes } = answer
        const borders = [0, ...cuts.map((cut) => cut % bytes.length).sort((a, b) => a - b), bytes.length]
        const chunks = borders.slice(1).map((end, index) => bytes.subarray(borders[index], end))
        expect(decode(answer, chunks)).toEqual(decoded)
      }),
      { numRuns: 40 },
    )
  })

  it('F5 F9 give the same blocks from the stored form of the body', () => {
    const small = known.filter(({ answer }) => answer.bytes.length < 60_000)
    expect(small.length).toBeGreaterThan(180)
    for (const { answer, decoded } of small) {
      const chunks = split(answer.bytes, 1000).map((bytes) => ({ bytes: Uint8Array.from(bytes), gapMs: 0 }))
      const { stored, sideFile } = encodeBody({ chunks, end: { kind: 'complete' } }, { contentType: undefined })
      if (stored === undefined || sideFile !== undefined) continue
      const { url, request } = answer
      const input = { url, ...(request !== undefined && { request }) }
      expect(decodeAnswer({ ...input, body: stored }), answer.name).toEqual(decoded)
      const served = decodeBody(stored, new Map()).chunks.map(({ bytes }) => bytes)
      expect(decodeAnswer({ ...input, body: served }), answer.name).toEqual(decoded)
    }
  })

  it('are unfinished where they were cut, and say the beginning of what they would have said', () => {
    // Answers that begin twice in one stream say something else at first.
    const streams = known.filter(({ answer, decoded }) => {
      return isStream(answer) && decoded.error === undefined && decoded.blocks[0]?.kind !== 'marker'
    })
    for (const { answer, decoded } of streams) {
      const cut = decode(answer, [answer.bytes.subarray(0, Math.floor(answer.bytes.length / 2))])
      if (cut === undefined) continue
      for (const kind of ['text', 'thinking'] as const) {
        const begun = textsOf(cut.blocks, kind)
        expect(textsOf(decoded.blocks, kind).startsWith(begun), `${answer.name} ${kind}`).toBe(true)
      }
    }
    const unfinished = streams.filter(({ answer }) => {
      return decode(answer, [answer.bytes.subarray(0, Math.floor(answer.bytes.length / 2))])?.finished === false
    })
    expect(streams.length).toBeGreaterThan(120)
    expect(unfinished).toHaveLength(streams.length)
  })
})
