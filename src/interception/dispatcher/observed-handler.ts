/** Puts a watcher between a dispatcher and the caller's handler. The handler keeps its generation and sees every call as before. */

import { type ExchangeWatch, exchangeWatch, type WatchedExchange } from '../exchange-watch.ts'
import { pairsOfRaw, pairsOfRecord, recordOfPairs } from '../header-pairs.ts'
import { type DispatchController, type DispatchHandler, isModern } from './dispatch-protocol.ts'
import { HeldController, Valve } from './held-dispatch.ts'

interface ObservedDispatch extends WatchedExchange {
  readonly handler: DispatchHandler
}

export function observedHandler(dispatch: ObservedDispatch): DispatchHandler {
  const watch = exchangeWatch(dispatch)
  const { handler } = dispatch
  return isModern(handler)
    ? { ...otherCalls(handler), ...modernCalls(handler, watch) }
    : { ...otherCalls(handler), ...legacyCalls(handler, watch) }
}

/** Calls that say nothing of the exchange. Bound one by one: undici's own handlers have private members. */
function otherCalls(handler: DispatchHandler): DispatchHandler {
  const calls: Record<string, unknown> = {}
  for (const name of ['onUpgrade', 'onRequestUpgrade', 'onBodySent', 'onRequestSent', 'onResponseStarted']) {
    const call = (handler as Record<string, unknown>)[name]
    if (typeof call === 'function') calls[name] = call.bind(handler)
  }
  return calls as DispatchHandler
}

function legacyCalls(handler: DispatchHandler, watch: ExchangeWatch): DispatchHandler {
  let abortedByCaller = false
  let valve: Valve | undefined
  /** What the caller says, unless the answer is held. */
  const goOn = (more: boolean | undefined): boolean | undefined => {
    if (more === false) valve?.pausedByCaller()
    const ready = watch.ready()
    if (ready === undefined) return more
    valve?.hold(ready)
    return false
  }
  return {
    onConnect(abort, context) {
      const tellAndAbort = (reason?: unknown) => {
        abortedByCaller = true
        abort(reason)
      }
      handler.onConnect?.(tellAndAbort, context)
    },
    onHeaders(status, raw, resume, statusText) {
      watch.head(status, pairsOfRaw(raw), statusText)
      valve = new Valve(resume)
      const more = handler.onHeaders?.(status, raw, () => valve?.resumedByCaller(), statusText)
      return status < 200 ? more : goOn(more)
    },
    onData(bytes) {
      watch.data(bytes)
      return goOn(handler.onData?.(bytes))
    },
    onComplete(trailers) {
      watch.end()
      handler.onComplete?.(trailers)
    },
    onError(error) {
      watch.fail(error, abortedByCaller)
      handler.onError?.(error)
    },
  }
}

/** With the older calls beside the modern ones: a dispatcher older than the caller's undici knows only those. */
function modernCalls(handler: DispatchHandler, watch: ExchangeWatch): DispatchHandler {
  let held: HeldController | undefined
  /** What the caller's handler gets; the dispatcher's own controller where nobody may hold the answer. */
  const shown = (controller: DispatchController): DispatchController => {
    if (!watch.mayHold || !controller) return controller // some dispatchers fail before they have made one
    held ??= new HeldController(controller)
    return held
  }
  const modern: DispatchHandler = {
    onRequestStart: (controller, context) => handler.onRequestStart?.(shown(controller), context),
    onResponseStart(controller, status, headers, statusText) {
      watch.head(status, pairsOfRecord(headers), statusText ?? '')
      handler.onResponseStart?.(shown(controller), status, headers, statusText)
      if (status >= 200) held?.hold(watch.ready())
    },
    onResponseData(controller, bytes) {
      watch.data(bytes)
      handler.onResponseData?.(shown(controller), bytes)
      held?.hold(watch.ready())
    },
    onResponseEnd(controller, trailers) {
      watch.end()
      handler.onResponseEnd?.(shown(controller), trailers)
    },
    onResponseError(controller, error) {
      watch.fail(error, controller?.aborted === true)
      handler.onResponseError?.(shown(controller), error)
    },
  }
  return { ...modern, ...legacyBridge(modern) }
}

/** Lets a dispatcher of the older generation call a modern handler. */
function legacyBridge(modern: DispatchHandler): DispatchHandler {
  let controller: BridgeController | undefined
  const current = () => controller as BridgeController
  return {
    onConnect(abort, context) {
      controller = new BridgeController(abort)
      modern.onRequestStart?.(controller, context)
    },
    onHeaders(status, raw, resume, statusText) {
      const bridge = current()
      bridge.rawHeaders = raw as readonly Uint8Array[]
      bridge.onResume = resume
      modern.onResponseStart?.(bridge, status, recordOfPairs(pairsOfRaw(raw)), statusText)
      return !bridge.paused
    },
    onData(bytes) {
      modern.onResponseData?.(current(), bytes)
      return !current().paused
    },
    onComplete(raw) {
      current().rawTrailers = raw as readonly Uint8Array[]
      modern.onResponseEnd?.(current(), recordOfPairs(pairsOfRaw(raw ?? [])))
    },
    onError: (error) => modern.onResponseError?.(current(), error),
  }
}

class BridgeController implements DispatchController {
  rawHeaders: readonly Uint8Array[] = []
  rawTrailers: readonly Uint8Array[] = []
  aborted = false
  reason: unknown = null
  paused = false
  onResume: (() => void) | undefined
  readonly #abort: (reason?: unknown) => void

  constructor(abort: (reason?: unknown) => void) {
    this.#abort = abort
  }

  abort(reason?: unknown): void {
    if (this.aborted) return
    this.aborted = true
    this.reason = reason
    this.#abort(reason)
  }

  pause(): void {
    this.paused = true
  }

  resume(): void {
    if (!this.paused) return
    this.paused = false
    this.onResume?.()
  }
}
