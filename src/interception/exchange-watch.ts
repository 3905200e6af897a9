/** Tells an observer of an exchange whose bytes are still encoded, as Node's own clients deliver them. */

import { type ContentDecoder, contentDecoder } from './content-decoder.ts'
import type { HeaderPairs } from './header-pairs.ts'
import { nullBodyStatuses } from './null-body-statuses.ts'
import type { ExchangeObserver } from './router.ts'

export interface WatchedExchange {
  readonly observer: ExchangeObserver
  readonly method: string
  readonly url: string
  /** The road itself tells who reads. Default false: it cannot be seen there, since the client reads ahead of its caller. */
  readonly tellsReading?: boolean
}

export interface ExchangeWatch {
  head(status: number, headers: HeaderPairs, statusText: string): void
  data(bytes: Uint8Array): void
  readonly mayHold: boolean
  /** Asked after the head and after each piece of data: when the next may come. Undefined: at once. */
  ready(): Promise<void> | undefined
  end(): void
  fail(error: unknown, abortedByCaller: boolean): void
}

/** Tells the observer, decoded and in order: an ending waits for what the decoder still holds. */
export function exchangeWatch({ observer, method, url, tellsReading }: WatchedExchange): ExchangeWatch {
  let ending: (() => void) | undefined
  let decoder: ContentDecoder | undefined
  const finish = (tell: () => void) => {
    if (ending !== undefined) return
    ending = tell
    if (decoder === undefined) tell()
    else decoder.end()
  }
  const onDecoded = (error: unknown) => {
    if (error === undefined || error === null) return ending?.()
    // The bytes are not what the header says: the client finds the same fault in them.
    ending = () => {}
    observer.fail(error)
  }
  return {
    head(status, headers, statusText) {
      if (status < 200) return
      const hasBody = method !== 'HEAD' && !nullBodyStatuses.has(status)
      observer.head({ status, statusText, headers, url, redirected: false, hasBody })
      const encodings = headers.filter(([name]) => name === 'content-encoding').map(([, value]) => value)
      decoder = contentDecoder({
        encoding: encodings.join(','),
        onBytes: (bytes) => observer.chunk(bytes),
        onDone: onDecoded,
      })
    },
    data(bytes) {
      if (ending !== undefined) return
      if (tellsReading !== true) observer.reading(true)
      if (decoder === undefined) observer.chunk(new Uint8Array(bytes))
      else decoder.write(bytes)
    },
    mayHold: observer.ready !== undefined,
    ready() {
      if (observer.isHeld?.() !== true) return undefined
      return decoder === undefined ? observer.ready?.() : decoder.written().then(() => observer.ready?.())
    },
    end: () => finish(() => observer.end()),
    fail: (error, abortedByCaller) => finish(() => (abortedByCaller ? observer.cancel(error) : observer.fail(error))),
  }
}
