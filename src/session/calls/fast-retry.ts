/**
 * The option `fastRetry`: after a transport failure was served there is no header that could tell a retry policy not to wait,
 * so the timer it waits by is shortened. One timer a failure, of the test and lane that it was served to, set before their next
 * call. The realm's `setTimeout` is wrapped only while such a timer may come; a fake one never is.
 */

import type { SessionContext } from '../session-context.ts'
import { hasFakeTimers } from './fake-timers.ts'

type SetTimeout = (typeof globalThis)['setTimeout']

const shortMs = 1

/** Sessions that have a lane which may wait. */
const expecting = new Set<SessionContext>()

/** By each wrapper of ours, what it wraps. */
const wrapped = new WeakMap<object, SetTimeout>()

/** A failure was served to this lane: its next wait is short. */
export function expectRetry(context: SessionContext, lane: string | undefined): void {
  if (!context.options.fastRetry) return
  context.retrying.add(lane)
  expecting.add(context)
  wrapTimers(context.realm)
}

/** The lane calls again: its timers are its own. */
export function retryOver(context: SessionContext, lane: string | undefined): void {
  if (!context.retrying.delete(lane) || context.retrying.size > 0) return
  expecting.delete(context)
  unwrapTimers(context.realm)
}

/** The test is over, all its lanes are. */
export function noMoreRetries(context: SessionContext): void {
  for (const lane of context.retrying) retryOver(context, lane)
}

function wrapTimers(realm: typeof globalThis): void {
  const native = realm.setTimeout
  if (wrapped.has(native) || hasFakeTimers(realm)) return
  const wrapper = new Proxy(native, {
    apply(target, self: unknown, args: readonly unknown[]) {
      return Reflect.apply(target, self, takesRetry(args[1]) ? [args[0], shortMs, ...args.slice(2)] : args)
    },
  })
  wrapped.set(wrapper, native)
  realm.setTimeout = wrapper
}

/** Under another's wrapper ours stays, and lets every timer through. */
function unwrapTimers(realm: typeof globalThis): void {
  const native = wrapped.get(realm.setTimeout)
  const isWanted = [...expecting].some((context) => context.realm === realm)
  if (native !== undefined && !isWanted) realm.setTimeout = native
}

/** True once a failure: for the first timer that waits at all. */
function takesRetry(delayMs: unknown): boolean {
  if (!(Number(delayMs) > shortMs)) return false
  for (const context of expecting) {
    for (const lane of context.retrying) {
      if (!context.isHere(lane)) continue
      retryOver(context, lane)
      return true
    }
  }
  return false
}
