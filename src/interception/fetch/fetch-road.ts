/**
 * The first road: `fetch` of one realm, ours or that of a vm context. Bodies are decoded here, redirects followed, and
 * one pull is one chunk. It asks the router and does what the verdict says; it never knows why.
 */
import type { CapturedRequest } from '../../core/capture/captured-request.ts'
import { abandonVerdict } from '../abandon-verdict.ts'
import { isThenable, untilAborted } from '../abort-signal.ts'
import { currentRouter, forward, interceptionState, isForwarded } from '../realm.ts'
import type { ExchangeObserver, Route, Verdict } from '../router.ts'
import {
  type FetchInit,
  type FetchInput,
  type OutgoingCall,
  outgoingCall,
  readPlain,
  readStream,
} from './outgoing-call.ts'
import { servedResponse } from './served-response.ts'
import { tapResponse } from './tap-response.ts'

type FetchArguments = [input: FetchInput, init?: FetchInit]

/** Wraps the `fetch` that is there now, unless it is ours or a test's own mock function, which answers without network. */
export function installFetchRoad(realm: typeof globalThis): void {
  const native = realm.fetch
  const { fetches } = interceptionState()
  if (typeof native !== 'function' || fetches.has(native) || '_isMockFunction' in native) return
  const replacement = new Proxy(native, {
    apply: (target, self, args: FetchArguments) => interceptedFetch({ native: target, self, args }),
  })
  fetches.set(replacement, native)
  realm.fetch = replacement
}

/** Takes our replacement off where it is still on top; under another's it stays, and lets everything through. */
export function uninstallFetchRoad(realm: typeof globalThis): void {
  const native = interceptionState().fetches.get(realm.fetch)
  if (native !== undefined) realm.fetch = native
}

/** The caller's very call. */
interface FetchCall {
  readonly native: typeof fetch
  readonly self: unknown
  readonly args: FetchArguments
}

function callNative({ native, self, args }: FetchCall): Promise<Response> {
  return Reflect.apply(native, self, args)
}

function interceptedFetch(call: FetchCall): Promise<Response> {
  const router = currentRouter()
  if (router === undefined || isForwarded()) return callNative(call)
  try {
    const outgoing = outgoingCall(...call.args)
    if (outgoing === undefined) return callNative(call)
    const { method, url, bodyKind } = outgoing
    const peeked = router.peek({ method, url, bodyKind, road: 'fetch' })
    if (peeked === 'pass') return forward(() => callNative(call))
    // Reading a stream takes a while.
    const route =
      peeked === 'read' || bodyKind === 'stream' ? (request: CapturedRequest) => router.route(request) : peeked
    return routedFetch({ outgoing, native: call.native, route })
  } catch (error) {
    return Promise.reject(error)
  }
}

interface RoutedFetch {
  readonly outgoing: OutgoingCall
  readonly native: typeof fetch
  readonly route: Route
}

/** Up to `route` this runs at once where the body can be read at once: calls are routed in the order they were made. */
async function routedFetch({ outgoing, native, route }: RoutedFetch): Promise<Response> {
  const { bodyKind, signal } = outgoing
  const read = bodyKind === 'stream' ? await untilAborted(readStream(outgoing), signal) : readPlain(outgoing)
  const routed = route(read.captured)
  // Waits in any case: a caller may abort right after his call.
  const verdict = await (isThenable(routed) ? decided(routed, signal) : routed)
  if (signal?.aborted) {
    abandonVerdict(verdict, signal.reason)
    throw signal.reason
  }
  const [input, init] = read.forward
  const live = () => forward(() => native(input, init))
  switch (verdict.kind) {
    case 'pass':
      return live()
    case 'observe':
      return observedFetch({ live, observer: verdict.observer, signal })
    case 'respond':
      return servedResponse({ served: verdict.response, signal })
    case 'reject':
      throw verdict.error
    case 'hang':
      return untilAborted(new Promise<never>(() => {}), signal).finally(verdict.cancelled)
  }
}

/** The verdict; rejects as soon as the caller aborts. */
async function decided(verdict: Promise<Verdict>, signal: AbortSignal | undefined): Promise<Verdict> {
  try {
    return await untilAborted(verdict, signal)
  } catch (error) {
    if (signal?.aborted) {
      // The decision still comes; its own failure is nobody's any more.
      verdict.then(
        (late) => abandonVerdict(late, error),
        () => {},
      )
    }
    throw error
  }
}

async function observedFetch(call: {
  readonly live: () => Promise<Response>
  readonly observer: ExchangeObserver
  readonly signal: AbortSignal | undefined
}): Promise<Response> {
  const { live, observer, signal } = call
  let response: Response
  try {
    response = await live()
  } catch (error) {
    if (signal?.aborted) observer.cancel(error)
    else observer.fail(error)
    throw error
  }
  return tapResponse({ response, observer, signal })
}
