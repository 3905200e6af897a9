/**
 * When the pending recording is saved while a test runs: at every call that ends, so that a kill loses nothing that was
 * paid for; less often once saving, which writes the whole recording, would take more than its share of the test's time.
 */
import { clearTimeout, setTimeout } from 'node:timers'

/** Spent without a look at the share: a short test saves at every call. */
const freeMs = 250
const share = 0.1

export class PendingSaver {
  readonly #now: () => number
  readonly #save: () => void
  readonly #startedAtMs: number
  #spentMs = 0
  #later: NodeJS.Timeout | undefined

  constructor({ now, save }: { readonly now: () => number; readonly save: () => void }) {
    this.#now = now
    this.#save = save
    this.#startedAtMs = now()
  }

  /** Something new can be saved: now or, at the latest, when the share allows it. */
  changed(): void {
    if (this.#later !== undefined) return
    const startMs = this.#now()
    const overdrawnMs = this.#spentMs - Math.max(freeMs, (startMs - this.#startedAtMs) * share)
    if (overdrawnMs > 0) {
      this.#later = setTimeout(() => {
        this.#later = undefined
        this.changed()
      }, overdrawnMs / share).unref()
      return
    }
    this.#save()
    this.#spentMs += this.#now() - startMs
  }

  /** Saves no more. */
  stop(): void {
    clearTimeout(this.#later)
    this.#later = undefined
  }
}
