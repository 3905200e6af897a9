/** Watches a live request through what it tells its caller. No listener is added: their number has a meaning to Node. */
import type { ClientRequest, IncomingMessage } from 'node:http'
import { exchangeWatch } from '../exchange-watch.ts'
import type { ExchangeObserver } from '../router.ts'
import { observeMessage } from './observe-message.ts'
import { replaceMember } from './replace-member.ts'
import { RequestEnding } from './request-ending.ts'

interface ObservedRequest {
  readonly request: ClientRequest
  readonly observer: ExchangeObserver
  readonly method: string
  readonly url: string
}

export function observeRequest({ request, observer, method, url }: ObservedRequest): void {
  const watch = exchangeWatch({ observer, method, url, tellsReading: true })
  const ending = new RequestEnding(watch)
  replaceMember(request, 'destroy', (native, args) => {
    ending.leave()
    return native(...args)
  })
  replaceMember(request, 'emit', (native, args) => {
    const [event, detail] = args
    if (event === 'response') observeMessage({ message: detail as IncomingMessage, observer, watch, ending })
    else if (event === 'error') ending.fail(detail)
    else if (event === 'close') ending.close(request)
    // The connection is the caller's own from now on.
    else if (event === 'upgrade' || event === 'connect') ending.cancel()
    return native(...args)
  })
}
