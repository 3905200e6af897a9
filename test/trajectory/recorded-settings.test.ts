import { describe, expect, test } from 'vitest'
import type { Json } from '../../src/core/cassette/document.ts'
import { nextRecordedTurn, withSettingsOf } from '../../src/trajectory/recorded-settings.ts'
import { buildTrajectory, type Turn } from '../../src/trajectory/turn.ts'
import { applySettings } from '../../src/wire/apply-settings.ts'
import type { Wire } from '../../src/wire/block.ts'
import { settingsOf } from '../../src/wire/read-request.ts'
import { agentRun, chatCall, modelCall, numbered, wireCalls } from './wire-calls.ts'

/** The first requests of today's agent, whose prompt and tools have changed. */
const today: Readonly<Record<Wire, Json>> = {
  'openai-chat': {
    model: 'new',
    messages: [
      { role: 'developer', content: 'Be long.' },
      { role: 'user', content: 'Where to?' },
    ],
  },
  'openai-responses': { model: 'new', input: 'Where to?', tools: [] },
  'anthropic-messages': {
    model: 'new',
    system: [{ type: 'text', text: 'Be long.' }],
    messages: [{ role: 'user', content: 'Hm?' }],
  },
  cohere: {
    model: 'new',
    messages: [
      { role: 'system', content: 'Be long.' },
      { role: 'user', content: 'Hm?' },
    ],
  },
  'bedrock-converse': {
    system: [{ text: 'Be long.' }],
    messages: [{ role: 'user', content: [{ text: 'Hm?' }] }],
    inferenceConfig: { temperature: 1 },
  },
  ollama: { model: 'new', options: { temperature: 1 }, messages: [{ role: 'user', content: 'Hm?' }] },
  gemini: { contents: [{ parts: [{ text: 'Where to?' }] }], system_instruction: { parts: [{ text: 'Be long.' }] } },
}

describe.each(Object.keys(wireCalls) as Wire[])('%s', (wire) => {
  const [turn] = buildTrajectory({ interactions: agentRun(wire) }) as [Turn]
  const { url } = wireCalls[wire]

  test('AR-12 a request gets the instructions and tools as recorded, and keeps everything else', () => {
    const request = today[wire]
    const applied = withSettingsOf(turn, request, new Map())
    const [before, after] = [settingsOf({ wire, url, request }), settingsOf({ wire, url, request: applied })]
    expect(after.instructions).toBe('Be brief.')
    expect(after.tools).toEqual(turn.settings?.tools)
    expect({ ...after, instructions: before.instructions, tools: before.tools }).toEqual(before)
    expect(withSettingsOf(turn, applied, new Map())).toEqual(applied)
  })

  test('a request that is none of this wire is the very same', () => {
    const request = { prompt: 'hi' }
    expect(withSettingsOf(turn, request, new Map())).toBe(request)
  })
})

test('instructions among the messages are replaced one for one; more go in front, fewer fall away', () => {
  const told = (...texts: readonly string[]) => texts.map((content) => ({ role: 'system', content }))
  const user = { role: 'user', content: 'hi' }
  const apply = (own: readonly Json[], recorded: readonly Json[]) =>
    applySettings({ wire: 'openai-chat', request: { messages: own }, recorded: { messages: recorded } })
  expect(apply([...told('x'), user, ...told('y')], told('a', 'b', 'c'))).toEqual({
    messages: [...told('a', 'b'), user, ...told('c')],
  })
  expect(apply([...told('x'), user, ...told('y')], told('a'))).toEqual({ messages: [...told('a'), user] })
})

test('tools that the recording had not are taken away', () => {
  const request = { tools: [1], messages: [] }
  expect(applySettings({ wire: 'openai-chat', request, recorded: { messages: [] } })).toEqual({ messages: [] })
})

test('AR-12 the next turn is counted in its lane and passes over folds; past the end there is none', () => {
  const fold = { ...chatCall('Summarise', 'short'), fold: true } as const
  const other = { ...chatCall('other', 'x'), lane: 'other' }
  const recorded = buildTrajectory({
    interactions: numbered([chatCall('one', '1'), other, fold, chatCall('two', '2')]),
  })
  const next = (count: number, lane?: string) =>
    nextRecordedTurn({ turns: recorded.slice(0, count), recorded, lane })?.number
  expect([next(0), next(1), next(2), next(3), next(4)]).toEqual([1, 4, 4, 4, undefined])
  expect([next(0, 'other'), next(2, 'other'), next(0, 'nobody')]).toEqual([2, undefined, undefined])
})

test('a turn of no known wire changes nothing', () => {
  const [turn] = buildTrajectory({
    interactions: numbered([modelCall('https://models.test/x', { a: 1 }, { json: {} })]),
  })
  const request = { messages: [] }
  expect(withSettingsOf(turn as Turn, request, new Map())).toBe(request)
})
