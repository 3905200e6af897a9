import { expect, test } from 'vitest'
import type { Interaction } from '../../src/core/cassette/document.ts'
import { type RunEntry, RunLog, type Unplaced } from '../../src/session/run-log.ts'

function complete(entry: RunEntry, name: string): void {
  entry.interaction = () =>
    ({
      kind: 'tool',
      hash: name,
      request: { name, input: null },
      timing: { startMs: 0 },
      result: { value: 1 },
    }) as Unplaced
}

test('CU-21 AS-02 AR-01 F4 calls are numbered in the order they started, with the earlier ones that had not ended', () => {
  const log = new RunLog()
  const [first, second, third] = [log.start(undefined), log.start('lane'), log.start(undefined)]
  log.end(second)
  log.end(first)
  const fourth = log.start(undefined)
  for (const [at, entry] of [first, second, third, fourth].entries()) complete(entry, `call ${at + 1}`)
  expect(log.interactions().map(({ number, hash, overlaps }) => [number, hash, overlaps])).toEqual([
    [1, 'call 1', undefined],
    [2, 'call 2', [1]],
    [3, 'call 3', [1, 2]],
    [4, 'call 4', [3]],
  ])
})

test('F4 what is not complete takes no number, and overlaps name the numbers that are left', () => {
  const log = new RunLog()
  const [first, second, third] = [log.start(undefined), log.start(undefined), log.start(undefined)]
  complete(second, 'second')
  complete(third, 'third')
  log.end(first)
  expect(log.interactions().map(({ number, hash, overlaps }) => [number, hash, overlaps])).toEqual([
    [1, 'second', undefined],
    [2, 'third', [1]],
  ])
})

test('an edit may drop an interaction', () => {
  const log = new RunLog()
  for (const name of ['keep', 'drop', 'keep too']) complete(log.start(undefined), name)
  const kept = log.interactions((interaction) => (interaction.hash === 'drop' ? undefined : interaction))
  expect(kept.map(({ number, hash }) => [number, hash])).toEqual([
    [1, 'keep'],
    [2, 'keep too'],
  ])
})

test('F4 F17 served calls overlap as they did when they were recorded, however soon they end now, and live ones as they do', () => {
  const log = new RunLog()
  const serve = (number: number, overlaps?: readonly number[]): void => {
    const entry = log.start(undefined)
    entry.origin = 'served'
    entry.recorded = { number, ...(overlaps === undefined ? {} : { overlaps }) }
    complete(entry, `recorded ${number}`)
    log.end(entry)
  }
  // Asked for in another order than recorded, without the third.
  serve(1)
  serve(4, [2, 3])
  serve(2)
  const [live, last] = [log.start(undefined), log.start(undefined)]
  for (const entry of [live, last]) complete(entry, 'live')
  serve(5, [4])
  expect(log.interactions().map(({ number, hash, overlaps }) => [number, hash, overlaps])).toEqual([
    [1, 'recorded 1', undefined],
    [2, 'recorded 4', undefined],
    [3, 'recorded 2', [2]],
    [4, 'live', undefined],
    [5, 'live', [4]],
    [6, 'recorded 5', [2, 4, 5]],
  ])
})

test('F4 an interaction that is kept as it was recorded loses the number and the overlaps it had there', () => {
  const log = new RunLog()
  const entry = log.start(undefined)
  entry.origin = 'served'
  complete(entry, 'recorded 7')
  const recorded = { ...entry.interaction(), number: 7, overlaps: [6] } as unknown as Interaction
  entry.recorded = recorded
  entry.interaction = () => recorded
  const [placed] = log.interactions()
  expect(placed).toMatchObject({ number: 1, hash: 'recorded 7' })
  expect(placed).not.toHaveProperty('overlaps')
  expect(recorded).toMatchObject({ number: 7, overlaps: [6] })
})
