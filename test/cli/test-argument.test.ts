import fc from 'fast-check'
import { expect, test } from 'vitest'
import { joinNames, possibleNames } from '../../src/core/cassette/joined-names.ts'

const name = fc.array(fc.constantFrom('a', 'books', '', '>', ' > '), { maxLength: 2 }).map((pieces) => pieces.join(''))

test('a joined name may be any list of names that gives it when joined, the real one among them', () => {
  fc.assert(
    fc.property(fc.array(name, { minLength: 1, maxLength: 2 }), (names) => {
      const joined = joinNames(names)
      const lists = possibleNames(joined)
      expect(new Set(lists.map(joinNames))).toEqual(new Set([joined]))
      expect(lists).toContainEqual(names)
    }),
    { numRuns: 200 },
  )
})

test('the number of lists is bounded', () => {
  expect(possibleNames(Array.from({ length: 500 }, () => 'a').join(' > '))).toHaveLength(1)
})
