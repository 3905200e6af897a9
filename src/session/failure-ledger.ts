import type { ReplayError } from '../errors/replay-error.ts'

/**
 * The failures of one session. The first one is the verdict; a lane that failed gets the same answer again, so that no
 * retry of an SDK and no loop of an agent goes on past it.
 */
export class FailureLedger {
  #first: Error | undefined
  readonly #onFirst: () => void
  readonly #conceal: (error: Error) => void
  readonly #byLane = new Map<string | undefined, ReplayError>()

  /** `onFirst` is called at the first failure, when it happens; `conceal` with every failure, before anyone sees it. */
  constructor(onFirst: () => void, conceal: (error: Error) => void = () => {}) {
    this.#onFirst = onFirst
    this.#conceal = conceal
  }

  /** A `ReplayError`, or what the test's own listener threw. */
  get first(): Error | undefined {
    return this.#first
  }

  /** Keeps the failure for the verdict, if it is the first. */
  add(error: Error): void {
    this.#conceal(error)
    if (this.#first !== undefined) return
    this.#first = error
    this.#onFirst()
  }

  /** The same, and answers every later call of this lane with it. */
  addForLane(error: ReplayError, lane: string | undefined): void {
    this.add(error)
    if (!this.#byLane.has(lane)) this.#byLane.set(lane, error)
  }

  ofLane(lane: string | undefined): ReplayError | undefined {
    return this.#byLane.get(lane)
  }
}
