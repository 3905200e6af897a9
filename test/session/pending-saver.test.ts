import { expect, test } from 'vitest'
import { PendingSaver } from '../../src/session/ending/pending-saver.ts'

/** A saver on a clock of its own; a save takes `costMs`. */
function saverOn(costMs: number) {
  const clock = { nowMs: 0, saves: 0 }
  const save = (): void => {
    clock.saves += 1
    clock.nowMs += costMs
  }
  return { clock, saver: new PendingSaver({ now: () => clock.nowMs, save }) }
}

test('saves at every call while that is cheap', () => {
  const { clock, saver } = saverOn(2)
  for (let call = 1; call <= 50; call++) saver.changed()
  expect(clock.saves).toBe(50)
})

test('over its share it saves once for many calls, and again when time has passed', () => {
  const { clock, saver } = saverOn(100)
  for (let call = 1; call <= 50; call++) saver.changed()
  expect(clock.saves).toBe(3)
  saver.stop()
  clock.nowMs = 10_000
  saver.changed()
  expect(clock.saves).toBe(4)
  saver.stop()
})

test('what was put off is saved later without another call', async () => {
  const { clock, saver } = saverOn(126)
  for (let call = 1; call <= 3; call++) saver.changed()
  expect(clock.saves).toBe(2)
  clock.nowMs = 60_000
  await expect.poll(() => clock.saves).toBe(3)
})
