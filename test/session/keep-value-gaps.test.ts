import { expect, test } from 'vitest'
import type { Interaction, ValueInteraction } from '../../src/core/cassette/document.ts'
import { keepCommitted } from '../../src/session/ending/keep-committed.ts'

function iterable(elements: readonly string[], gapsMs: readonly number[]): ValueInteraction {
  return {
    number: 1,
    kind: 'call',
    hash: 'a'.repeat(64),
    request: { name: 'model', input: null },
    result: { elements, gapsMs },
    timing: { startMs: gapsMs[0] ?? 0 },
  }
}

function keep(committed: readonly Interaction[], recorded: readonly Interaction[]): readonly Interaction[] {
  const files = new Map<string, Uint8Array>()
  return keepCommitted({ committed, committedFiles: files, recorded, recordedFiles: files, normalisers: [] })
}

test('F17 keeps the gaps of an iterable with its elements, whatever the new run took', () => {
  const committed = [iterable(['a', 'b'], [3, 40])]
  expect(keep(committed, [iterable(['a', 'b'], [9, 70])])).toBe(committed)
  const other = [iterable(['a', 'c'], [9, 70])]
  expect(keep(committed, other)).toEqual(other)
})
