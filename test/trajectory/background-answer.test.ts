import { expect, test } from 'vitest'
import type { HttpInteraction, Interaction, Json, ResponseBody } from '../../src/core/cassette/document.ts'
import { tokenUsage } from '../../src/trajectory/token-usage.ts'
import { buildTrajectory } from '../../src/trajectory/turn.ts'
import { modelCall, numbered } from './wire-calls.ts'

const url = 'https://api.openai.com/v1/responses'
const begun = modelCall(url, { model: 'gpt-5', input: 'hi', background: true }, { json: response('queued') })

function response(status: string, text?: string): Json {
  const output: Json = text === undefined ? [] : [{ type: 'message', content: [{ type: 'output_text', text }] }]
  const usage = { input_tokens: 3, output_tokens: 2, total_tokens: 5 }
  return { id: 'resp_1', object: 'response', model: 'gpt-5-1', status, output, ...(text !== undefined && { usage }) }
}

function reading(path: string, body: ResponseBody): HttpInteraction {
  const request = { method: 'GET', url: `${url}/${path}` }
  return { ...begun, kind: 'http', request, response: { status: 200, headers: [], body } }
}

function turnOf(...readings: readonly Interaction[]) {
  const turns = buildTrajectory({ interactions: numbered([begun, ...readings]) })
  expect(turns).toHaveLength(1)
  return { turn: turns[0], usage: tokenUsage(turns) }
}

test('a response in the background is one turn, which says what its last reading says', () => {
  const polls = ['queued', 'in_progress'].map((status) => reading('resp_1', { json: response(status) }))
  const { turn, usage } = turnOf(...polls, reading('resp_1?include=x', { json: response('completed', 'Done.') }))
  expect(turn).toMatchObject({ text: 'Done.', finished: true, finishReason: 'completed', model: 'gpt-5-1' })
  expect(usage).toMatchObject({ inputTokens: 3, outputTokens: 2, uncountedTurns: [] })
})

test('a reading may stream, and begin in the middle', () => {
  const events = [{ data: { type: 'response.completed', response: response('completed', 'Done.') } }]
  const { turn } = turnOf(reading('resp_1?stream=true&starting_after=4', { framing: 'sse', events }))
  expect(turn).toMatchObject({ text: 'Done.', finished: true })
})

test('one that was not read to its end is not finished; what is read of another response is none of its', () => {
  expect(turnOf().turn).toMatchObject({ text: '', finished: false })
  const other = { ...(response('completed', 'Other.') as object), id: 'resp_2' }
  const readings = [reading('resp_2', { json: other }), reading('resp_1/input_items', { json: { data: [] } })]
  expect(turnOf(reading('resp_1', { json: response('in_progress') }), ...readings).turn).toMatchObject({
    ...{ text: '', finished: false, usage: undefined },
  })
})
