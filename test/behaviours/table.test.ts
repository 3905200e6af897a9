/** The table of behaviours and the titles of the tests agree: what it calls held is cited, what it does not is not. */
import { expect, test } from 'vitest'
import { citedTests } from './cited-tests.ts'
import { type BehaviourState, behaviourGroups } from './table.ts'

const counts = { CU: 28, TH: 31, LR: 13, SN: 6, AR: 30, AS: 9 }
const behaviours = behaviourGroups.flatMap((group) => group.behaviours)
const cited = citedTests()

const isCited = (state: BehaviourState): boolean => 'held' in state || 'differs' in state

test('has each behaviour once, in order', () => {
  const all = Object.entries(counts).flatMap(([prefix, count]) =>
    Array.from({ length: count }, (_, index) => `${prefix}-${String(index + 1).padStart(2, '0')}`),
  )
  expect(behaviours.map(({ id }) => id)).toEqual(all)
})

test('names no behaviour held, or held in another way, that the title of no test cites', () => {
  const wanted = behaviours.filter(({ state }) => isCited(state)).map(({ id }) => id)
  expect(wanted.filter((id) => !cited.has(id))).toEqual([])
})

test('names every behaviour that a title cites as held, or held in another way', () => {
  const others = new Set(behaviours.filter(({ state }) => !isCited(state)).map(({ id }) => id))
  const wrong = [...cited].filter(([id]) => others.has(id)).map(([id, tests]) => `${id}: ${tests[0]?.title}`)
  expect(wrong).toEqual([])
})

test('knows every id that a title cites', () => {
  const known = new Set(behaviours.map(({ id }) => id))
  expect([...cited.keys()].filter((id) => !known.has(id))).toEqual([])
})
