/** Waiting that a caller's AbortSignal can end. */
import { getMaxListeners, setMaxListeners } from 'node:events'

/** What `fetch` itself sets: a signal shared by many calls is no leak, and must not warn as one. */
const sharedSignalListeners = 1500
const defaultListeners = 10

/** Calls `listener` when the signal aborts; the function given back takes it off. The signal must not be aborted yet. */
export function onAbort(signal: AbortSignal, listener: () => void): () => void {
  if (signal instanceof EventTarget && getMaxListeners(signal) <= defaultListeners) {
    setMaxListeners(sharedSignalListeners, signal)
  }
  signal.addEventListener('abort', listener, { once: true })
  return () => signal.removeEventListener('abort', listener)
}

export function isThenable<T>(value: T | PromiseLike<T>): value is PromiseLike<T> {
  // Read, not asked for by `in`: that is slow of a typed array, and each chunk comes by here.
  return typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function'
}

/** The value, or a rejection with the signal's own reason as soon as it aborts. */
export async function untilAborted<T>(value: T | PromiseLike<T>, signal: AbortSignal | undefined): Promise<T> {
  signal?.throwIfAborted()
  if (signal === undefined || !isThenable(value)) return value
  return new Promise<T>((resolve, reject) => {
    const stop = onAbort(signal, () => reject(signal.reason))
    value.then(
      (settled) => {
        stop()
        resolve(settled)
      },
      (error) => {
        stop()
        reject(error)
      },
    )
  })
}
