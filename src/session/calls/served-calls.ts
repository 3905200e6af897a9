/**
 * What one session gave out of its cassette, call by call, and who listens: `tape.onServed`. Also what the report says
 * was not checked. Decides nothing.
 */
import type { InteractionKind } from '../../core/cassette/document.ts'
import type { FoundBy } from '../../core/matching/replay-queue.ts'

/** One call that met its recorded interaction. */
export interface Served {
  /** Of the recorded interaction. */
  readonly number: number
  readonly kind: InteractionKind
  /** The recorded turn that it belongs to, 1-based; undefined where the cassette has no turn. */
  readonly turn: number | undefined
  readonly lane: string | undefined
  /**
   * True: the call is the recorded one, by its id, its hash, or normalised. False: it was served in its place all the same,
   * or refused (AR-02).
   */
  readonly matched: boolean
  /**
   * How the interaction was found. `position`: nothing was equal, or there was nothing to compare with. `again`: a GET more
   * often than recorded. `refused`: it was this one's turn, and the call left the recording.
   */
  readonly by: FoundBy | 'again' | 'refused'
  /** Hash of the recorded request; undefined: not all of it is on the cassette, so that nothing was checked (AR-05). */
  readonly recorded: string | undefined
  /** Hash of the request that was made; always there (AR-06). */
  readonly got: string
}

export type ServedListener = (served: Served) => void

export class ServedCalls {
  readonly #listeners = new Set<ServedListener>()
  readonly #onThrow: (error: unknown) => void
  #all: Served[] = []
  #realTools: string[] = []

  /** `onThrow` gets what a listener throws: the call is answered all the same. */
  constructor(onThrow: (error: unknown) => void) {
    this.#onThrow = onThrow
  }

  get all(): readonly Served[] {
    return this.#all
  }

  /** AR-26: names of the tools that ran since no recorded result fitted, one a call. */
  get realTools(): readonly string[] {
    return this.#realTools
  }

  /** Gives what takes the listener off again. */
  listen(listener: ServedListener): () => void {
    this.#listeners.add(listener)
    return () => {
      this.#listeners.delete(listener)
    }
  }

  tell(served: Served): void {
    this.#all.push(served)
    if (this.#listeners.size === 0) return
    for (const listener of [...this.#listeners]) {
      try {
        listener(served)
      } catch (error) {
        this.#onThrow(error)
      }
    }
  }

  ranForReal(tool: string): void {
    this.#realTools.push(tool)
  }

  /** Forgets the calls and keeps the listeners: the replay starts again. */
  clear(): void {
    this.#all = []
    this.#realTools = []
  }
}
