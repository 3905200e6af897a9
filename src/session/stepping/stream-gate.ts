import type { Json } from '../../core/cassette/document.ts'
import type { Pace } from '../../replaying/pace.ts'
import { partsOfEvent, type StreamPart, StreamPartReader } from '../../wire/stream-parts.ts'

/** Who lets a gate's chunks through, one by one. */
export interface GateKeeper {
  /** The reader asks for the next chunk. Undefined: let it through. */
  ask(gate: StreamGate): Promise<void> | undefined
  /** A chunk went through. */
  passed(gate: StreamGate, parts: readonly StreamPart[]): void
  /** The stream ended, failed or was left. */
  over(gate: StreamGate): void
}

/**
 * Stands before one stream, recorded or live: every chunk, and the end, asks here before the reader gets it. Open as long as
 * nobody holds its lane, which may begin at any chunk.
 */
export class StreamGate {
  readonly lane: string | undefined
  /** The clock of a replayed stream: it rests while a test steps. */
  readonly pace: Pace | undefined
  readonly #keeper: (gate: StreamGate) => GateKeeper | undefined
  #reader: StreamPartReader | undefined
  #isOver = false

  constructor(init: {
    readonly lane: string | undefined
    readonly pace: Pace | undefined
    readonly keeper: (gate: StreamGate) => GateKeeper | undefined
  }) {
    this.lane = init.lane
    this.pace = init.pace
    this.#keeper = init.keeper
  }

  get isOver(): boolean {
    return this.#isOver
  }

  isHeld(): boolean {
    return this.#keeper(this) !== undefined
  }

  /** Settles when the next chunk may go through. Undefined: at once. */
  ready(): Promise<void> | undefined {
    return this.#isOver ? undefined : this.#keeper(this)?.ask(this)
  }

  chunk(bytes: Uint8Array): void {
    const keeper = this.#keeper(this)
    if (keeper === undefined) return
    this.#reader ??= new StreamPartReader()
    // A copy: the reader keeps what an event is cut in, and these bytes are the taker's.
    keeper.passed(this, this.#reader.push(bytes.slice()))
  }

  /** The same for an element of an iterable, which is an event by itself. */
  element(stored: Json): void {
    this.#keeper(this)?.passed(
      this,
      typeof stored === 'string' ? [{ kind: 'text', text: stored }] : partsOfEvent(stored),
    )
  }

  over(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#keeper(this)?.over(this)
  }
}
