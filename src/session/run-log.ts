/**
 * The calls of one run in the order they started, and which of them overlapped: what a new cassette is composed of.
 * Knows entries and ticks; how an entry becomes an interaction is the entry's own business.
 */
import type { Interaction } from '../core/cassette/document.ts'

type Without<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never
/** An interaction that has no place in a cassette yet. */
export type Unplaced = Without<Interaction, 'number' | 'overlaps'>

/** One call of this run. */
export interface RunEntry {
  readonly lane: string | undefined
  readonly startTick: number
  endTick: number | undefined
  /** `undecided`: refused, or not decided yet. `rewritten`: served, with another request. */
  origin: 'undecided' | 'served' | 'rewritten' | 'live'
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
    return this.#entries.filter((entry) => entry.origin === origin).length
  }

  start(lane: string | undefined): RunEntry {
    const entry: RunEntry = {
      lane,
      startTick: ++this.#tick,
      endTick: undefined,
      origin: 'undecided',
      interaction: () => undefined,
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
   * Complete interactions, numbered from 1 in start order, with the overlaps of this run (F4). `edit` may change an
   * interaction before it is placed, or drop it.
   */
  interactions(edit: (interaction: Unplaced, entry: RunEntry) => Unplaced | undefined = keep): readonly Interaction[] {
    const complete = this.#entries.flatMap((entry) => {
      const whole = entry.interaction()
      const interaction = whole === undefined ? undefined : edit(whole, entry)
      return interaction === undefined ? [] : [{ entry, interaction }]
    })
    // What had ended before one call started had ended before every later one.
    let running: { readonly entry: RunEntry; readonly number: number }[] = []
    return complete.map(({ entry, interaction }, index) => {
      running = running.filter((earlier) => overlap(earlier.entry, entry))
      const overlaps = running.map(({ number }) => number)
      running.push({ entry, number: index + 1 })
      return place(interaction, index + 1, overlaps)
    })
  }
}

function keep(interaction: Unplaced): Unplaced {
  return interaction
}

function overlap(earlier: RunEntry, later: RunEntry): boolean {
  return earlier.endTick === undefined || earlier.endTick > later.startTick
}

function place(interaction: Unplaced, number: number, overlaps: readonly number[]): Interaction {
  return { ...interaction, number, ...(overlaps.length > 0 ? { overlaps } : {}) } as Interaction
}
