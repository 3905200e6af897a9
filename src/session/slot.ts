/**
 * One attempt of one test as the worker sees it. A test is covered once something asked for a tape; its session is
 * made at the first use, when all options are known.
 */
import { ReplayError } from '../errors/replay-error.ts'
import type { TapeOptions } from './tape-options.ts'
import type { TapeSession } from './tape-session.ts'

/** Where options come from; a nearer one wins. */
export type OptionSource = 'project' | 'group' | 'test' | 'call'

const ranks: Readonly<Record<OptionSource, number>> = { project: 0, group: 1, test: 2, call: 3 }

export class Slot {
  /** Full name of the test. */
  readonly name: string
  #makeSession: ((layers: readonly TapeOptions[]) => TapeSession) | undefined
  readonly #layers: { readonly rank: number; readonly options: TapeOptions }[] = []
  /** Apart from the slot, so that a tape can keep it when the slot has let go of it. */
  #held: { session?: TapeSession | undefined } = {}
  #makeRemains: (() => TapeSession) | undefined
  #live = true

  constructor(name: string, makeSession: (layers: readonly TapeOptions[]) => TapeSession) {
    this.name = name
    this.#makeSession = makeSession
  }

  get covered(): boolean {
    return this.#layers.length > 0
  }

  /** The attempt is running, hooks included. */
  get live(): boolean {
    return this.#live
  }

  /** The session, if the test is covered and something used it already; after the end what remains of it. */
  get started(): TapeSession | undefined {
    if (this.#held.session === undefined && this.#makeRemains !== undefined) this.#held.session = this.#makeRemains()
    return this.#held.session
  }

  /** The session of a covered test, made now if need be; after the attempt none is made any more. Errors: those of the options and the mode. */
  get session(): TapeSession | undefined {
    if (!this.#live || this.#layers.length === 0) return this.started
    this.#held.session ??= this.#makeSession?.(
      [...this.#layers].sort((a, b) => a.rank - b.rank).map(({ options }) => options),
    )
    return this.#held.session
  }

  /** The session for whoever keeps a tape of this attempt: after the end as well it is the whole one. */
  keep(): () => TapeSession | undefined {
    const held = this.#held
    return () => (this.live ? this.session : (held.session ?? this.started))
  }

  /**
   * The attempt is over. Whatever promise was made in its async context keeps this slot, the runner's own for as long as the
   * file runs; so the slot lets go of all that was recorded and served.
   */
  end(): void {
    this.#live = false
    this.#makeRemains = this.#held.session?.remains
    this.#makeSession = undefined
    this.#held = {}
  }

  /** Covers the test. Errors: TURNTAPE_USAGE for options that come after the first captured call. */
  cover(source: OptionSource, options: TapeOptions): void {
    if (this.started !== undefined) {
      if (Object.keys(options).length === 0) return
      throw new ReplayError('TURNTAPE_USAGE', {
        problem: 'options were given to a tape that is already in use',
        remedy:
          'call useReplay(options) before the first captured call of the test, or give the options to replay(test, options)',
      })
    }
    this.#layers.push({ rank: ranks[source], options })
  }
}
