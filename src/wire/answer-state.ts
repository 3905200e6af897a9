/** What a decoder knows of an answer so far, and the few ways in which events change it. Plain data, never changed in place. */
import type { Json } from '../core/cassette/document.ts'
import type { Block, WireError } from './block.ts'
import type { JsonObject } from './read-json.ts'
import { allSlots, lastSlot, noSlots, putSlot, type Slot, type SlotList, slotAt } from './slot-list.ts'

export interface AnswerState {
  /** The members of the answer beside its list. */
  readonly whole: JsonObject
  /** The answer's list: choices, output items, content blocks or candidates, by their index as sent. */
  readonly slots: SlotList
  /** The last one; see `markersOf`. */
  readonly markers: Marker | undefined
  readonly error?: WireError
  readonly finished: boolean
}

/** Chained, so that a stream of very many costs each but once, and no state is changed in place. */
interface Marker {
  /** How many slots there were when it came. */
  readonly after: number
  readonly event: Json
  readonly before: Marker | undefined
}

export const emptyAnswer: AnswerState = { whole: {}, slots: noSlots, markers: undefined, finished: false }

/** The slot of `key` edited, or added in the order of the keys. An undefined key is the last slot. */
export function editSlot(
  state: AnswerState,
  { key, edit }: { readonly key: number | undefined; readonly edit: (slot: Slot | undefined) => Omit<Slot, 'key'> },
): AnswerState {
  const { slots } = state
  const own = key ?? lastSlot(slots)?.key ?? 0
  return { ...state, slots: putSlot(slots, { key: own, ...edit(slotAt(slots, own)) }) }
}

/** The event kept as it was sent, where it came. */
export function keepMarker(state: AnswerState, event: Json): AnswerState {
  return { ...state, markers: { after: state.slots.count, event, before: state.markers } }
}

/** A new answer where one had begun: never joined; the one before is kept as a marker. */
export function beginAnew(state: AnswerState, before: JsonObject): AnswerState {
  const events = markersOf(state).map(({ event }) => event)
  const kept = state.slots.count === 0 ? events : [...events, before]
  return kept.reduce(keepMarker, emptyAnswer)
}

/** The first error is the one that clients show. */
export function keepError(state: AnswerState, error: WireError): AnswerState {
  return { ...state, error: state.error ?? error, finished: true }
}

/** The blocks of the slots with the markers in their places. */
export function blocksInOrder(state: AnswerState, read: (slot: Slot) => readonly Block[]): readonly Block[] {
  const after = new Map<number, Marker[]>()
  for (const marker of markersOf(state)) {
    const place = Math.min(marker.after, state.slots.count)
    const before = after.get(place)
    if (before === undefined) after.set(place, [marker])
    else before.push(marker)
  }
  const markersAfter = (count: number): readonly Block[] =>
    (after.get(count) ?? []).map(({ event }) => ({ kind: 'marker', event }))
  const blocks = allSlots(state.slots).flatMap((slot, index) => [...markersAfter(index), ...read(slot)])
  return [...blocks, ...markersAfter(state.slots.count)]
}

/** In the order in which they came. */
function markersOf({ markers }: AnswerState): readonly Marker[] {
  const all: Marker[] = []
  for (let marker = markers; marker !== undefined; marker = marker.before) all.push(marker)
  return all.reverse()
}
