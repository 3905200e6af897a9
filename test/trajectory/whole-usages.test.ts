import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { HttpInteraction, Interaction, Json } from '../../src/core/cassette/document.ts'
import { parseJson } from '../../src/core/cassette/json-text.ts'
import { sumUsages } from '../../src/trajectory/sum-usages.ts'
import { tokenUsage } from '../../src/trajectory/token-usage.ts'
import { buildTrajectory } from '../../src/trajectory/turn.ts'
import { wholeUsages } from '../../src/trajectory/whole-usages.ts'
import { answerText, corpusAnswers } from '../wire/corpus-answers.ts'
import { chatCall, modelCall, numbered, wireCalls } from './wire-calls.ts'

/** What decoding says of all of them. */
function decoded(interactions: readonly Interaction[]) {
  return tokenUsage(buildTrajectory({ interactions }), { interactions })
}

/** True: it was told without decoding, as decoding tells it. */
function isTold(interactions: readonly Interaction[]): boolean {
  const usages = wholeUsages(interactions)
  if (usages !== undefined) expect({ ...sumUsages(usages), uncountedTurns: [] }).toEqual(decoded(interactions))
  return usages !== undefined
}

test('whole answers of OpenAI and Anthropic say their tokens without being decoded, each in its own words', () => {
  const answers = (['openai-chat', 'openai-responses', 'anthropic-messages'] as const).flatMap((wire) => {
    const { url, requests, answers } = wireCalls[wire]
    return answers.flatMap((body, at) => ('json' in body ? [modelCall(url, requests[at] ?? {}, body)] : []))
  })
  expect(answers.length).toBeGreaterThan(1)
  for (const answer of answers) expect(isTold(numbered([answer]))).toBe(true)
  expect(isTold(numbered(answers))).toBe(true)
})

const request = { model: 'm', messages: [] }
const chat = 'https://api.openai.com/v1/chat/completions'
const usage = { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 }

test('what only decoding can tell is left to it: no usage, no model, a failed try, a call that is no turn, a stream', () => {
  const whole = modelCall(chat, request, { json: { model: 'm', choices: [], usage } })
  const others: readonly HttpInteraction[] = [
    modelCall(chat, request, { json: { model: 'm', choices: [] } }),
    modelCall(chat, request, { json: { choices: [], usage } }),
    modelCall('https://api.openai.com/v1/embeddings', request, { json: { model: 'm', data: [], usage } }),
    modelCall(chat, request, { framing: 'sse', events: [{ data: { model: 'm', choices: [], usage } }] }),
    { ...whole, response: { status: 529, headers: [], body: { json: { error: { message: 'overloaded' } } } } },
  ]
  expect(isTold(numbered([whole, chatCall('and', 'again')]))).toBe(true)
  for (const other of others) expect(isTold(numbered([whole, other]))).toBe(false)
})

test('a response in the background says its tokens where it is read at last', () => {
  const url = 'https://api.openai.com/v1/responses'
  const counts = { input_tokens: 1, output_tokens: 2, total_tokens: 3 }
  const response = (status: string): Json => ({
    object: 'response',
    id: 'r',
    model: 'm',
    status,
    output: [],
    usage: counts,
  })
  expect(isTold(numbered([modelCall(url, request, { json: response('completed') })]))).toBe(true)
  expect(isTold(numbered([modelCall(url, request, { json: response('queued') })]))).toBe(false)
})

test('whatever members an answer has, what is told is what decoding tells', () => {
  const counts = fc.dictionary(
    fc.constantFrom(
      'prompt_tokens',
      'completion_tokens',
      'input_tokens',
      'output_tokens',
      'total_tokens',
      'cached_tokens',
    ),
    fc.oneof(fc.nat(99), fc.constant(null), fc.constant('3')),
  )
  const members: Record<string, fc.Arbitrary<unknown>> = {
    type: fc.constantFrom('message', 'response.completed', 'error'),
    object: fc.constantFrom('response', 'chat.completion', 'error'),
    role: fc.constant('assistant'),
    model: fc.constantFrom('m', '', null, 3),
    choices: fc.constantFrom([], null),
    content: fc.constantFrom([], 'text'),
    output: fc.constantFrom([], null, { message: {} }),
    status: fc.constantFrom('completed', 'queued', 'failed'),
    error: fc.constantFrom(null, { message: 'no' }, 'no'),
    candidates: fc.constant([]),
    usage: fc.oneof(counts, fc.constantFrom(null, [])),
    x_groq: counts.map((usage) => ({ usage })),
  }
  const urls = fc.constantFrom(chat, 'https://x.test/v1/responses', 'https://x.test/v1/messages', 'https://x.test/chat')
  let told = 0
  fc.assert(
    fc.property(urls, fc.record(members, { requiredKeys: [] }), (url, answer) => {
      if (isTold(numbered([modelCall(url, request, { json: answer as Json })]))) told += 1
    }),
    { numRuns: 400 },
  )
  expect(told).toBeGreaterThan(10)
})

test.skipIf(!existsSync(resolve('../shared/corpus')))(
  'every whole answer of the corpus says the same of its tokens (skipped where there is none)',
  { timeout: 60_000 },
  async () => {
    let told = 0
    for (const answer of await corpusAnswers()) {
      const json = parseJson(answerText(answer))
      if (json === undefined) continue
      const call = modelCall(answer.url, answer.request ?? null, { json })
      if (isTold(numbered([{ ...call, response: { status: answer.status, headers: [], body: { json } } }]))) told += 1
    }
    expect(told).toBeGreaterThan(40)
  },
)
