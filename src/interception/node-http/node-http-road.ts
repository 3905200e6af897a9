/**
 * The road of `node:http` and `node:https`, which axios, got, node-fetch and older SDKs take. The caller gets Node's own request;
 * it is kept from its agent until the router has decided. Bodies are still encoded here, and each redirect hop is a call of
 * its own. It never knows why a call is sent, served or refused.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { errorMonitor } from 'node:events'
import type { ClientRequest } from 'node:http'
import { syncBuiltinESMExports } from 'node:module'
import type { Socket } from 'node:net'
import process from 'node:process'
import { currentRouter, forward, interceptionState, isForwarded, type Passage } from '../realm.ts'
import type { Router } from '../router.ts'
import { decideRequest } from './decide-request.ts'
import { holdingAgent } from './holding-agent.ts'
import { type RequestCall, requestCall, type Scheme } from './request-call.ts'

type Http = typeof import('node:http')
type Call = (...args: unknown[]) => ClientRequest

const schemes: readonly Scheme[] = ['http:', 'https:']
const names = ['request', 'get'] as const

function builtIn(scheme: Scheme): Http {
  return process.getBuiltinModule(`node:${scheme.slice(0, -1)}`) as unknown as Http
}

/**
 * Wraps what is there now, unless it is ours or a test's own mock function. Both styles of import see the replacement: the
 * bindings of ES modules are live.
 */
export function installNodeHttpRoad(): void {
  const { requests } = interceptionState()
  replaceCalls((native, scheme) => {
    if (requests.has(native) || '_isMockFunction' in native) return native
    const replacement = new Proxy(native, {
      apply: (target, self, args) =>
        intercepted({ native: (...own) => Reflect.apply(target, self, own), args, scheme }),
    })
    requests.set(replacement, native)
    return replacement
  })
}

/** Takes our replacement off where it is still on top; under another's it stays, and lets everything through. */
export function uninstallNodeHttpRoad(): void {
  const { requests } = interceptionState()
  replaceCalls((current) => (requests.get(current) as Call | undefined) ?? current)
}

function replaceCalls(replacementOf: (current: Call, scheme: Scheme) => Call): void {
  let isChanged = false
  for (const scheme of schemes) {
    const module = builtIn(scheme) as unknown as Record<(typeof names)[number], Call>
    for (const name of names) {
      const current = module[name]
      const replacement = replacementOf(current, scheme)
      if (replacement === current) continue
      module[name] = replacement
      isChanged = true
    }
  }
  if (isChanged) syncBuiltinESMExports()
}

interface Interception {
  readonly native: Call
  readonly args: readonly unknown[]
  readonly scheme: Scheme
}

function intercepted({ native, args, scheme }: Interception): ClientRequest {
  const router = currentRouter()
  const call = router === undefined || isForwarded() ? undefined : requestCall(args, scheme)
  if (router === undefined || call === undefined) return native(...args)
  const { method, url, bodyKind } = call
  const passage: Passage = { isOpen: true }
  if (router.peek({ method, url, bodyKind, road: 'http' }) === 'pass') {
    const request = forward(() => native(...args), passage)
    closeWithConnection(request, passage)
    return request
  }
  return keptRequest({ native, args, scheme }, { call, router, passage })
}

function keptRequest(
  { native, args, scheme }: Interception,
  { call, router, passage }: { readonly call: RequestCall; readonly router: Router; readonly passage: Passage },
): ClientRequest {
  const inCallersContext = AsyncLocalStorage.snapshot()
  const { options, callback } = call
  const agent = holdingAgent({
    options,
    scheme,
    defaultAgent: builtIn(scheme).globalAgent,
    onRequest({ request, send, timeoutMs }) {
      closeWithConnection(request, passage)
      const encrypted = (options.protocol ?? scheme) === 'https:'
      const live = (): void => forward(send, passage)
      decideRequest({ request, call, router, live, inCallersContext, encrypted, timeoutMs })
    },
  })
  if (agent === undefined) return native(...args)
  // In the passage: a wrapper of the user's between two of ours calls the inner one.
  return forward(() => native({ ...options, agent }, callback), passage)
}

/**
 * The async context of a connection outlives it, and a listener may make another call in it: once the connection is made, or
 * will never be, the context opens no road any more.
 */
function closeWithConnection(request: ClientRequest, passage: Passage): void {
  const close = (): void => {
    passage.isOpen = false
  }
  request.prependOnceListener('socket', (socket: Socket) => {
    if (socket.connecting) socket.prependOnceListener('connect', close)
    else close()
  })
  request.prependOnceListener(errorMonitor, close)
  request.prependOnceListener('close', close)
}
