/**
 * The road under `fetch`: a dispatcher of ours at both well-known symbols of the outer realm, over the one that was there.
 * It catches what never looks at `globalThis.fetch`: clients built earlier, a `fetch` captured at import, npm undici.
 * Bodies are still encoded here and each redirect hop is a call of its own.
 */
import { abandonVerdict } from '../abandon-verdict.ts'
import { isThenable } from '../abort-signal.ts'
import { currentRouter, forward, interceptionState, isForwarded, outerGlobal } from '../realm.ts'
import type { Router } from '../router.ts'
import type { Dispatcher, DispatchHandler, DispatchOptions } from './dispatch-protocol.ts'
import { type DispatchedCall, dispatchedCall } from './dispatched-call.ts'
import { observedHandler } from './observed-handler.ts'
import { ServedDispatch } from './serve-dispatch.ts'

// undici up to 7.28 reads the first, later ones the second; each major keeps its own kind of dispatcher there.
const dispatcherSymbols = [Symbol.for('undici.globalDispatcher.1'), Symbol.for('undici.globalDispatcher.2')] as const

/** The outer realm has the dispatcher of Node's own fetch; an npm undici in a vm context puts its own on that context's global. */
function realms(realm: typeof globalThis): ReadonlySet<Record<symbol, unknown>> {
  return new Set<Record<symbol, unknown>>([outerGlobal(), realm as unknown as Record<symbol, unknown>])
}

/**
 * Wraps what is at the symbols now. Both are set even where one was empty: an npm undici imported later, finding none at
 * its symbol, would put its own at both and silently take the place of ours.
 */
export function installDispatcherRoad(realm: typeof globalThis): void {
  // Loads the lazy built-in undici, which sets its symbol; touching `fetch` does not.
  void outerGlobal().Response
  for (const global of realms(realm)) {
    const there = dispatcherSymbols.map((symbol) => global[symbol] as Dispatcher | undefined)
    for (const [index, symbol] of dispatcherSymbols.entries()) {
      const current = there[index] ?? there.find((dispatcher) => dispatcher !== undefined)
      if (current !== undefined) place(global, symbol, ourDispatcher(current))
    }
  }
}

export function uninstallDispatcherRoad(realm: typeof globalThis): void {
  for (const global of realms(realm)) {
    for (const symbol of dispatcherSymbols) {
      const original = interceptionState().dispatchers.get(global[symbol] as object)
      if (original !== undefined) global[symbol] = original
    }
  }
}

function place(realm: Record<symbol, unknown>, symbol: symbol, dispatcher: Dispatcher): void {
  if (realm[symbol] === dispatcher) return
  if (symbol in realm) realm[symbol] = dispatcher
  else
    Object.defineProperty(realm, symbol, { value: dispatcher, writable: true, enumerable: false, configurable: true })
}

const wrapped = new WeakMap<Dispatcher, Dispatcher>()

/** The same dispatcher in everything but `dispatch`; one that is ours already is given back. */
function ourDispatcher(native: Dispatcher): Dispatcher {
  const { dispatchers } = interceptionState()
  if (dispatchers.has(native)) return native
  const known = wrapped.get(native)
  if (known !== undefined) return known
  const dispatch = (options: DispatchOptions, handler: DispatchHandler) =>
    interceptDispatch({ native, options, handler })
  const proxy = new Proxy(native, {
    get(target, name) {
      if (name === 'dispatch') return dispatch
      // From the target itself and bound to it: undici's classes have private members.
      const value: unknown = Reflect.get(target, name, target)
      return typeof value === 'function' && name !== 'constructor' ? value.bind(target) : value
    },
  })
  dispatchers.set(proxy, native)
  wrapped.set(native, proxy)
  return proxy
}

export interface InterceptedDispatch {
  readonly native: Dispatcher
  readonly options: DispatchOptions
  readonly handler: DispatchHandler
}

/** One dispatch, of whatever dispatcher. True, as undici says it: there is room for more. */
export function interceptDispatch({ native, options, handler }: InterceptedDispatch): boolean {
  const router = currentRouter()
  const call = router === undefined || isForwarded() ? undefined : dispatchedCall(options)
  if (router === undefined || call === undefined) return native.dispatch(options, handler)
  const { method, url, bodyKind } = call
  if (router.peek({ method, url, bodyKind, road: 'dispatcher' }) === 'pass') {
    return forward(() => native.dispatch(options, handler))
  }
  void decide({ native, handler, call, router })
  return true
}

/** Up to `route` this runs at once where the body can be read at once. Never rejects: an error goes to the handler. */
async function decide(decision: {
  readonly native: Dispatcher
  readonly handler: DispatchHandler
  readonly call: DispatchedCall
  readonly router: Router
}): Promise<void> {
  const { native, handler, call, router } = decision
  const served = new ServedDispatch(handler)
  let started = false
  // Only what waits starts early: a handler learns in `start` how to abort, and a live call starts it once more.
  const settled = async <T>(value: T | PromiseLike<T>): Promise<T> => {
    if (isThenable(value) && !started) {
      started = true
      served.start()
    }
    return value
  }
  try {
    const reading = call.read()
    const { captured, forward: options } = isThenable(reading) ? await settled(reading) : reading
    if (served.aborted) return
    const verdict = await settled(router.route(captured))
    if (served.aborted) return abandonVerdict(verdict, served.reason)
    switch (verdict.kind) {
      case 'pass':
        forward(() => native.dispatch(options, handler))
        served.handOver()
        return
      case 'observe': {
        const observed = observedHandler({ handler, observer: verdict.observer, method: call.method, url: call.url })
        forward(() => native.dispatch(options, observed))
        served.handOver()
        return
      }
      case 'respond':
        if (!started) served.start()
        await served.respond(verdict.response)
        return
      case 'reject':
        if (!started) served.start()
        served.reject(verdict.error)
        return
      case 'hang':
        if (!started) served.start()
        served.hang(verdict.cancelled)
    }
  } catch (error) {
    served.reject(error)
  }
}
