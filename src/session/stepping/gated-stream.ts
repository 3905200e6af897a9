/** Puts a gate before a model's stream: round the body that is served, or round who watches the live one. */
import { isStreamed } from '../../core/capture/streamed-answer.ts'
import { isThenable } from '../../interception/abort-signal.ts'
import type { ExchangeObserver, ObservedHead, ServedBody, ServedResponse } from '../../interception/router.ts'
import type { Pace } from '../../replaying/pace.ts'
import type { HoldBoard } from './hold-board.ts'
import type { StreamGate } from './stream-gate.ts'

/** Which streams of a session a test may step through. */
export interface Gating {
  readonly holds: HoldBoard
  readonly lane: string | undefined
}

/** The body behind a gate; the same body where the answer was not streamed. */
export function gatedBody(
  { url, headers, body }: Pick<ServedResponse, 'url' | 'headers' | 'body'>,
  { holds, lane, pace }: Gating & { readonly pace: Pace | undefined },
): ServedBody | undefined {
  if (body === undefined || !isStreamed({ url, headers })) return body
  return new GatedBody(body, holds.gate(lane, pace))
}

class GatedBody implements ServedBody {
  readonly #body: ServedBody
  readonly #gate: StreamGate

  constructor(body: ServedBody, gate: StreamGate) {
    this.#body = body
    this.#gate = gate
  }

  next(): ReturnType<ServedBody['next']> {
    const isHeld = this.#gate.isHeld()
    const ready = isHeld ? this.#gate.ready() : undefined
    const chunk = ready === undefined ? this.#body.next() : ready.then(() => this.#body.next())
    if (isThenable(chunk)) return chunk.then((settled) => this.#passed(settled))
    // Of most chunks of most streams nobody is to be told.
    return isHeld || chunk === undefined ? this.#passed(chunk) : chunk
  }

  get end(): ServedBody['end'] {
    return this.#body.end
  }

  cancelled(): void {
    this.#gate.over()
    this.#body.cancelled?.()
  }

  readPast(): void {
    this.#body.readPast?.()
  }

  #passed(chunk: Uint8Array | undefined): Uint8Array | undefined {
    if (chunk === undefined) this.#gate.over()
    else this.#gate.chunk(chunk)
    return chunk
  }
}

/** The observer of a live call, with a gate from the head of a streamed answer on. */
export function gatedObserver(observer: ExchangeObserver, gating: Gating): ExchangeObserver {
  return new GatedObserver(observer, gating)
}

class GatedObserver implements ExchangeObserver {
  readonly #observer: ExchangeObserver
  readonly #gating: Gating
  #gate: StreamGate | undefined

  constructor(observer: ExchangeObserver, gating: Gating) {
    this.#observer = observer
    this.#gating = gating
  }

  head(head: ObservedHead): void {
    this.#observer.head(head)
    if (head.hasBody && isStreamed(head)) this.#gate = this.#gating.holds.gate(this.#gating.lane)
  }

  ready(): Promise<void> | undefined {
    return this.#gate?.ready()
  }

  isHeld(): boolean {
    return this.#gate?.isHeld() === true
  }

  clock(): number {
    return this.#observer.clock?.() ?? 0
  }

  chunk(bytes: Uint8Array, atMs?: number): void {
    this.#observer.chunk(bytes, atMs)
    this.#gate?.chunk(bytes)
  }

  reading(waiting: boolean): void {
    this.#observer.reading(waiting)
  }

  end(): void {
    this.#observer.end()
    this.#gate?.over()
  }

  fail(error: unknown): void {
    this.#observer.fail(error)
    this.#gate?.over()
  }

  cancel(reason?: unknown): void {
    this.#observer.cancel(reason)
    this.#gate?.over()
  }
}
