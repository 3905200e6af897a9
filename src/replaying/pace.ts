/**
 * The clock of one replayed answer: says how long its next chunk has to wait. Real time only, whatever a test did to its
 * clock, and one for each answer, so that streams beside each other do not wait for one another.
 *
 * Waits are counted from when the chunk before was due, not from when it was taken: a caller that is slow meanwhile finds
 * the next one ready, as it would find it in its socket, and gets nothing slower than recorded and its own slowness.
 */
import { clearTimeout, setTimeout } from 'node:timers'
import { type Compression, cadenceStart, nextDue, type ResolvedCadence } from '../core/cadence/cadence.ts'

// Bound here: a test's fake timers replace what modules export later on.
const startTimer = setTimeout
const stopTimer = clearTimeout

/** What a timer can hold. */
const longestWaitMs = 2 ** 31 - 1

export class Pace {
  readonly #cadence: NonNullable<ResolvedCadence>
  readonly #now: () => number
  #startedAt: number
  #position = cadenceStart
  #state: 'running' | 'suspended' | 'stopped' = 'running'
  #wake: (() => void) | undefined

  /** The clock starts now. `now`: milliseconds, monotonic, never faked. */
  constructor(cadence: NonNullable<ResolvedCadence>, now: () => number) {
    this.#cadence = cadence
    this.#now = now
    this.#startedAt = now()
  }

  /** Of the gaps waited for so far. */
  get compression(): Compression {
    return this.#position
  }

  /** The wait for what came `gapMs` after the one before. Undefined: due already. Ends early where the pace stops. */
  wait(gapMs: number | undefined): Promise<void> | undefined {
    if (this.#state !== 'running') return undefined
    this.#position = nextDue(this.#position, { gapMs, cadence: this.#cadence })
    return this.#until(this.#startedAt + this.#position.dueMs)
  }

  /** No waits until `resume`: the test steps by hand. */
  suspend(): void {
    if (this.#state !== 'running') return
    this.#state = 'suspended'
    this.#wake?.()
  }

  /** The next gap counts from now. */
  resume(): void {
    if (this.#state !== 'suspended') return
    this.#state = 'running'
    this.#startedAt = this.#now() - this.#position.dueMs
  }

  /** Ends the wait that is under way, and every later one: the caller left, or the test ended. */
  stop(): void {
    this.#state = 'stopped'
    this.#wake?.()
  }

  #until(dueMs: number): Promise<void> | undefined {
    const waitMs = dueMs - this.#now()
    if (waitMs <= 0) return undefined
    return new Promise((resolve) => {
      const timer = startTimer(() => this.#wake?.(), Math.min(waitMs, longestWaitMs))
      this.#wake = () => {
        stopTimer(timer)
        this.#wake = undefined
        resolve()
      }
    })
  }
}
