/**
 * The port between the roads (fetch, dispatcher, sockets) and who decides. Interception knows how to watch, forward
 * and answer a call on each road; it never knows of tests, cassettes or modes.
 */
import type { CapturedRequest, Road } from '../core/capture/captured-request.ts'

/** Decides about every call and every connection of this realm. Must not throw: a throw is a defect and rejects the call. */
export interface Router {
  /**
   * First look, synchronous, before a body is read. `pass`: not ours, forward untouched (the common case for loopback).
   * `read`: read the body and call `route`. A function: the same, or call it instead where nothing else ran meanwhile.
   */
  peek(head: {
    readonly method: string
    readonly url: string
    readonly road: Road
    readonly bodyKind: BodyKind
  }): 'pass' | 'read' | Route
  /** The decision. Called once per call, in the async context of the caller. */
  readonly route: Route
  /** A socket is about to connect outside any call that `route` passed or observed. Return an error to refuse it. */
  connect(target: GuardedConnection): Error | undefined
}

export type Route = (request: CapturedRequest) => Verdict | Promise<Verdict>

export interface GuardedConnection {
  readonly host: string
  readonly port: number | undefined
  /** Who opens it, where that is known. */
  readonly client?: 'undici'
}

/** What is known of a body before it is read: `bytes` can be read at once without side effects, `stream` cannot. */
export type BodyKind = 'none' | 'bytes' | 'stream'

export type Verdict =
  /** Forward; nobody watches. */
  | { readonly kind: 'pass' }
  /** Forward live; the observer sees what the caller sees, when it sees it. */
  | { readonly kind: 'observe'; readonly observer: ExchangeObserver }
  /** Answer without network. */
  | { readonly kind: 'respond'; readonly response: ServedResponse }
  /** Reject the call (fetch: the promise rejects with this very value). */
  | { readonly kind: 'reject'; readonly error: unknown }
  /** Never answer: the call ends when its caller aborts, with his own reason. `cancelled` is called then, once. */
  | { readonly kind: 'hang'; readonly cancelled: () => void }

/** Sees one live exchange. Calls come in order: head, chunks, one ending. Must never throw. */
export interface ExchangeObserver {
  /** The response head as the caller sees it; `headers` lower-case, `set-cookie` repeated. */
  head(head: ObservedHead): void
  /**
   * A decoded chunk, at the moment the caller gets it. The bytes may be kept: they are not changed afterwards. `atMs`, on
   * `clock`: when it came, where that was earlier.
   */
  chunk(bytes: Uint8Array, atMs?: number): void
  /** Milliseconds on the observer's own clock. */
  clock?(): number
  /**
   * Asked before the caller gets a chunk, or the end: settles when he may. Absent or undefined: at once. So a test that
   * steps holds a live stream; what comes meanwhile waits for it.
   */
  ready?(): Promise<void> | undefined
  /** True while `ready` may give something to wait for. */
  isHeld?(): boolean
  /** The caller began (`true`) or stopped (`false`) waiting for more: tells an open read from a dropped body. */
  reading(waiting: boolean): void
  end(): void
  /** Before the head: the call rejected. After it: the body failed. The error is the one the caller gets. */
  fail(error: unknown): void
  /** The caller cancelled the body, or aborted the call; before the head, `reason` is the error his call rejected with. */
  cancel(reason?: unknown): void
}

export interface ObservedHead {
  readonly status: number
  readonly statusText: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly url: string
  readonly redirected: boolean
  readonly hasBody: boolean
}

/** A response served from a recording: everything a client can see. */
export interface ServedResponse {
  readonly status: number
  readonly statusText: string
  /** No content-encoding, no transfer-encoding; content-length only if it agrees with the body. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly url: string
  readonly redirected: boolean
  /** Undefined: no body (204, 205, 304, HEAD, or an empty one). */
  readonly body: ServedBody | undefined
}

/** The chunks, one per `next`, and how it ends. */
export interface ServedBody {
  /**
   * The bytes are the taker's: he may transfer or change them. Undefined: no more chunks, act on `end`. May wait (a stepping
   * or paced replay); sync where it can be.
   */
  next(): Uint8Array | undefined | Promise<Uint8Array | undefined>
  /** Asked once after the last chunk: `close`, `error` (the reader gets that error), or `hang` until the caller aborts. */
  readonly end:
    | { readonly kind: 'close' }
    | { readonly kind: 'error'; readonly error: unknown }
    | { readonly kind: 'hang' }
  /** The caller cancelled. */
  cancelled?(): void
  /** The caller reads on where `end` is `hang`. Called once. Never on the dispatcher road, whose clients read ahead. */
  readPast?(): void
}
