import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  allSlots,
  firstSlot,
  lastSlot,
  noSlots,
  putSlot,
  type SlotList,
  slotAt,
  slotsOf,
} from '../../src/wire/slot-list.ts'

const key = fc.oneof(fc.integer({ min: -3, max: 1500 }), fc.double({ noNaN: true, min: -2, max: 5 }))

function lengths({ pages }: SlotList): readonly number[] {
  return pages.map((page) => page.length)
}

describe('slots of an answer', () => {
  it('stand in the order of their keys, whatever the order in which they came', () => {
    fc.assert(
      fc.property(fc.array(key, { maxLength: 1200, size: 'max' }), (keys) => {
        const expected = new Map<number, number>()
        let list = noSlots
        for (const [value, own] of keys.entries()) {
          expected.set(own + 0, value)
          list = putSlot(list, { key: own + 0, value: { value } })
        }
        const sorted = [...expected].sort(([one], [other]) => one - other)
        expect(allSlots(list).map((slot) => [slot.key, slot.value.value])).toEqual(sorted)
        expect(list.count).toBe(sorted.length)
        expect(firstSlot(list)?.key).toBe(sorted[0]?.[0])
        expect(lastSlot(list)?.key).toBe(sorted.at(-1)?.[0])
        for (const [own, value] of sorted) expect(slotAt(list, own)?.value).toEqual({ value })
        expect(slotAt(list, 1501)).toBe(undefined)
        expect(lengths(list).every((length) => length > 0 && length <= 512)).toBe(true)
      }),
      { numRuns: 30 },
    )
  })

  it('fill their pages where they come in order, and copy one page where one of very many is changed', () => {
    let list = noSlots
    for (let number = 0; number < 2048; number += 1) list = putSlot(list, { key: number, value: {} })
    expect(lengths(list)).toEqual([512, 512, 512, 512])
    expect(lengths(slotsOf(Array.from({ length: 1025 }, () => ({}))))).toEqual([512, 512, 1])
    const changed = putSlot(list, { key: 700, value: { changed: true } })
    expect(changed.pages.map((page, index) => page === list.pages[index])).toEqual([true, false, true, true])
    expect(slotAt(list, 700)?.value).toEqual({})
  })
})
