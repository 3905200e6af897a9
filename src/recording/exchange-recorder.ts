/**
 * Collects one live exchange: its head, the chunks as the caller got them, how it ended. It knows nothing of requests,
 * cassettes or tests, and never disturbs the live call: at a cap it stops storing and says so, the call goes on.
 */
import { TerminalEventScanner } from '../core/capture/terminal-event.ts'
import type { BodyEnd, Chunk, Failure, RecordedBody } from '../core/cassette/document.ts'
import type { CapName } from '../errors/codes.ts'
import type { ExchangeObserver, ObservedHead } from '../interception/router.ts'
import { captureFailure, failureStage } from './capture-failure.ts'

export interface ExchangeRecorderOptions {
  /** A clock in ms, monotonic, that fake timers do not move. Read at creation, too: the call starts then. */
  readonly now: () => number
  readonly maxBodyBytes: number
  readonly maxChunks: number
  /** Once, at the first cap passed. `found` is the count so far, one chunk over; the live call goes on. */
  readonly onCap: (cap: Extract<CapName, 'maxBodyBytes' | 'maxChunks'>, found: number) => void
  /**
   * Once, when there is nothing left to wait for: the exchange was read to its end, failed, or was left by the caller, or
   * its terminal event has come (a client may drop the body then; should it read on, the snapshot still learns the end).
   */
  readonly onSettled: () => void
}

export interface ExchangeRecorder {
  readonly observer: ExchangeObserver
  state(): 'open' | 'settled'
  /** As far as it went; of an open exchange the body ends `partial`. Times are whole ms. */
  snapshot(): ExchangeSnapshot
}

export interface ExchangeSnapshot {
  readonly head?: ObservedHead
  readonly headMs?: number
  /** Absent: no head yet, or a response without a body. */
  readonly body?: RecordedBody
  /** The call was never answered. `details.abortedBy` is `caller` where the caller ended it. */
  readonly failure?: Failure
  /** How much of the body the caller asked for. */
  readonly read: 'none' | 'part' | 'all'
  /** The caller waits for more at this moment. Over the dispatcher: may wait. */
  readonly waiting: boolean
}

export function createExchangeRecorder(options: ExchangeRecorderOptions): ExchangeRecorder {
  const recorder = new Recorder(options)
  return { observer: recorder, state: () => recorder.state(), snapshot: () => recorder.snapshot() }
}

class Recorder implements ExchangeObserver {
  readonly #options: ExchangeRecorderOptions
  readonly #startedAt: number
  readonly #terminal = new TerminalEventScanner()
  readonly #chunks: Chunk[] = []
  #head: ObservedHead | undefined
  #headMs = 0
  #lastMs = 0
  #bytes = 0
  #capped = false
  #asked = false
  #waiting = false
  #end: BodyEnd | undefined
  #failure: Failure | undefined
  #told = false

  constructor(options: ExchangeRecorderOptions) {
    this.#options = options
    this.#startedAt = options.now()
  }

  head(head: ObservedHead): void {
    this.#head = head
    this.#headMs = this.#elapsedMs()
    this.#lastMs = this.#headMs
  }

  chunk(bytes: Uint8Array): void {
    if (this.#settled || this.#capped) return
    this.#bytes += bytes.byteLength
    const { maxBodyBytes, maxChunks } = this.#options
    if (this.#bytes > maxBodyBytes) this.#cap('maxBodyBytes', this.#bytes)
    else if (this.#chunks.length === maxChunks) this.#cap('maxChunks', maxChunks + 1)
    else this.#keep(bytes)
  }

  #keep(bytes: Uint8Array): void {
    // From rounded times, so that the gaps add up to the whole.
    const atMs = this.#elapsedMs()
    this.#chunks.push({ bytes, gapMs: atMs - this.#lastMs })
    this.#lastMs = atMs
    this.#terminal.read(bytes)
    if (this.#terminal.found) this.#tell()
  }

  reading(waiting: boolean): void {
    this.#asked ||= waiting
    this.#waiting = waiting
  }

  end(): void {
    this.#settle({ kind: 'complete' })
  }

  fail(error: unknown): void {
    if (this.#settled) return
    if (this.#head === undefined) this.#fail(captureFailure(error, failureStage(error)))
    else this.#settle({ kind: 'failed', failure: captureFailure(error, 'body') })
  }

  cancel(reason?: unknown): void {
    if (this.#settled) return
    if (this.#head !== undefined) {
      this.#settle({ kind: 'aborted' })
    } else {
      const failure = captureFailure(reason, 'headers')
      this.#fail({ ...failure, details: { ...failure.details, abortedBy: 'caller' } })
    }
  }

  state(): 'open' | 'settled' {
    return this.#settled || this.#terminal.found ? 'settled' : 'open'
  }

  snapshot(): ExchangeSnapshot {
    const complete = this.#end?.kind === 'complete'
    return {
      ...(this.#head === undefined ? {} : { head: this.#head, headMs: this.#headMs }),
      ...(this.#head?.hasBody ? { body: { chunks: [...this.#chunks], end: this.#end ?? { kind: 'partial' } } } : {}),
      ...(this.#failure === undefined ? {} : { failure: this.#failure }),
      read: complete ? 'all' : this.#asked ? 'part' : 'none',
      waiting: this.#waiting && !this.#settled,
    }
  }

  get #settled(): boolean {
    return this.#end !== undefined || this.#failure !== undefined
  }

  #settle(end: BodyEnd): void {
    if (this.#settled) return
    this.#end = end
    this.#tell()
  }

  #fail(failure: Failure): void {
    this.#failure = failure
    this.#tell()
  }

  #tell(): void {
    if (this.#told) return
    this.#told = true
    this.#options.onSettled()
  }

  #cap(cap: 'maxBodyBytes' | 'maxChunks', found: number): void {
    this.#capped = true
    this.#options.onCap(cap, found)
  }

  #elapsedMs(): number {
    return Math.round(this.#options.now() - this.#startedAt)
  }
}
