import type { Compression, ResolvedCadence } from '../../core/cadence/cadence.ts'
import { Pace } from '../../replaying/pace.ts'

/** The clocks of one test's replayed answers, and what their cadence took off the recorded time (TH-04). */
export class SessionPaces {
  readonly #cadence: ResolvedCadence
  readonly #now: () => number
  readonly #paces: Pace[] = []
  #stopped = false

  constructor({ cadence, now }: { readonly cadence: ResolvedCadence; readonly now: () => number }) {
    this.#cadence = cadence
    this.#now = now
  }

  /** A clock that starts now. Undefined where everything is served at once. */
  start(): Pace | undefined {
    if (this.#cadence === undefined || this.#stopped) return undefined
    const pace = new Pace(this.#cadence, this.#now)
    this.#paces.push(pace)
    return pace
  }

  /** The test ended: what is left of every answer comes at once, and no timer is left. */
  stop(): void {
    this.#stopped = true
    for (const pace of this.#paces) pace.stop()
  }

  get compression(): Compression {
    return this.#paces.reduce<Compression>(
      (sum, { compression }) => ({
        compressedGaps: sum.compressedGaps + compression.compressedGaps,
        compressedMs: sum.compressedMs + compression.compressedMs,
      }),
      { compressedGaps: 0, compressedMs: 0 },
    )
  }

  /** A line for the report. Nothing where nothing was cut off. */
  notes(): readonly string[] {
    const { compressedGaps, compressedMs } = this.compression
    if (compressedGaps === 0) return []
    const gaps = compressedGaps === 1 ? '1 gap was' : `${compressedGaps} gaps were`
    return [
      `cadence: ${gaps} longer than maxGapMs: ${this.#cadence?.maxGapMs}, ${compressedMs} ms of recorded time left out`,
    ]
  }
}
