import { beforeAll, describe, expect, it } from 'vitest'
import type { Json } from '../../src/core/cassette/document.ts'
import { parseJson } from '../../src/core/cassette/json-text.ts'
import type { DecodedAnswer } from '../../src/wire/block.ts'
import { decodeAnswer } from '../../src/wire/decode-answer.ts'
import { EventStream } from '../../src/wire/event-stream.ts'
import { objectOf, objectsOf, stringOf } from '../../src/wire/read-json.ts'
import { sameContent } from '../../src/wire/same-content.ts'
import { hasCorpus } from '../corpus/corpus.ts'
import { answerText, type CorpusAnswer, corpusAnswers, isText } from './corpus-answers.ts'
import { anthropicMessage, chatCompletion, hasSdk, openaiResponse, type SdkWire } from './sdk-facts.ts'

/** The answer without streaming that the provider's own SDK makes of the very bytes. */
async function sdkTwin(wire: Exclude<SdkWire, 'gemini'>, bytes: Uint8Array): Promise<Json> {
  const given = { bytes, status: 200, isStream: true }
  switch (wire) {
    case 'openai-chat':
      return plain(await chatCompletion(given))
    case 'openai-responses':
      return plain(await openaiResponse(given))
    case 'anthropic-messages':
      return plain(await anthropicMessage(given))
  }
}

function plain(value: unknown): Json {
  return JSON.parse(JSON.stringify(value)) as Json
}

/** What the SDKs know of an answer: reasoning over chat completions and the raw form of the usage are not in it. */
function shared(answer: DecodedAnswer | undefined): unknown {
  if (answer === undefined) return undefined
  const { blocks, usage } = answer
  const told = answer.wire === 'openai-chat' ? blocks.filter(({ kind }) => kind !== 'thinking') : blocks
  return { ...answer, blocks: told, usage: usage && { ...usage, raw: undefined } }
}

function payloads(answer: CorpusAnswer): readonly Json[] {
  const stream = new EventStream()
  return [...stream.push(answer.bytes), ...stream.end()].flatMap(({ text }) => parseJson(text) ?? [])
}

function asStream(events: readonly Json[]): readonly Uint8Array[] {
  return events.map((event) => new TextEncoder().encode(`data: ${JSON.stringify(event)}\n\n`))
}

/** Streams that the SDK itself does not put together to what they say. */
const notForSdks: Readonly<Record<string, string>> = {
  test_background_mode_streaming_starting_after_vcr: 'joined in the middle',
  test_openrouter_stream_error: 'the SDK throws the error',
  'openai-error.1': 'the SDK throws the error',
  test_mistral_model_thinking_part_iter: 'content in parts, which the SDK joins to [object Object]',
  'openai-reasoning-encrypted-content.1': 'several responses in one stream, of which the SDK keeps the last',
  'openai-phase.1': 'the SDK refuses output indexes with gaps',
  'duplicate-message-start': 'the SDK refuses a second start',
  'spliced-message-start': 'the SDK refuses a second start',
  'mistral-incremental-tool-call': 'no role, which the SDK refuses',
  'huggingface-v4-latest': 'no role, which the SDK refuses',
  test_tools_streaming_variant_a: 'no finish reason, which the SDK refuses',
}

