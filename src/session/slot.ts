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
  /** The attempt is running, hooks included. */
  live = true
  readonly #makeSession: (layers: readonly TapeOptions[]) => TapeSession
  readonly #layers: { readonly rank: number; readonly options: TapeOptions }[] = []
  #session: TapeSession | undefined

  constructor(name: string, makeSession: (layers: readonly TapeOptions[]) => TapeSession) {
    this.name = name
    this.#makeSession = makeSession
  }

  get covered(): boolean {
    return this.#layers.length > 0
  }

  /** The session, if the test is covered and something used it already. */
  get started(): TapeSession | undefined {
    return this.#session
  }

  /** The session of a covered test, made now if need be; after the attempt none is made any more. Errors: those of the options and the mode. */
  get session(): TapeSession | undefined {
    if (!this.covered || !this.live) return this.#session
    this.#session ??= this.#makeSession([...this.#layers].sort((a, b) => a.rank - b.rank).map(({ options }) => options))
    return this.#session
  }

  /** Covers the test. Errors: TURNTAPE_USAGE for options that come after the first captured call. */
  cover(source: OptionSource, options: TapeOptions): void {
    if (this.#session !== undefined) {
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
