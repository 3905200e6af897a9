import { expect, test } from 'vitest'
import type { HttpInteraction } from '../../src/core/cassette/document.ts'
import { tokenUsage } from '../../src/trajectory/token-usage.ts'
import { buildTrajectory } from '../../src/trajectory/turn.ts'
import { agentRun, chatCall, modelCall, numbered } from './wire-calls.ts'

test('tokens are summed by the model that answered, folds included', () => {
  const fold = { ...chatCall('Summarise', 'short'), fold: true } as const
  const turns = buildTrajectory({ interactions: numbered([...agentRun('anthropic-messages'), fold]) })
  const none = { cachedInputTokens: 0, reasoningTokens: 0 }
  expect(tokenUsage(turns)).toEqual({
    ...{ inputTokens: 110, outputTokens: 16, totalTokens: 126, ...none },
    byModel: {
      'claude-1': { inputTokens: 100, outputTokens: 14, totalTokens: 114, ...none },
      'gpt-5': { inputTokens: 10, outputTokens: 2, totalTokens: 12, ...none },
    },
    uncountedTurns: [],
  })
})

test('what an attempt used before it was cut is counted; a turn that says nothing is named', () => {
  const request = { model: 'claude', messages: [{ role: 'user', content: 'hi' }] }
  const url = 'https://api.anthropic.com/v1/messages'
  const message = { type: 'message', role: 'assistant', model: 'claude-1', content: [] }
  const begun = { ...message, usage: { input_tokens: 7, output_tokens: 1 } }
  const failure = { stage: 'body', name: 'TypeError', message: 'terminated' } as const
  const cut: HttpInteraction = modelCall(url, request, {
    framing: 'sse',
    events: [{ data: { type: 'message_start', message: begun } }],
    end: { kind: 'failed', failure },
  })
  const turns = buildTrajectory({ interactions: numbered([cut, modelCall(url, request, { json: message })]) })
  expect(turns).toHaveLength(1)
  expect(tokenUsage(turns)).toMatchObject({ inputTokens: 7, totalTokens: 8, uncountedTurns: [1] })
})
