/** The slots of an answer in the order of their keys, in pages: a stream of very many costs each but one page, never all of them. */
import type { JsonObject } from './read-json.ts'

export interface Slot {
  readonly key: number
  readonly value: JsonObject
  /** JSON text that comes in fragments for a member that is a value in the end. */
  readonly pending?: string
}

export interface SlotList {
  readonly count: number
  /** None is empty. */
  readonly pages: readonly (readonly Slot[])[]
}

const pageLength = 512

export const noSlots: SlotList = { count: 0, pages: [] }

/** Numbered as they stand in a list. */
export function slotsOf(values: readonly JsonObject[]): SlotList {
  const pages = Array.from({ length: Math.ceil(values.length / pageLength) }, (_, page) =>
    values
      .slice(page * pageLength, (page + 1) * pageLength)
      .map((value, index) => ({ key: page * pageLength + index, value })),
  )
  return { count: values.length, pages }
}

export function allSlots({ pages }: SlotList): readonly Slot[] {
  return pages.flat()
}

export function firstSlot({ pages }: SlotList): Slot | undefined {
  return pages[0]?.[0]
}

export function lastSlot({ pages }: SlotList): Slot | undefined {
  return pages.at(-1)?.at(-1)
}

export function slotAt({ pages }: SlotList, key: number | undefined): Slot | undefined {
  if (key === undefined) return undefined
  const page = pages[pageOf(pages, key)]
  const slot = page?.[lastAtMost(page, key, keyOfSlot)]
  return slot?.key === key ? slot : undefined
}

/** In the place of the slot of that key, or where its key belongs. */
export function putSlot({ count, pages }: SlotList, slot: Slot): SlotList {
  const at = pageOf(pages, slot.key)
  const page = pages[at]
  if (page === undefined) return { count: 1, pages: [[slot]] }
  const found = lastAtMost(page, slot.key, keyOfSlot)
  if (page[found]?.key === slot.key) return { count, pages: pages.with(at, page.with(found, slot)) }
  // Slots come in order: a new page for the next of them leaves this one full.
  const isNext = at === pages.length - 1 && found === page.length - 1
  if (page.length === pageLength && isNext) return { count: count + 1, pages: [...pages, [slot]] }
  const longer = page.toSpliced(found + 1, 0, slot)
  const half = pageLength / 2
  const halves = longer.length > pageLength ? [longer.slice(0, half), longer.slice(half)] : [longer]
  return { count: count + 1, pages: pages.toSpliced(at, 1, ...halves) }
}

/** The page where the key belongs; the first one where it comes before all. */
function pageOf(pages: SlotList['pages'], key: number): number {
  return Math.max(
    0,
    lastAtMost(pages, key, (page) => (page[0] as Slot).key),
  )
}

const keyOfSlot = (slot: Slot): number => slot.key

/** Index of the last item whose key is at most this one; -1 where none is. */
function lastAtMost<T>(sorted: readonly T[], key: number, keyOf: (item: T) => number): number {
  let low = -1
  let high = sorted.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (keyOf(sorted[middle] as T) <= key) low = middle
    else high = middle - 1
  }
  return low
}
