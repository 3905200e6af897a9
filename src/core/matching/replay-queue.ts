/**
 * Which recorded interaction answers a call, promise 4. Owns the order: lanes, strict and loose parts, equal requests,
 * what was served and what is left. Plain data in and out: knows nothing of HTTP, bodies or how requests are compared.
 */
import { type FoundBy, type QueueEntry, QueueLane, type Wanted } from './queue-lane.ts'

export type { FoundBy, QueueEntry } from './queue-lane.ts'

/** `recorded`: a lane is strict while no two of its calls overlapped. `any`: every lane matches by content alone. */
export type QueueOrder = 'recorded' | 'any'

export type TakeResult =
  | { readonly kind: 'served'; readonly number: number; readonly by: FoundBy }
  /** It equals the pending interaction `equals`, but `expected` comes first. */
  | { readonly kind: 'reordered'; readonly expected: number; readonly equals: number }
  /** It equals no pending interaction of the lane; `played` is an equal one that was served already. */
  | { readonly kind: 'changed'; readonly expected: number; readonly played: number | undefined }
  /** Nothing that must be asked for is left in the lane. */
  | { readonly kind: 'exhausted'; readonly played: number | undefined; readonly lane: string | undefined }

/** What `take` is told of a call. `sameAs(number)` is the slow comparison, asked only where no hash is equal. */
export interface Call extends Wanted {
  readonly lane: string | undefined
}

export class ReplayQueue {
  readonly #lanes = new Map<string | undefined, QueueLane>()
  readonly #laneOf = new Map<number, QueueLane>()

  /** `entries` in the order of their numbers; interactions as they are will do. */
  constructor(entries: readonly QueueEntry[], order: QueueOrder) {
    const byLane = new Map<string | undefined, QueueEntry[]>()
    for (const entry of entries) {
      const siblings = byLane.get(entry.lane)
      if (siblings === undefined) byLane.set(entry.lane, [entry])
      else siblings.push(entry)
    }
    for (const [name, laneEntries] of byLane) {
      const lane = new QueueLane(laneEntries, order)
      this.#lanes.set(name, lane)
      for (const { number } of laneEntries) this.#laneOf.set(number, lane)
    }
  }

  /** Serves the interaction whose turn it is, once; anything but `served` leaves the queue as it was. */
  take(call: Call): TakeResult {
    const lane = this.#lanes.get(call.lane)
    if (lane === undefined) return { kind: 'exhausted', played: undefined, lane: call.lane }
    const servable = lane.servable(call)
    if (servable !== undefined) {
      lane.serve(servable.entry.number)
      return { kind: 'served', number: servable.entry.number, by: servable.by }
    }
    const expected = lane.expected()
    if (expected === undefined) return { kind: 'exhausted', played: lane.servedEqual(call)?.number, lane: call.lane }
    const equal = lane.pendingEqual(call)
    return equal === undefined
      ? { kind: 'changed', expected: expected.number, played: lane.servedEqual(call)?.number }
      : { kind: 'reordered', expected: expected.number, equals: equal.number }
  }

  /**
   * What answers a call where requests need not be equal (`strict: false`), after `take` found nothing. Serves nothing:
   * the caller may still refuse it. `anyOrder`: an equal one counts wherever it stands in the lane.
   */
  inPlace(call: Call & { readonly anyOrder: boolean }): { readonly number: number; readonly by: FoundBy } | undefined {
    const found = this.#lanes.get(call.lane)?.inPlace(call)
    return found === undefined ? undefined : { number: found.entry.number, by: found.by }
  }

  /** The last interaction that equals this call and was served already. */
  servedEqual(call: Call): number | undefined {
    return this.#lanes.get(call.lane)?.servedEqual(call)?.number
  }

  /** True where the lane's order decides: only the expected interaction may be asked for now. */
  isStrict(lane: string | undefined): boolean {
    return this.#lanes.get(lane)?.isStrict() ?? false
  }

  /** Marks one interaction as served without a comparison: `rebase` serves by position. */
  serve(number: number): void {
    this.#laneOf.get(number)?.serve(number)
  }

  /** The interaction next by position in a lane; undefined where none is left. */
  positional(lane: string | undefined): number | undefined {
    return this.#lanes.get(lane)?.next()?.number
  }

  /** Passes over what is pending before this interaction in its own lane; gives the numbers, which are not `unused`. */
  skipTo(number: number): number[] {
    return this.#laneOf.get(number)?.drop(number) ?? []
  }

  /** Gives up the rest of a lane, when it goes on live; gives the dropped numbers, which are not `unused`. */
  abandonLane(lane: string | undefined): number[] {
    return this.#lanes.get(lane)?.drop(Infinity) ?? []
  }

  /** True where nothing that must be asked for is left, also for a lane that the recording does not have. */
  laneDone(lane: string | undefined): boolean {
    return this.#lanes.get(lane)?.expected() === undefined
  }

  /** Numbers not asked for, in order; optional and dropped ones are not among them. */
  unused(): number[] {
    return this.#collect((lane) => lane.unused())
  }

  /** Numbers served, in recorded order. */
  servedNumbers(): number[] {
    return this.#collect((lane) => lane.served())
  }

  /** Back to the start: nothing is served, nothing dropped. */
  reset(): void {
    for (const lane of this.#lanes.values()) lane.reset()
  }

  #collect(numbersOf: (lane: QueueLane) => number[]): number[] {
    return [...this.#lanes.values()].flatMap(numbersOf).sort((a, b) => a - b)
  }
}
