import { expect, test } from 'vitest'
import { nearestWord, nearestWords } from '../../src/cli/nearest-word.ts'

test.each([
  ['chekc', 'check'],
  ['sho', 'show'],
  ['RECORD', 'record'],
  ['acept', 'accept'],
  ['frobnicate', undefined],
  ['x', undefined],
  ['', undefined],
])('%s: %s is meant', (given, meant) => {
  expect(nearestWord(given, ['show', 'record', 'check', 'accept', 'prune'])).toBe(meant)
})

test('a name that holds what was given counts as near, the nearest come first', () => {
  const names = ['books a flight', 'outer > books a flight', 'books a fligt', 'cancels', 'books a flight to Oslo']
  expect(nearestWords('books a flight', names, 3)).toEqual([
    'books a flight',
    'outer > books a flight',
    'books a fligt',
  ])
})
