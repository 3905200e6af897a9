import { describe, expect, test } from 'vitest'
import type { HttpInteraction, Interaction, Json } from '../../src/core/cassette/document.ts'
import { type CompareOptions, compareRuns, type RunToCompare } from '../../src/trajectory/compare-runs.ts'
import { printComparison } from '../../src/trajectory/comparison.ts'
import { buildTrajectory } from '../../src/trajectory/turn.ts'
import type { Wire } from '../../src/wire/block.ts'
import { agentRun, chatCall, modelCall, numbered, toolRun, wireCalls } from './wire-calls.ts'

function run(name: string, interactions: readonly Interaction[]): RunToCompare {
  const placed = numbered(interactions)
  return { name, interactions: placed, turns: buildTrajectory({ interactions: placed }) }
}

function compare(left: readonly Interaction[], right: readonly Interaction[], options: CompareOptions = {}) {
  return compareRuns(run('a.json', left), run('b.json', right), options)
}

/** Every id, signature, date and gap another. */
function recordedAgain(interactions: readonly Interaction[]): readonly Interaction[] {
  const text = JSON.stringify(interactions)
    .replace(/"(call|fc)_(\d)"/g, '"$1_again_$2"')
    .replace(/"id":"(c1|c2|r1|r2|m|m1|m2)"/g, '"id":"again-$1"')
    .replace('"previous_response_id":"r1"', '"previous_response_id":"again-r1"')
    .replace(/"startMs":0/g, '"startMs":99')
  return JSON.parse(text) as readonly Interaction[]
}

describe.each(Object.keys(wireCalls) as Wire[])('%s', (wire) => {
  test('SN-01 TH-28 two recordings of one conversation are the same: time and ids do not count', () => {
    const again = recordedAgain(agentRun(wire))
    expect(again).not.toEqual(agentRun(wire))
    expect(compare(agentRun(wire), again)).toEqual({
      identical: true,
      left: { name: 'a.json', turns: 2, interactions: 2 },
      right: { name: 'b.json', turns: 2, interactions: 2 },
    })
  })

  test('another answer is found in its turn, though the same was asked', () => {
    const other = JSON.parse(JSON.stringify(agentRun(wire)).replace(/89 EUR\./g, '98 EUR.')) as Interaction[]
    const comparison = compare(agentRun(wire), other)
    expect(comparison).toMatchObject({
      identical: false,
      difference: { reason: 'answer', left: { turn: 2 }, right: { turn: 2 }, total: 1 },
    })
    expect(printComparison(comparison)).toContain('blocks[0].text changed')
  })
})

const flights = (prompt: string, answer: string) => [chatCall('hello', 'hi'), chatCall(prompt, answer)]

test('a request that differs is told with its place and words on both sides', () => {
  expect(printComparison(compare(flights('the cheapest flight', 'x'), flights('the fastest flight', 'y')))).toBe(
    `Turn 2 asks for something else: messages[0].content changed
left   a.json  interaction 2, turn 2, POST https://api.openai.com/v1/chat/completions (gpt-5)
right  b.json  interaction 2, turn 2, POST https://api.openai.com/v1/chat/completions (gpt-5)
  messages[0].content (user message)
    - "the cheapest flight"
    + "the fastest flight"`,
  )
})

test('answersOnly passes over what was asked', () => {
  const [left, right] = [flights('the cheapest flight', 'same'), flights('the fastest flight', 'same')]
  expect(compare(left, right, { answersOnly: true }).identical).toBe(true)
  expect(compare(left, right).identical).toBe(false)
})

test('TH-30 two empty runs are the same; against an empty one the first step is all there is', () => {
  expect(compare([], []).identical).toBe(true)
  const comparison = compare([], [chatCall('hi', 'x')])
  expect(comparison).toMatchObject({
    difference: { reason: 'left ended', right: { interaction: 1, turn: 1 }, changes: [], total: 0 },
  })
  expect(comparison.identical ? {} : comparison.difference).not.toHaveProperty('left')
  expect(printComparison(comparison)).toBe(
    `Turn 1 of the right has no counterpart
left   a.json  ends after 0 turns
right  b.json  interaction 1, turn 1, POST https://api.openai.com/v1/chat/completions (gpt-5)`,
  )
})

