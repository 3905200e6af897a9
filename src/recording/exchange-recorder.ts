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
  /** As far as it went; of an open exchange the body ends `partial`, unless its terminal event has come. Times are whole ms. */
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
  /** Nothing can come any more. A body may be complete before: after its terminal event it may still be read on. */
  readonly final: boolean
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

  clock(): number {
    return this.#options.now() - this.#startedAt
  }

  chunk(bytes: Uint8Array, atMs?: number): void {
    if (this.#settled || this.#capped) return
    this.#bytes += bytes.byteLength
    const { maxBodyBytes, maxChunks } = this.#options
    if (this.#bytes > maxBodyBytes) this.#cap('maxBodyBytes', this.#bytes)
    else if (this.#chunks.length === maxChunks) this.#cap('maxChunks', maxChunks + 1)
    else this.#keep(bytes, atMs)
  }

  #keep(bytes: Uint8Array, arrivedMs = this.clock()): void {
    // From rounded times, so that the gaps add up to the whole.
    const atMs = Math.max(Math.round(arrivedMs), this.#lastMs)
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
      ...(this.#head?.hasBody ? { body: { chunks: [...this.#chunks], end: this.#bodyEnd() } } : {}),
      ...(this.#failure === undefined ? {} : { failure: this.#failure }),
      read: complete ? 'all' : this.#asked ? 'part' : 'none',
      waiting: this.#waiting && !this.#settled,
      final: this.#settled || this.#head?.hasBody === false,
    }
  }

  /** F10: a client that stops at the terminal event has all there is to have. */
  #bodyEnd(): BodyEnd {
    if (this.#end?.kind === 'failed' || !this.#terminal.found) return this.#end ?? { kind: 'partial' }
    return { kind: 'complete' }
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
    return Math.round(this.clock())
  }
}