describe.skipIf(!hasCorpus)('a streamed answer (skipped where there is no corpus)', () => {
  let streams: readonly { readonly answer: CorpusAnswer; readonly ours: DecodedAnswer }[]

  beforeAll(async () => {
    streams = (await corpusAnswers()).flatMap((answer) => {
      const ours =
        isText(answer) && /^\s*[^\s[{]/.test(answerText(answer))
          ? decodeAnswer({ url: answer.url, body: [answer.bytes] })
          : undefined
      return ours === undefined ? [] : [{ answer, ours }]
    })
  }, 60_000)

  it('equals its twin without streaming, as the official SDK accumulates it', async () => {
    const compared: Record<string, number> = {}
    for (const { answer, ours } of streams) {
      const { wire } = ours
      if (wire === 'gemini' || !hasSdk(wire) || Object.keys(notForSdks).some((name) => answer.name.includes(name)))
        continue
      const twin = await sdkTwin(wire, answer.bytes)
      const theirs = decodeAnswer({ url: answer.url, body: { json: twin } })
      expect(shared(ours), answer.name).toEqual(shared(theirs))
      compared[wire] = (compared[wire] ?? 0) + 1
    }
    expect(compared).toMatchInlineSnapshot(`
      {
        "anthropic-messages": 41,
        "openai-chat": 37,
        "openai-responses": 20,
      }
    `)
  }, 30_000)

  // The last event encrypts the reasoning anew, so it is the content that is compared.
  it('of Responses has its blocks from the items alone, where the last event holds none', () => {
    const items = streams.filter(({ ours }) => ours.wire === 'openai-responses' && ours.blocks[0]?.kind !== 'marker')
    for (const { answer, ours } of items) {
      const events = payloads(answer).map((event) => {
        const response = objectOf(objectOf(event)?.response)
        return response === undefined ? event : { ...objectOf(event), response: { ...response, output: [] } }
      })
      expect(decodeAnswer({ url: answer.url, body: asStream(events) }), answer.name).satisfy((decoded: DecodedAnswer) =>
        sameContent(decoded, ours),
      )
    }
    expect(items.length).toBeGreaterThan(20)
  })

  it('of Responses has its texts and calls from the deltas alone', () => {
    const items = streams.filter(({ answer, ours }) => {
      // The deltas of one file were shortened by hand.
      const isWhole = ours.blocks[0]?.kind !== 'marker' && !answer.name.includes('openai-phase')
      return ours.wire === 'openai-responses' && isWhole
    })
    for (const { answer, ours } of items) {
      const events = payloads(answer).filter((event) => {
        return !/\.(?:done|completed|incomplete)$/.test(stringOf(objectOf(event)?.type) ?? '')
      })
      const told = (decoded: DecodedAnswer | undefined): readonly unknown[] =>
        (decoded?.blocks ?? []).flatMap((block): readonly unknown[] => {
          if (block.kind === 'text') return [block.text]
          return block.kind === 'tool call' && block.byProvider === undefined ? [block.arguments] : []
        })
      const cut = decodeAnswer({ url: answer.url, body: asStream(events) })
      expect(told(cut), answer.name).toEqual(told(ours))
      expect(cut?.finished, answer.name).toBe(ours.error !== undefined)
    }
  })

  it('of Gemini says the texts, thoughts and calls of its chunks, one after the other', () => {
    const gemini = streams.filter(({ ours }) => ours.wire === 'gemini')
    for (const { answer, ours } of gemini) {
      const parts = payloads(answer).flatMap((chunk) =>
        objectsOf(objectOf(chunk)?.candidates).flatMap(({ content }) => objectsOf(objectOf(content)?.parts)),
      )
      const joined = (thought: boolean): string =>
        parts
          .filter((part) => (part.thought === true) === thought)
          .map(({ text }) => stringOf(text) ?? '')
          .join('')
      const said = (kind: 'text' | 'thinking'): string =>
        ours.blocks.map((block) => (block.kind === kind && 'text' in block ? block.text : '')).join('')
      const names = parts.flatMap(({ functionCall }) => stringOf(objectOf(functionCall)?.name) ?? [])
      expect(said('text'), answer.name).toBe(joined(false))
      expect(said('thinking'), answer.name).toBe(joined(true))
      expect(ours.blocks.flatMap((block) => (block.kind === 'tool call' ? [block.name] : []))).toEqual(names)
    }
    expect(gemini.length).toBeGreaterThan(12)
  })

  it('of Gemini decodes the same as one JSON array', () => {
    for (const { answer, ours } of streams.filter((stream) => stream.ours.wire === 'gemini')) {
      const array = `[${payloads(answer)
        .map((chunk) => JSON.stringify(chunk))
        .join('\n,\r\n')}]`
      expect(decodeAnswer({ url: answer.url, body: [new TextEncoder().encode(array)] })).toEqual(ours)
      expect(decodeAnswer({ url: answer.url, body: { json: payloads(answer) } })).toEqual(ours)
    }
  })
})
