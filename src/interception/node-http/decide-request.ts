/** Asks the router about one request as soon as its body is whole, and does what the verdict says. */
import { abandonVerdict } from '../abandon-verdict.ts'
import { isThenable } from '../abort-signal.ts'
import { headerPairs } from '../header-pairs.ts'
import type { Router, Verdict } from '../router.ts'
import { HeldRequest } from './held-request.ts'
import { noSocket } from './holding-agent.ts'
import { observeRequest } from './observe-request.ts'
import type { RequestCall } from './request-call.ts'
import { failRequest, hangRequest, type ServedRequest, serveRequest } from './serve-request.ts'

interface Decision extends ServedRequest {
  readonly call: RequestCall
  readonly router: Router
  /** Gives the request to its agent. */
  readonly live: () => void
  readonly inCallersContext: (run: () => void) => void
}

export function decideRequest(decision: Decision): void {
  const { request, router, inCallersContext, timeoutMs } = decision
  let abandon: ((verdict: Verdict) => void) | undefined
  const held = new HeldRequest({
    request,
    timeoutMs,
    onWhole: (body) => inCallersContext(() => whenWhole(body)),
    onDestroyed(error) {
      abandon = (verdict) => abandonVerdict(verdict, error ?? hungUp())
      // Its own error and `close` come with the connection that it does not get.
      request.onSocket(...noSocket())
    },
  })
  const act = (verdict: Verdict): void => {
    if (abandon !== undefined) {
      abandon(verdict)
      return
    }
    held.release()
    carryOut(decision, verdict)
  }
  const fail = (error: unknown): void => act({ kind: 'reject', error })
  const whenWhole = (body: Uint8Array | undefined): void => {
    try {
      const verdict = router.route({ ...headOf(decision), body })
      if (isThenable(verdict)) verdict.then(act, fail)
      else act(verdict)
    } catch (error) {
      fail(error)
    }
  }
}

/** As it is sent: headers may have been set after the call was made. */
function headOf({ request, call }: Decision) {
  const { headers } = call.options
  const pairs = headerPairs(Array.isArray(headers) ? headers : request.getHeaders())
  return { method: call.method, url: call.url, headers: pairs, road: 'http' as const }
}

function carryOut(decision: Decision, verdict: Verdict): void {
  const { request, call, live } = decision
  switch (verdict.kind) {
    case 'pass':
      live()
      return
    case 'observe':
      observeRequest({ request, observer: verdict.observer, method: call.method, url: call.url })
      live()
      return
    case 'respond':
      serveRequest(decision, verdict.response)
      return
    case 'reject':
      failRequest(decision, verdict.error)
      return
    case 'hang':
      hangRequest(decision, verdict.cancelled)
  }
}

/** What Node says to a caller who destroys his request without a reason. */
function hungUp(): Error {
  return Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' })
}
