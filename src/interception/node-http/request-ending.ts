import type { ClientRequest, IncomingMessage } from 'node:http'
import type { ExchangeWatch } from '../exchange-watch.ts'

/** How an exchange ended: its parts learn it in different orders, and the first to know tells. */
export class RequestEnding {
  readonly #watch: ExchangeWatch
  #isLeft = false
  #isOver = false

  constructor(watch: ExchangeWatch) {
    this.#watch = watch
  }

  /** The caller destroys the request or the response: what fails from now on is of his making. */
  leave(): void {
    this.#isLeft = true
  }

  complete(): void {
    this.#tell(() => this.#watch.end())
  }

  fail(error: unknown): void {
    this.#tell(() => this.#watch.fail(error, this.#isLeft))
  }

  cancel(reason?: unknown): void {
    this.#tell(() => this.#watch.fail(reason, true))
  }

  /** Nobody was told of an error: a response that is there may still be read to its end. */
  close(request: ClientRequest): void {
    const { res } = request as { readonly res?: IncomingMessage | null }
    if (!res?.complete) this.fail(brokenOff())
  }

  #tell(tell: () => void): void {
    if (this.#isOver) return
    this.#isOver = true
    tell()
  }
}

/** As Node says it of a response that is cut off. */
export function brokenOff(): Error {
  return Object.assign(new Error('aborted'), { code: 'ECONNRESET' })
}