test('TH-29 the reason is the first thing that differs in the earliest step', () => {
  const call = chatCall('hi', 'x')
  const failed: HttpInteraction = { ...call, response: { status: 500, headers: [] } }
  const limited: HttpInteraction = { ...call, response: { status: 429, headers: [] } }
  const reasons = [
    compare([failed, call], [limited, call]),
    compare([call, chatCall('a', '1')], [call]),
    compare([call], [toolRun('search', [1], 2)]),
    compare([toolRun('search', [1], 2)], [toolRun('book', [1], 2)]),
    compare([toolRun('search', [1], 2)], [toolRun('search', [2], 3)]),
    compare([toolRun('search', [1], 2)], [toolRun('search', [1], 3)]),
    compare([failed], [call]),
  ].map((comparison) => (comparison.identical ? 'same' : comparison.difference.reason))
  expect(reasons).toEqual(['attempts', 'right ended', 'kind', 'kind', 'request', 'answer', 'answer'])
})

test('lanes are compared each by itself: their interleaving does not count', () => {
  const [ada, bob] = ['ada', 'bob'].map((lane) => ({ ...chatCall(lane, 'x'), lane })) as [Interaction, Interaction]
  expect(compare([ada, bob], [bob, ada]).identical).toBe(true)
  const other = { ...chatCall('ada', 'y'), lane: 'ada' }
  expect(compare([ada, bob], [bob, other])).toMatchObject({
    difference: { left: { interaction: 1, lane: 'ada' }, right: { interaction: 2, lane: 'ada' } },
  })
})

test('the difference told is the earliest of all lanes', () => {
  const call = (lane: string, answer: string) => ({ ...chatCall(`for ${lane}`, answer), lane })
  const left = [call('ada', 'x'), call('bob', 'x'), call('ada', 'y')]
  const right = [call('ada', 'x'), call('bob', 'other'), call('ada', 'other')]
  expect(compare(left, right)).toMatchObject({ difference: { left: { interaction: 2, lane: 'bob' } } })
})

test('one more message with an id is one change: the ids behind it are not', () => {
  const message = (id: string) => ({ role: 'user', id, content: `${id.length} letters` })
  const call = (...messages: readonly Json[]) => modelCall(wireCalls['openai-chat'].url, { messages }, { json: {} })
  const comparison = compare([call(message('a'), message('bb'))], [call(message('new'), message('c'), message('dd'))])
  expect(comparison).toMatchObject({ difference: { total: 1, changes: [{ change: 'added', path: 'messages[0]' }] } })
})

test('two results that are mixed up are a change, though only ids differ', () => {
  const call = (...ids: readonly string[]) => {
    const tool_calls = ['a', 'b'].map((id) => ({ id, type: 'function', function: { name: 'search', arguments: '{}' } }))
    const told = ids.map((tool_call_id, index) => ({ role: 'tool', tool_call_id, content: `${index}` }))
    const messages: readonly Json[] = [{ role: 'assistant', content: null, tool_calls }, ...told]
    return modelCall(wireCalls['openai-chat'].url, { messages }, { json: {} })
  }
  expect(compare([call('a', 'b')], [call('b', 'a')])).toMatchObject({ difference: { reason: 'request', total: 2 } })
})

test('of many changes eight are told and the rest counted', () => {
  const call = (content: string) => {
    const messages = Array.from({ length: 12 }, (_, index) => ({ role: 'user', content: `${content} ${index}` }))
    return modelCall(wireCalls['openai-chat'].url, { messages }, { json: { choices: [] } })
  }
  const comparison = compare([call('one')], [call('two')])
  expect(comparison).toMatchObject({ difference: { changes: { length: 8 }, total: 12 } })
  expect(printComparison(comparison)).toMatch(/\nand 4 more changes$/)
})

test('signatures and encrypted thoughts that are handed back do not count', () => {
  const call = (secret: string): HttpInteraction => {
    const thinking = [
      { type: 'thinking', thinking: 'hm', signature: secret },
      { type: 'redacted_thinking', data: secret },
    ]
    const messages: Json = [
      { role: 'user', content: 'hi' },
      { role: 'assistant', content: thinking },
    ]
    return modelCall(wireCalls['anthropic-messages'].url, { messages }, { json: {} })
  }
  expect(compare([call('a')], [call('b')]).identical).toBe(true)
})
