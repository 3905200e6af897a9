/**
 * Makes the Response of a recorded answer. One pull is one recorded chunk, so the cut points a reader sees are the recorded
 * ones; the caller's signal ends it as it would end a live call. `integrity`, `keepalive` and the like do nothing here.
 */
import { type ReadableByteStreamController, ReadableStream, type UnderlyingByteSource } from 'node:stream/web'
import { isThenable, onAbort } from '../abort-signal.ts'
import { nullBodyStatuses } from '../null-body-statuses.ts'
import type { ServedBody, ServedResponse } from '../router.ts'
import { closeByteStream } from './byte-stream.ts'
import { buildableStatus, dressResponse } from './dress-response.ts'

/** Built with the realm's own Response, as a live one would be. The signal must not be aborted yet. */
export function servedResponse(serving: {
  readonly served: ServedResponse
  readonly signal: AbortSignal | undefined
}): Response {
  const { status, statusText, url, redirected, body } = serving.served
  // A list that can be changed, as the constructor asks for, and does not.
  const headers = serving.served.headers as [name: string, value: string][]
  const stream =
    body === undefined || nullBodyStatuses.has(status)
      ? null
      : new ReadableStream(new ServedSource(body, serving.signal))
  const response = new Response(stream, { status: buildableStatus(status), statusText, headers })
  return dressResponse(response, { url, redirected, type: 'basic', status })
}

class ServedSource implements UnderlyingByteSource {
  readonly type = 'bytes'
  readonly #body: ServedBody
  readonly #signal: AbortSignal | undefined
  #over = false
  #stopListening: (() => void) | undefined

  constructor(body: ServedBody, signal: AbortSignal | undefined) {
    this.#body = body
    this.#signal = signal
  }

  start(controller: ReadableByteStreamController): void {
    const signal = this.#signal
    if (signal === undefined) return
    this.#stopListening = onAbort(signal, () => {
      this.cancel()
      controller.error(signal.reason)
    })
  }

  pull(controller: ReadableByteStreamController): Promise<void> | undefined {
    const chunk = this.#body.next()
    if (isThenable(chunk)) return Promise.resolve(chunk).then((settled) => this.#deliver(controller, settled))
    return this.#deliver(controller, chunk)
  }

  cancel(): void {
    this.#finish()
    this.#body.cancelled?.()
  }

  #deliver(controller: ReadableByteStreamController, chunk: Uint8Array | undefined): Promise<void> | undefined {
    if (this.#over) return undefined
    if (chunk === undefined) return this.#end(controller)
    // Byte streams take no empty chunks, nor do servers send them.
    if (chunk.byteLength === 0) return this.pull(controller)
    controller.enqueue(chunk)
    return undefined
  }

  #end(controller: ReadableByteStreamController): Promise<void> | undefined {
    const { end } = this.#body
    switch (end.kind) {
      case 'close':
        this.#finish()
        closeByteStream(controller)
        return undefined
      case 'error':
        this.#finish()
        controller.error(end.error)
        return undefined
      case 'hang':
        this.#body.readPast?.()
        return new Promise(() => {})
    }
  }

  #finish(): void {
    this.#over = true
    this.#stopListening?.()
  }
}
