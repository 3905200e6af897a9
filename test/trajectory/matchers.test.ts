import { beforeAll, expect, test } from 'vitest'
import type { Interaction } from '../../src/core/cassette/document.ts'
import { registerMatchers } from '../../src/runners/vitest/matchers.ts'
import { buildTrajectory } from '../../src/trajectory/turn.ts'
import { agentRun, chatCall, finalText, modelCall, numbered, toolRun } from './wire-calls.ts'

beforeAll(() => registerMatchers())

const tape = holder(agentRun('anthropic-messages'))

function holder(interactions: readonly Interaction[]) {
  return { turns: buildTrajectory({ interactions: numbered(interactions) }) }
}

function messageOf(assertion: () => void): string {
  try {
    assertion()
  } catch (error) {
    return (error as Error).message
  }
  throw new Error('it passed')
}

test('toHaveCalledTool looks for a name, and for arguments where they are given', () => {
  expect(tape).toHaveCalledTool('search')
  expect(tape).toHaveCalledTool('search', { to: 'Bergen' })
  expect(tape).toHaveCalledTool('search', expect.objectContaining({ to: expect.stringMatching(/^Os/) }))
  expect(tape).not.toHaveCalledTool('book')
  expect(tape).not.toHaveCalledTool('search', {})
  expect(tape).not.toHaveCalledTool('search', undefined)
  expect(messageOf(() => expect(tape).toHaveCalledTool('search', { to: expect.any(Number) }))).toBe(
    `expected a call of search with {"to":"Any<Number>"}

  turn 1: search {"to":"Oslo"}
  turn 1: search {"to":"Bergen"}`,
  )
  expect(messageOf(() => expect(tape).not.toHaveCalledTool('search', { to: 'Oslo' }))).toBe(
    'expected no call of search with {"to":"Oslo"}\n\n  turn 1: search {"to":"Oslo"}',
  )
})

test('a tool that ran without a known wire having asked for it was called, too', () => {
  const own = holder([modelCall('https://models.test/x', {}, { json: {} }), toolRun('look', [{ at: 1 }], null)])
  expect(own).toHaveCalledTool('look', { at: 1 })
  expect(own).toHaveTrajectory(['look'])
})

test('a tool that its wrapper names otherwise than the model does was called once: its call id tells', () => {
  const [asked, next] = agentRun('anthropic-messages')
  const [oslo] = holder(agentRun('anthropic-messages')).turns[0]?.toolCalls ?? []
  const run = { ...toolRun('searchFlights', [{ to: 'Oslo' }], 'none'), callId: oslo?.id } as Interaction
  const renamed = holder([asked as Interaction, run, next as Interaction])
  expect(renamed).toHaveTrajectory(['search', 'search'])
  expect(renamed.turns[0]?.toolCalls.map((call) => call.run?.request.name)).toEqual(['searchFlights', undefined])
  // Without the id it is a call of its own.
  const unknown = holder([
    asked as Interaction,
    toolRun('searchFlights', [{ to: 'Oslo' }], 'none'),
    next as Interaction,
  ])
  expect(unknown).toHaveTrajectory(['search', 'search', 'searchFlights'])
})

test.each([
  ['strict', ['search', 'search'], ['search']],
  [
    'strict',
    [{ name: 'search', arguments: { to: 'Oslo' } }, 'search'],
    ['search', { name: 'search', arguments: { to: 'Oslo' } }],
  ],
  ['unordered', ['search', { name: 'search', arguments: { to: 'Oslo' } }], ['search', 'search', 'search']],
  ['subset', ['book', 'search', 'search'], ['search', 'book']],
  ['superset', ['search'], ['search', 'book']],
] as const)('toHaveTrajectory %s takes %j and refuses %j', (mode, good, bad) => {
  expect(tape).toHaveTrajectory(good, { mode })
  expect(tape).not.toHaveTrajectory(bad, { mode })
})

test('toHaveTrajectory says where the calls part', () => {
  expect(tape).not.toHaveTrajectory([])
  expect(messageOf(() => expect(tape).toHaveTrajectory(['search', 'book']))).toBe(
    `expected the tool calls to be (strict): search, book

called: search, search
call 2 was: turn 1: search {"to":"Bergen"}
call 2 expected: book`,
  )
  expect(messageOf(() => expect(tape).toHaveTrajectory(['search', 'book'], { mode: 'unordered' }))).toBe(
    `expected the tool calls to be (unordered): search, book

called: search, search
not called: book
not expected:
  turn 1: search {"to":"Bergen"}`,
  )
})

test('toUseAtMost sums input and output over the turns', () => {
  expect(tape).toUseAtMost({ inputTokens: 100, outputTokens: 14, totalTokens: 114 })
  expect(tape).not.toUseAtMost({ inputTokens: 99 })
  expect(messageOf(() => expect(tape).toUseAtMost({ totalTokens: 113 }))).toBe(
    `expected the run to use fewer tokens

114 tokens (at most 113)
claude-1: 114 tokens`,
  )
})

test('a budget that cannot be checked is an error either way, never a pass', () => {
  const silent = holder([chatCall('hi', 'x'), modelCall('https://models.test/x', {}, { json: {} })])
  expect(silent).not.toUseAtMost({ totalTokens: 11 })
  for (const assertion of [expect(silent), expect(silent).not]) {
    expect(messageOf(() => assertion.toUseAtMost({ totalTokens: 12 }))).toContain('1 of 2 turns say no token usage')
  }
  expect(messageOf(() => expect(tape).toUseAtMost({}))).toContain('toUseAtMost needs a budget')
  expect(messageOf(() => expect(tape).toUseAtMost({ cost: 1 } as never))).toContain('cannot hold cost: 1')
})

test('toHaveFinalText takes a text, a pattern or an asymmetric matcher, and passes over folds', () => {
  const folded = holder([chatCall('hi', finalText), { ...chatCall('Summarise', 'short'), fold: true }])
  for (const one of [tape, folded]) {
    expect(one).toHaveFinalText(finalText)
    expect(one).toHaveFinalText(/89/g)
    expect(one).toHaveFinalText(expect.stringContaining('Oslo'))
    expect(one).not.toHaveFinalText('Oslo')
  }
  expect(holder([])).not.toHaveFinalText(/.*/)
  expect(messageOf(() => expect(tape).toHaveFinalText(/98/))).toBe(
    'expected the final text to match /98/\n\nturn 2 says: "Oslo is 89 EUR."',
  )
})

test('what is no tape and no cassette is said so, whichever way it is asserted', () => {
  for (const assertion of [expect('a.json'), expect('a.json').not]) {
    expect(messageOf(() => assertion.toHaveFinalText('x'))).toMatch(/^toHaveFinalText needs a tape .* got "a.json"/)
  }
  expect(messageOf(() => expect(tape).toHaveTrajectory([], { mode: 'loose' as never }))).toContain('no mode "loose"')
})
