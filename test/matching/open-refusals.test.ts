import { describe, expect, test } from 'vitest'
import type { Interaction, ValueInteraction } from '../../src/core/cassette/document.ts'
import { openRefusals, repeatedCallIds } from '../../src/core/matching/open-refusals.ts'
import { type Part, wholeCassette } from '../../src/core/turns/part.ts'
import { splitAtTurns } from '../../src/core/turns/replay-part.ts'
import { chatCall, numbered, toolRun } from '../trajectory/wire-calls.ts'

function refusals(interactions: readonly Interaction[], part: Partial<Part> = {}) {
  const split = splitAtTurns(numbered(interactions), { ...wholeCassette, ...part })
  return openRefusals({ split, order: 'recorded' })
}

const turn = (prompt: string, marks: object = {}): Interaction => ({ ...chatCall(prompt, 'answer'), ...marks })

describe('AR-04 what strict replay refuses when opened', () => {
  test('is nothing of a sound cassette', () => {
    expect(refusals([turn('a'), turn('b')])).toEqual([])
  })

  test('is every marked call with its reason, n of m, a change of workspace first', () => {
    const marked = [
      turn('a', { unverifiable: 'no images' }),
      turn('b', { substituted: 'new container' }),
      turn('c', { incomplete: 'cut' }),
    ]
    expect(refusals(marked)).toEqual([
      { kind: 'substituted', marked: [{ number: 2, reason: 'new container' }] },
      { kind: 'unverifiable', marked: [{ number: 1, reason: 'no images' }], total: 3 },
      { kind: 'incomplete', marked: [{ number: 3, reason: 'cut' }] },
    ])
  })

  test('AR-14 counts what cannot be checked only in the part that is served, a change of workspace also before it', () => {
    const marked = [
      turn('a', { unverifiable: 'x', substituted: 'y' }),
      turn('b'),
      turn('c', { incomplete: 'z', substituted: 'z' }),
    ]
    expect(refusals(marked, { from: 2, upTo: 2 })).toEqual([
      { kind: 'substituted', marked: [{ number: 1, reason: 'y' }] },
    ])
  })
})

describe('AR-27 D-31 a call id that repeats', () => {
  const call = (more: Partial<ValueInteraction>): Interaction =>
    ({ ...toolRun('roll', [6], 1), callId: 'call_0', ...more }) as Interaction
  const other = { result: { value: 2 } } as const
  const beside = { overlaps: [1] }
  const pairs: readonly [what: string, second: Partial<ValueInteraction>, repeats: boolean][] = [
    ['at the same time, with equal arguments and another result', { ...other, ...beside }, true],
    ['one after the other: the order tells', other, false],
    ['with the same result: it does not matter', beside, false],
    ['with other arguments: they tell', { ...other, ...beside, request: { name: 'roll', input: [20] } }, false],
    ['of another tool', { ...other, ...beside, request: { name: 'draw', input: [6] } }, false],
    ['in another lane', { ...other, ...beside, lane: 'b' }, false],
    ['with an empty id, which is none', { ...other, ...beside, callId: '' }, false],
  ]

  test.each(pairs)('%s', (_, second, repeats) => {
    const first = second.callId === '' ? call({ callId: '' }) : call({})
    const found = repeatedCallIds(numbered([first, call(second)]), 'recorded')
    const twins = { kind: 'call id repeated', tool: 'roll', callId: 'call_0', lane: undefined, first: 1, second: 2 }
    expect(found).toEqual(repeats ? [twins] : [])
  })

  test("one after the other is the same fault with order: 'any'", () => {
    expect(repeatedCallIds(numbered([call({}), call(other)]), 'any')).toHaveLength(1)
  })
})
