/**
 * Watches a live response on its way to the caller. One reader, re-exposed with a high-water mark of 0: a chunk is pulled
 * when the caller pulls, so back-pressure, cancellation and timing stay the caller's own. Never `tee()` or `clone()`:
 * both read the server dry for the slower branch, and keep it sending after the caller has gone.
 */
import {
  type ReadableByteStreamController,
  ReadableStream,
  type ReadableStreamDefaultReader,
  type UnderlyingByteSource,
} from 'node:stream/web'
import { onAbort } from '../abort-signal.ts'
import type { ExchangeObserver } from '../router.ts'
import { closeByteStream } from './byte-stream.ts'
import { buildableStatus, dressResponse } from './dress-response.ts'

interface TappedExchange {
  readonly response: Response
  readonly observer: ExchangeObserver
  /** The caller's signal: tells a failure of the network from his own abort. */
  readonly signal: AbortSignal | undefined
}

/** A response without a body is given back as it is. */
export function tapResponse({ response, observer, signal }: TappedExchange): Response {
  const { status, statusText, url, redirected, type, body } = response
  const headers = [...response.headers]
  observer.head({ status, statusText, url, redirected, headers, hasBody: body !== null })
  if (body === null) {
    observer.end()
    return response
  }
  // Where node-fetch took the place of fetch, the body is a Node stream.
  const stream = 'getReader' in body ? body : ReadableStream.from<Uint8Array>(body)
  const tapped = tapBody({ body: stream, observer, signal })
  const rebuilt = new Response(tapped, { status: buildableStatus(status), statusText, headers })
  return dressResponse(rebuilt, { url, redirected, type, status })
}

interface TappedBody extends Omit<TappedExchange, 'response'> {
  readonly body: ReadableStream
}

function tapBody(tapped: TappedBody): ReadableStream {
  return new ReadableStream(new TappedSource(tapped))
}

/** What came from the network, in order. */
type Arrival =
  | { readonly kind: 'chunk'; readonly bytes: Uint8Array; readonly atMs: number | undefined }
  | { readonly kind: 'end' }
  | { readonly kind: 'error'; readonly error: unknown }

class TappedSource implements UnderlyingByteSource {
  // A byte stream, as fetch's own: a BYOB reader goes on working.
  readonly type = 'bytes'
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>
  readonly #observer: ExchangeObserver
  readonly #signal: AbortSignal | undefined
  readonly #settle = once()
  /** Came while a test held the stream: its chunks would be joined in the socket, and their gaps be lost. */
  readonly #ahead: Arrival[] = []
  #reading: Promise<void> | undefined
  #isReadingAhead = false

  constructor({ body, observer, signal }: TappedBody) {
    this.#reader = body.getReader()
    this.#observer = observer
    this.#signal = signal
  }

  start(controller: ReadableByteStreamController): void {
    this.#reader.closed.catch((error) => {
      // What came before it comes first, the error is read after it; but the caller's own abort is at once.
      const waits = this.#ahead.length > 0 || this.#observer.isHeld?.() === true
      if (!waits || this.#signal?.aborted) this.#fail(controller, error)
    })
    this.#endWithSignal()
  }

  /** Node 20 neither ends nor fails a body whose end had come, unread, when its signal aborts. */
  #endWithSignal(): void {
    const signal = this.#signal
    if (signal === undefined || signal.aborted) return
    const forget = onAbort(signal, () => this.#settle(() => this.#observer.cancel(signal.reason)))
    this.#reader.closed.then(forget, forget)
  }

  async pull(controller: ReadableByteStreamController): Promise<void> {
    const arrival = await this.#next()
    switch (arrival.kind) {
      case 'chunk':
        this.#observer.chunk(arrival.bytes, arrival.atMs)
        // A copy: the caller's chunk may be changed or transferred, the observer's must stay.
        controller.enqueue(new Uint8Array(arrival.bytes))
        return
      case 'end':
        this.#settle(() => {
          this.#observer.end()
          closeByteStream(controller)
        })
        return
      case 'error':
        this.#fail(controller, arrival.error)
    }
  }

  cancel(reason: unknown): Promise<void> {
    this.#settle(() => this.#observer.cancel(reason))
    return this.#reader.cancel(reason)
  }

  async #next(): Promise<Arrival> {
    const observer = this.#observer
    observer.reading(true)
    try {
      const ready = observer.ready?.()
      if (ready !== undefined) {
        void this.#readAhead()
        await ready
      }
      for (;;) {
        const first = this.#ahead.shift()
        if (first !== undefined) return first
        await this.#read()
      }
    } finally {
      observer.reading(false)
    }
  }

  async #readAhead(): Promise<void> {
    if (this.#isReadingAhead) return
    this.#isReadingAhead = true
    const isOpen = (): boolean => this.#ahead.at(-1)?.kind !== 'end' && this.#ahead.at(-1)?.kind !== 'error'
    while (this.#observer.isHeld?.() === true && isOpen()) await this.#read()
    this.#isReadingAhead = false
  }

  /** One arrival more; a read that is under way counts as this one. */
  #read(): Promise<void> {
    this.#reading ??= readArrival(this.#reader).then((arrival) => {
      this.#reading = undefined
      const atMs = this.#observer.isHeld?.() === true ? this.#observer.clock?.() : undefined
      this.#ahead.push(arrival.kind === 'chunk' ? { ...arrival, atMs } : arrival)
    })
    return this.#reading
  }

  #fail(controller: ReadableByteStreamController, error: unknown): void {
    this.#settle(() => (this.#signal?.aborted ? this.#observer.cancel(error) : this.#observer.fail(error)))
    controller.error(error)
  }
}

async function readArrival(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<Arrival> {
  try {
    const bytes = await readChunk(reader)
    return bytes === undefined ? { kind: 'end' } : { kind: 'chunk', bytes, atMs: undefined }
  } catch (error) {
    return { kind: 'error', error }
  }
}

/** The next chunk that holds anything; undefined at the end. */
async function readChunk(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<Uint8Array | undefined> {
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return undefined
    if (value.byteLength > 0) return value
  }
}

/** Runs the first ending only: an exchange ends once. */
function once(): (ending: () => void) => void {
  let ended = false
  return (ending) => {
    if (ended) return
    ended = true
    ending()
  }
}
