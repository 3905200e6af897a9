/**
 * A request that waits for its verdict. Node keeps what is written until there is a connection; meanwhile the caller must not
 * notice that there is none: his writes are taken, `expect: 100-continue` is answered, his timeouts and his abort work.
 */
import type { ClientRequest } from 'node:http'
import { clearTimeout, setTimeout } from 'node:timers'
import { nextTick } from '../next-tick.ts'
import { type Replacement, replaceMember } from './replace-member.ts'

// Bound here: a test's fake timers may replace them later on.
const startTimer = setTimeout
const stopTimer = clearTimeout

interface HoldSetup {
  readonly request: ClientRequest
  /** Of its options or its agent's. */
  readonly timeoutMs: number | undefined
  /** `end` was called: this is the whole body. */
  readonly onWhole: (body: Uint8Array | undefined) => void
  /** The caller gave it up, with or without an error of his own. */
  readonly onDestroyed: (error: unknown) => void
}

export class HeldRequest {
  readonly #setup: HoldSetup
  readonly #pieces: Buffer[] = []
  readonly #restore: (() => void)[]
  #isEnded = false
  #isHeld = true
  #timer: NodeJS.Timeout | undefined

  constructor(setup: HoldSetup) {
    this.#setup = setup
    const { request } = setup
    this.#restore = [
      replaceMember(request, 'write', this.#write),
      replaceMember(request, 'end', this.#end),
      replaceMember(request, 'destroy', this.#destroy),
      replaceMember(request, 'setTimeout', this.#setTimeout),
    ]
    this.#startTimer(setup.timeoutMs)
    if (request.getHeader('expect') !== undefined) this.#continue()
    if (request.destroyed) this.#tellDestroyed(undefined)
  }

  /** From now on the request is as it was made. */
  release(): void {
    this.#isHeld = false
    this.#stopTimer()
    for (const restore of this.#restore) restore()
  }

  readonly #write: Replacement = (native, [chunk, second, third]) => {
    if (this.#isEnded) return native(chunk, second, third)
    const [encoding, callback] = typeof second === 'function' ? [undefined, second] : [second, third]
    native(chunk, encoding)
    this.#keep(chunk, encoding)
    // Not Node's own word that it was sent: who waits for it before he goes on would wait for ever.
    if (typeof callback === 'function') nextTick(callback as () => void)
    return true
  }

  readonly #end: Replacement = (native, args) => {
    const result = native(...args)
    if (this.#isEnded) return result
    this.#isEnded = true
    const [chunk, encoding] = args
    if (typeof chunk !== 'function') this.#keep(chunk, encoding)
    this.#setup.onWhole(this.#pieces.length === 0 ? undefined : new Uint8Array(Buffer.concat(this.#pieces)))
    return result
  }

  readonly #destroy: Replacement = (native, [error]) => {
    const result = native(error)
    this.#tellDestroyed(error)
    return result
  }

  readonly #setTimeout: Replacement = (native, [timeoutMs, listener]) => {
    const result = native(timeoutMs, listener)
    this.#startTimer(Number(timeoutMs))
    return result
  }

  #tellDestroyed(error: unknown): void {
    if (!this.#isHeld) return
    this.release()
    this.#setup.onDestroyed(error)
  }

  #keep(chunk: unknown, encoding: unknown): void {
    // A copy: the caller may go on using his buffer.
    const bytes =
      typeof chunk === 'string'
        ? Buffer.from(chunk, typeof encoding === 'string' ? (encoding as BufferEncoding) : 'utf8')
        : Buffer.from((chunk ?? []) as Uint8Array)
    if (bytes.byteLength > 0) this.#pieces.push(bytes)
  }

  /** The body is wanted before any server is asked. What the server says of it later is not news. */
  #continue(): void {
    const { request } = this.#setup
    nextTick(() => {
      if (!this.#isHeld || this.#isEnded) return
      request.emit('continue')
      const restore = replaceMember(request, 'emit', (native, args) => {
        if (args[0] !== 'continue') return native(...args)
        restore()
        return true
      })
    })
  }

  #startTimer(timeoutMs: number | undefined): void {
    this.#stopTimer()
    if (timeoutMs === undefined || !(timeoutMs > 0)) return
    this.#timer = startTimer(() => this.#setup.request.emit('timeout'), timeoutMs).unref()
  }

  #stopTimer(): void {
    if (this.#timer !== undefined) stopTimer(this.#timer)
    this.#timer = undefined
  }
}
