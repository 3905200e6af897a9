/**
 * The calls of one run in the order they started, and which of them overlapped: what a new cassette is composed of.
 * Knows entries and ticks; how an entry becomes an interaction is the entry's own business.
 */
import type { Interaction } from '../core/cassette/document.ts'

type Without<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never
/** An interaction that has no place in the cassette of this run yet; the one it had in a recording does not count. */
export type Unplaced = Without<Interaction, 'number' | 'overlaps'>

/** One call of this run. */
export interface RunEntry {
  readonly lane: string | undefined
  readonly startTick: number
  endTick: number | undefined
  /** `undecided`: refused, or not decided yet. `rewritten`: served, with another request. */
  origin: 'undecided' | 'served' | 'rewritten' | 'live'
  /** Where it stands in the recording that it is served from. */
  recorded?: Pick<Interaction, 'number' | 'overlaps'>
  /** The interaction as it stands now; undefined while it is not complete. Called often: must be cheap once complete. */
  interaction: () => Unplaced | undefined
}

export class RunLog {
  readonly #entries: RunEntry[] = []
  #tick = 0

  get entries(): readonly RunEntry[] {
    return this.#entries
  }

  count(origin: RunEntry['origin']): number {
    let count = 0
    for (const entry of this.#entries) if (entry.origin === origin) count += 1
    return count
  }

  start(lane: string | undefined): RunEntry {
    const entry: RunEntry = {
      lane,
      startTick: ++this.#tick,
      endTick: undefined,
      origin: 'undecided',
      interaction: notYet,
    }
    this.#entries.push(entry)
    return entry
  }

  clear(): void {
    this.#entries.length = 0
  }

  /** Idempotent: the first end counts. */
  end(entry: RunEntry): void {
    entry.endTick ??= ++this.#tick
  }

  /**
   * Complete interactions, numbered from 1 in start order, with their overlaps (F4): those of this run, but among served
   * ones those of the recording, since a served call may end sooner than a live one. `edit` may change an interaction
   * before it is placed, or drop it.
   */
  interactions(edit: (interaction: Unplaced, entry: RunEntry) => Unplaced | undefined = keep): readonly Interaction[] {
    const recorded = new RecordedOverlaps()
    const placed: Interaction[] = []
    // What had ended before one call started had ended before every later one.
    let running: Numbered[] = []
    for (const entry of this.#entries) {
      const whole = entry.interaction()
      const interaction = whole === undefined ? undefined : edit(whole, entry)
      if (interaction === undefined) continue
      const number = placed.length + 1
      running = running.filter((earlier) => overlap(earlier.entry, entry))
      const seen = running.filter((earlier) => !areServed(earlier.entry, entry)).map((earlier) => earlier.number)
      running.push({ entry, number })
      placed.push(place(interaction, number, [...seen, ...recorded.of(entry, number)]))
    }
    return placed
  }
}

interface Numbered {
  readonly entry: RunEntry
  readonly number: number
}

/** Overlaps of the recording, in the numbers of this run; the order of the calls may be another. */
class RecordedOverlaps {
  readonly #numbers = new Map<number, number>()
  /** By a recorded number that has not been placed yet: the numbers of those that overlap it. */
  readonly #awaiting = new Map<number, number[]>()

  of({ recorded }: RunEntry, number: number): readonly number[] {
    if (recorded === undefined) return []
    const found = [...(this.#awaiting.get(recorded.number) ?? [])]
    for (const other of recorded.overlaps ?? []) {
      const placed = this.#numbers.get(other)
      if (placed !== undefined) found.push(placed)
      else this.#awaiting.set(other, [...(this.#awaiting.get(other) ?? []), number])
    }
    this.#numbers.set(recorded.number, number)
    return found
  }
}

function areServed(one: RunEntry, other: RunEntry): boolean {
  return one.recorded !== undefined && other.recorded !== undefined
}

function notYet(): undefined {
  return undefined
}

function keep(interaction: Unplaced): Unplaced {
  return interaction
}

function overlap(earlier: RunEntry, later: RunEntry): boolean {
  return earlier.endTick === undefined || earlier.endTick > later.startTick
}

function place(interaction: Unplaced, number: number, overlaps: readonly number[]): Interaction {
  const ordered = [...overlaps].sort((one, other) => one - other)
  if (ordered.length > 0) return { ...interaction, number, overlaps: ordered } as Interaction
  if (!('overlaps' in interaction)) return { ...interaction, number } as Interaction
  const { overlaps: _recorded, ...kept } = interaction as Interaction
  return { ...kept, number } as Interaction
}
