import { expect, test } from 'vitest'
import type { HttpInteraction, Json, RequestBody, ResponseBody } from '../../src/core/cassette/document.ts'
import { splitAtTurns } from '../../src/core/turns/replay-part.ts'
import { sideUsages } from '../../src/trajectory/side-usages.ts'
import { tokenUsage } from '../../src/trajectory/token-usage.ts'
import { buildTrajectory } from '../../src/trajectory/turn.ts'
import { chatCall, modelCall, numbered } from './wire-calls.ts'

const embedding = modelCall(
  'https://api.openai.com/v1/embeddings',
  { model: 'embed', input: 'x' },
  {
    json: {
      object: 'list',
      model: 'embed-3',
      data: [{ embedding: [0.5] }],
      usage: { prompt_tokens: 8, total_tokens: 8 },
    },
  },
)

test('a model call that is no step of the conversation is no turn, and its tokens are counted with the others', () => {
  const interactions = numbered([embedding, chatCall('hi', 'hello'), embedding, chatCall('and?', 'nothing')])
  const turns = buildTrajectory({ interactions })
  expect(turns.map(({ text }) => text)).toEqual(['hello', 'nothing'])
  expect(tokenUsage(turns)).toMatchObject({ inputTokens: 20, outputTokens: 4 })
  expect(tokenUsage(turns, { interactions })).toMatchObject({
    ...{ inputTokens: 36, outputTokens: 4, totalTokens: 40, uncountedTurns: [] },
    byModel: { 'gpt-5': { inputTokens: 20 }, 'embed-3': { inputTokens: 16, outputTokens: 0 } },
  })
})

test('it goes with the turn before it; before the first, with the first', () => {
  const interactions = numbered([embedding, chatCall('hi', 'hello'), embedding, chatCall('and?', 'nothing')])
  const { before, inside, after } = splitAtTurns(interactions, { from: 1, upTo: 1 })
  expect([before, inside.map(({ number }) => number), after.map(({ number }) => number)]).toEqual([[], [1, 2, 3], [4]])
})

function call(
  path: string,
  { asked, body }: { readonly asked: RequestBody; readonly body: ResponseBody },
): HttpInteraction {
  const made = modelCall(`https://provider.test${path}`, null, body)
  return { ...made, request: { ...made.request, body: asked } }
}

const json = (value: Json) => ({ json: value })
const form: RequestBody = {
  parts: [
    { name: 'file', filename: 'a.mp3', bytes: 3, sha256: 'x' },
    { name: 'model', text: 'listen' },
  ],
}

test.each<[string, HttpInteraction, unknown]>([
  [
    'Cohere, as billed',
    call('/v2/embed', { asked: json({ model: 'e' }), body: json({ meta: { billed_units: { input_tokens: 7 } } }) }),
    ['e', 7, 0],
  ],
  [
    'Ollama',
    call('/api/embed', { asked: json({ model: 'e' }), body: json({ model: 'e:1', prompt_eval_count: 7 }) }),
    ['e:1', 7, 0],
  ],
  [
    'Gemini, whose model is in the path',
    call('/v1beta/models/e:embedContent', { asked: json({}), body: json({ usageMetadata: { promptTokenCount: 7 } }) }),
    ['e', 7, 0],
  ],
  [
    'Voyage, a total alone',
    call('/v1/embeddings', { asked: json({ model: 'e' }), body: json({ usage: { total_tokens: 7 } }) }),
    ['e', 7, 0],
  ],
  [
    'a picture',
    call('/v1/images/edits', {
      asked: form,
      body: json({ usage: { input_tokens: 7, output_tokens: 20, total_tokens: 27 } }),
    }),
    ['listen', 7, 20],
  ],
  [
    'a transcription, at the end of its stream',
    call('/v1/audio/transcriptions', {
      asked: form,
      body: {
        framing: 'sse',
        events: [
          { data: { type: 'transcript.text.delta', delta: 'Hi' } },
          {
            data: {
              type: 'transcript.text.done',
              text: 'Hi',
              usage: { type: 'tokens', input_tokens: 7, output_tokens: 2 },
            },
          },
        ],
      },
    }),
    ['listen', 7, 2],
  ],
])('reads the tokens of %s', (_, interaction, expected) => {
  const [found] = sideUsages([interaction])
  expect([found?.model, found?.usage.inputTokens, found?.usage.outputTokens]).toEqual(expected)
})

test.each<[string, ResponseBody]>([
  ['seconds of sound', json({ text: 'Hi', usage: { type: 'duration', seconds: 3 } })],
  ['searches', json({ meta: { billed_units: { search_units: 1 } } })],
  ['sound itself', { base64: 'AAAA' }],
])('counts no tokens where an answer tells of %s', (_, body) => {
  expect(sideUsages([call('/v1/audio/speech', { asked: json({ model: 'm' }), body })])).toEqual([])
})
