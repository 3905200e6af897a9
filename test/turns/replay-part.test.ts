import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { HttpInteraction, Interaction } from '../../src/core/cassette/document.ts'
import { groupTurns } from '../../src/core/turns/group-turns.ts'
import { type Part, wholeCassette } from '../../src/core/turns/part.ts'
import { splitAtTurns, turnOfEach } from '../../src/core/turns/replay-part.ts'
import { chatCall, modelCall, numbered, toolRun } from '../trajectory/wire-calls.ts'

const turn = (prompt: string): HttpInteraction => chatCall(prompt, 'answer')
const failing = (prompt: string): HttpInteraction => ({ ...turn(prompt), response: { status: 500, headers: [] } })
const http = (): Interaction => ({ ...modelCall('https://api.test/rates', {}, { json: 1 }), kind: 'http' })
const inLane = (interaction: Interaction, lane: string): Interaction => ({ ...interaction, lane })

function turnsOf(interactions: readonly Interaction[]): readonly (number | undefined)[] {
  const turns = turnOfEach(numbered(interactions))
  return interactions.map((_, index) => turns.get(index + 1))
}

function numbers(list: readonly Interaction[]): readonly number[] {
  return list.map(({ number }) => number)
}

describe('a turn brings with it', () => {
  test.each<[what: string, interactions: readonly Interaction[], turns: readonly number[]]>([
    ['what stands before the first one of its lane', [http(), turn('a'), turn('b')], [1, 1, 2]],
    ['the tools and other calls up to the next one', [turn('a'), toolRun('t', [], 1), http(), turn('b')], [1, 1, 1, 2]],
    ['its failed attempts', [turn('a'), failing('b'), failing('b'), turn('b')], [1, 2, 2, 2]],
    [
      'a call that failed for good before it, and what came between',
      [turn('a'), failing('x'), http(), turn('b')],
      [1, 2, 2, 2],
    ],
    ['what failed after the last one', [turn('a'), failing('x')], [1, 1]],
    ['only what is of its lane', [inLane(turn('a'), 'l'), turn('b'), inLane(toolRun('t', [], 1), 'l')], [1, 2, 1]],
    [
      'a lane that has no turn, by time',
      [turn('a'), inLane(toolRun('t', [], 1), 'l'), turn('b'), inLane(toolRun('u', [], 1), 'l')],
      [1, 1, 2, 2],
    ],
  ])('%s', (_, interactions, turns) => {
    expect(turnsOf(interactions)).toEqual(turns)
  })

  test('nothing where there is no turn', () => {
    expect(turnsOf([http(), toolRun('t', [], 1)])).toEqual([undefined, undefined])
  })
})

describe('AR-14 a part', () => {
  const interactions = numbered([turn('a'), toolRun('t', [], 1), turn('b'), toolRun('u', [], 2), turn('c')])
  const split = (part: Partial<Part>) => splitAtTurns(interactions, { ...wholeCassette, ...part })

  test('has everything before the point before it, and everything behind it behind', () => {
    const { before, inside, after } = split({ from: 2, upTo: 2 })
    expect([before, inside, after].map(numbers)).toEqual([[1, 2], [3, 4], [5]])
  })

  test('from the first to the last turn is all of it', () => {
    expect(numbers(split({ from: 1, upTo: 3 }).inside)).toEqual([1, 2, 3, 4, 5])
    expect(split({}).inside).toBe(interactions)
  })

  test('AR-30 keeps open a tool call before the point that was answered after it', () => {
    const overlapping = interactions.map((one) => (one.number === 3 ? { ...one, overlaps: [2] } : one))
    const { before, stillOpen } = splitAtTurns(overlapping, { from: 2, upTo: Number.POSITIVE_INFINITY })
    expect([numbers(before), [...stillOpen]]).toEqual([[1, 2], [2]])
    expect([...splitAtTurns(interactions, { from: 2, upTo: Number.POSITIVE_INFINITY }).stillOpen]).toEqual([])
  })

  test('is a partition, and has as many turns as it says', () => {
    const kinds = fc.constantFrom<(lane: string) => Interaction>(
      (lane) => inLane(turn(lane), lane),
      (lane) => inLane(failing(lane), lane),
      (lane) => inLane(toolRun('t', [], 1), lane),
      (lane) => inLane(http(), lane),
    )
    const calls = fc.array(fc.tuple(kinds, fc.constantFrom('l', 'm')), { minLength: 1, maxLength: 12 })
    fc.assert(
      fc.property(calls, fc.nat(12), fc.nat(12), (made, first, length) => {
        const list = numbered(made.map(([make, lane]) => make(lane)))
        const turns = groupTurns(list)
        if (turns.length === 0) return
        const from = 1 + (first % turns.length)
        const upTo = Math.min(turns.length, from + length)
        const { before, inside, after } = splitAtTurns(list, { from, upTo })
        expect(numbers([...before, ...inside, ...after].sort((a, b) => a.number - b.number))).toEqual(numbers(list))
        const own = turns.filter(({ interaction }) => inside.includes(interaction)).map(({ number }) => number)
        expect(own).toEqual(Array.from({ length: upTo - from + 1 }, (_, index) => from + index))
      }),
      { numRuns: 200 },
    )
  })
})
