import { describe, expect, test } from 'vitest'
import { callLine } from '../../src/divergence/present-call.ts'
import { recordCommand, vitestUpdateCommand } from '../../src/errors/commands.ts'
import { messages } from '../../src/errors/messages.ts'
import { type AgentSettings, agentRequests, type Provider, providers } from './agent-requests.ts'
import { diverge, type LaneCall, messageOf, modelCall } from './diverge.ts'

const changes: readonly (readonly [title: string, settings: AgentSettings])[] = [
  [
    'a changed prompt word',
    {
      prompt:
        'I am flying from Berlin to Oslo on Friday and coming back on Sunday evening. Tell me what the weather in Bergen will be like and whether I need an umbrella.',
    },
  ],
  [
    'a changed line of the system text',
    { system: 'You are a travel assistant.\nAnswer in two sentences.\nNever book without asking.' },
  ],
  ['a changed tool schema', { cityType: 'object' }],
  ['a changed temperature', { temperature: 0.7 }],
  [
    'a changed tool result',
    {
      forecast:
        '{"city":"Oslo","days":[{"day":"Friday","rain":0.1,"celsius":4},{"day":"Sunday","rain":0.1,"celsius":7}]}',
    },
  ],
]

function run(provider: Provider, settings: AgentSettings = {}): LaneCall[] {
  return agentRequests(provider, settings).map((request) => modelCall(request))
}

function at(calls: readonly LaneCall[], index: number): LaneCall {
  return calls[index] as LaneCall
}

describe.each(providers)('promise 3: a stranger reads what changed, %s', (provider) => {
  const recorded = run(provider)

  test.each(changes)('shows %s', (_, settings) => {
    expect(messageOf(diverge(recorded, run(provider, settings)))).toMatchSnapshot()
  })

  test('shows an extra call that goes on', () => {
    const [first, second] = recorded
    expect(messageOf(diverge([first, second] as LaneCall[], recorded))).toMatchSnapshot()
  })

  test('shows an extra call that repeats one', () => {
    expect(messageOf(diverge(recorded, [...recorded, at(recorded, 2)]))).toMatchSnapshot()
  })

  test('shows swapped calls', () => {
    expect(messageOf(diverge(recorded, [at(recorded, 0), at(recorded, 2), at(recorded, 1)]))).toMatchSnapshot()
  })

  test('shows a missing call', () => {
    const reference = { file: 'test/trip.test.ts', names: ['trip planner', 'says whether to take an umbrella'] }
    const message = messages.TURNTAPE_UNUSED({
      test: reference.names.join(' > '),
      cassette: 'cassettes/test/trip.test/trip-planner__says-whether-to-take-an-umbrella.json',
      mode: 'auto',
      unused: [{ number: 3, turn: 3, request: callLine(at(recorded, 2).call) }],
      total: 1,
      recordCommand: recordCommand(reference),
      updateCommand: vitestUpdateCommand(reference),
    })
    expect(message).toMatchSnapshot()
  })
})
