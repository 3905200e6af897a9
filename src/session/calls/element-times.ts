/** The gaps of elements that were kept (F8), from rounded times so that they add up to the whole. */
export class ElementTimes {
  readonly #now: () => number
  readonly #startedAt: number
  readonly #gapsMs: number[] = []
  #lastMs = 0
  #atMs = 0

  /** `now`: milliseconds, monotonic, never faked. */
  constructor(now: () => number) {
    this.#now = now
    this.#startedAt = now()
  }

  arrived(): void {
    this.#atMs = Math.round(this.#now() - this.#startedAt)
  }

  /** `count` elements are kept so far, the one that arrived last perhaps not. Gives the count. */
  kept(count: number): number {
    if (count > this.#gapsMs.length) {
      this.#gapsMs.push(this.#atMs - this.#lastMs)
      this.#lastMs = this.#atMs
    }
    return count
  }

  get gaps(): { readonly gapsMs?: readonly number[] } {
    return this.#gapsMs.some((gapMs) => gapMs !== 0) ? { gapsMs: [...this.#gapsMs] } : {}
  }
}
