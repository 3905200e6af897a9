/** Answers a dispatch from a recording: speaks to either generation of handler, one macrotask a chunk so that undici does not join them. */

import { setImmediate } from 'node:timers'
import { asBuffer } from '../../core/cassette/as-buffer.ts'
import { rawOfPairs, recordOfPairs } from '../header-pairs.ts'
import type { ServedBody, ServedResponse } from '../router.ts'
import { type DispatchController, type DispatchHandler, isModern } from './dispatch-protocol.ts'

// Bound here: a test's fake timers replace the globals later on.
const afterThisTask = setImmediate

export class ServedDispatch implements DispatchController {
  rawHeaders: readonly Uint8Array[] = []
  rawTrailers: readonly Uint8Array[] = []
  aborted = false
  reason: unknown = null
  paused = false
  readonly #handler: DispatchHandler
  #body: Pick<ServedBody, 'cancelled'> | undefined
  #over = false
  #wake: (() => void) | undefined

  constructor(handler: DispatchHandler) {
    this.#handler = handler
  }

  /** Hands the caller the means to abort; call it before anything is waited for. */
  start(): void {
    if (isModern(this.#handler)) this.#handler.onRequestStart?.(this, {})
    else this.#handler.onConnect?.((reason) => this.abort(reason), {})
  }

  abort(reason?: unknown): void {
    if (this.#over) return
    this.aborted = true
    this.reason = reason
    this.#body?.cancelled?.()
    this.reject(reason ?? abortError())
    this.resume()
  }

  pause(): void {
    this.paused = true
  }

  resume(): void {
    this.paused = false
    this.#wake?.()
  }

  /** The call goes out live: from now on the live exchange alone speaks to the handler. */
  handOver(): void {
    this.#over = true
  }

  /** Ends the call with an error; also before the head. */
  reject(error: unknown): void {
    if (this.#over) return
    this.#over = true
    if (isModern(this.#handler)) this.#handler.onResponseError?.(this, error)
    else this.#handler.onError?.(error)
  }

  /** Stays open until the caller aborts; `cancelled` is called then. */
  hang(cancelled: () => void): void {
    if (this.aborted) cancelled()
    else this.#body = { cancelled }
  }

  async respond(response: ServedResponse): Promise<void> {
    try {
      this.#body = response.body
      if (this.#over) return
      this.#head(response)
      if (response.body === undefined || (await this.#chunks(response.body))) this.#complete()
    } catch (error) {
      this.reject(error)
    }
  }

  #head({ status, statusText, headers }: ServedResponse): void {
    const raw = rawOfPairs(headers)
    if (isModern(this.#handler)) {
      this.rawHeaders = raw
      this.#handler.onResponseStart?.(this, status, recordOfPairs(headers), statusText)
    } else if (this.#handler.onHeaders?.(status, raw, () => this.resume(), statusText) === false) {
      this.pause()
    }
  }

  /** True when the body came to its regular end. */
  async #chunks(body: ServedBody): Promise<boolean> {
    for (;;) {
      await this.#whenResumed()
      if (this.#over) return false
      const chunk = await body.next()
      if (this.#over) return false
      if (chunk === undefined) break
      if (chunk.byteLength === 0) continue
      this.#data(asBuffer(chunk))
      await new Promise<void>((resolve) => afterThisTask(resolve))
    }
    switch (body.end.kind) {
      case 'close':
        return true
      case 'error':
        this.reject(body.end.error)
        return false
      case 'hang':
        // Whether the caller reads on cannot be seen here: undici reads ahead of him. So no `readPast`.
        return false
    }
  }

  #data(bytes: Buffer): void {
    if (isModern(this.#handler)) this.#handler.onResponseData?.(this, bytes)
    else if (this.#handler.onData?.(bytes) === false) this.pause()
  }

  #complete(): void {
    if (this.#over) return
    this.#over = true
    if (isModern(this.#handler)) this.#handler.onResponseEnd?.(this, {})
    else this.#handler.onComplete?.([])
  }

  async #whenResumed(): Promise<void> {
    while (this.paused && !this.#over) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
  }
}

/** As undici's RequestAbortedError. */
function abortError(): Error {
  const error = new Error('Request aborted')
  return Object.assign(error, { name: 'AbortError', code: 'UND_ERR_ABORTED' })
}
