import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import type { HttpInteraction, Json } from '../../src/core/cassette/document.ts'
import { encodeBody } from '../../src/core/cassette/encode-body.ts'
import { thinAnswer } from '../../src/trajectory/thin-answer.ts'
import { buildTrajectory } from '../../src/trajectory/turn.ts'
import { corpusAnswers } from '../wire/corpus-answers.ts'

function streamed(url: string, request: Json, events: readonly Json[]): HttpInteraction {
  return {
    ...{ number: 1, kind: 'model', hash: '', timing: { startMs: 0 } },
    request: { method: 'POST', url, body: { json: request } },
    response: { status: 200, headers: [], body: { framing: 'sse', events: events.map((data) => ({ data })) } },
  }
}

function said(interaction: HttpInteraction): readonly unknown[] {
  const [turn] = buildTrajectory({ interactions: [interaction] })
  return [turn?.usage, turn?.model, turn?.finished]
}

function eventCount(interaction: HttpInteraction): number {
  const body = interaction.response?.body
  return body !== undefined && 'events' in body ? body.events.length : 0
}

const chatUrl = 'https://api.openai.com/v1/chat/completions'
const text = (word: string): Json => ({ model: 'm', choices: [{ index: 0, delta: { content: word } }], usage: null })
const words = (count: number): readonly Json[] => Array.from({ length: count }, (_, index) => text(`w${index} `))

test('a long stream is cut down to its ends and to what counts tokens, wherever that stands', () => {
  const usage = { prompt_tokens: 3, completion_tokens: 900, total_tokens: 903 }
  const counts: Json = { model: 'm', choices: [], usage }
  const done: Json = { model: 'm', choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }
  const whole = streamed(chatUrl, { model: 'm', messages: [] }, [...words(500), counts, ...words(400), done])
  const thin = thinAnswer(whole) as HttpInteraction
  expect(eventCount(thin)).toBe(17)
  expect(said(thin)).toEqual([expect.objectContaining({ inputTokens: 3, outputTokens: 900 }), 'm', true])
  expect(said(thin)).toEqual(said(whole))
})

test('a short stream is left as it is', () => {
  const whole = streamed(chatUrl, { model: 'm', messages: [] }, words(63))
  expect(thinAnswer(whole)).toBe(whole)
})

test.skipIf(!existsSync(resolve('../shared/corpus')))(
  'every stream of the corpus says the same of its tokens (skipped where there is none)',
  { timeout: 60_000 },
  async () => {
    let cut = 0
    for (const { name, url, request, status, bytes } of await corpusAnswers()) {
      const contentType = 'text/event-stream'
      const { stored } = encodeBody({ chunks: [{ bytes, gapMs: 0 }], end: { kind: 'complete' } }, { contentType })
      const body = request === undefined ? {} : { body: { json: request } }
      const whole: HttpInteraction = {
        ...{ number: 1, kind: 'model', hash: '', timing: { startMs: 0 } },
        request: { method: 'POST', url, ...body },
        response: { status, headers: [], ...(stored !== undefined && { body: stored }) },
      }
      const thin = thinAnswer(whole) as HttpInteraction
      if (thin !== whole) cut += 1
      expect(said(thin), name).toEqual(said(whole))
    }
    expect(cut).toBeGreaterThan(5)
  },
)
