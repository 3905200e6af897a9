/** Watches a live response: what it is given by the parser, who reads it, how it ends. Back-pressure stays the reader's. */

import type { IncomingMessage } from 'node:http'
import type { ExchangeWatch } from '../exchange-watch.ts'
import { pairsOfRaw } from '../header-pairs.ts'
import type { ExchangeObserver } from '../router.ts'
import { replaceMember } from './replace-member.ts'
import { brokenOff, type RequestEnding } from './request-ending.ts'

interface ObservedMessage {
  readonly message: IncomingMessage
  readonly observer: ExchangeObserver
  readonly watch: ExchangeWatch
  readonly ending: RequestEnding
}

export function observeMessage({ message, observer, watch, ending }: ObservedMessage): void {
  watch.head(message.statusCode ?? 0, pairsOfRaw(message.rawHeaders), message.statusMessage ?? '')
  const held = new HeldPieces()
  const reader = { hasAsked: false, onAsked: () => {} }
  replaceMember(message, 'push', (native, args) => {
    const [piece] = args as [Uint8Array | null]
    return held.pass(watch.ready(), () => {
      if (piece !== null) watch.data(piece)
      // Thrown away unread, since nobody listens: what was in it is not known.
      else if ((message as { _dumped?: boolean })._dumped === true) ending.cancel()
      else if (reader.hasAsked) ending.complete()
      // A body that nobody reads has no end that anybody saw.
      else reader.onAsked = () => ending.complete()
      return native(...args) as boolean
    })
  })
  replaceMember(message, 'read', (native, args) => {
    // Streams ask for 0 bytes on their own account.
    if (args[0] === 0) return native(...args)
    reader.hasAsked = true
    observer.reading(true)
    reader.onAsked()
    const piece = native(...args)
    if (piece !== null) observer.reading(false)
    return piece
  })
  replaceMember(message, 'destroy', (native, args) => {
    // Node itself destroys it once the connection is gone, the caller before.
    if (message.socket?.destroyed === false) ending.leave()
    return native(...args)
  })
  replaceMember(message, 'pause', (native, args) => {
    observer.reading(false)
    return native(...args)
  })
  replaceMember(message, 'emit', (native, args) => {
    if (args[0] === 'error' || (args[0] === 'close' && !message.complete)) ending.fail(args[1] ?? brokenOff())
    return native(...args)
  })
}

/** What a test that steps holds back, in order; the parser is told to wait. */
class HeldPieces {
  #last: Promise<unknown> | undefined

  pass(ready: Promise<void> | undefined, give: () => boolean): boolean {
    if (this.#last === undefined && ready === undefined) return give()
    const mine = Promise.all([this.#last, ready]).then(() => {
      if (this.#last === mine) this.#last = undefined
      give()
    })
    this.#last = mine
    return false
  }
}
