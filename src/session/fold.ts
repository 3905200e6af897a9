import { AsyncLocalStorage } from 'node:async_hooks'
import { outerGlobal } from '../interception/realm.ts'

const key = Symbol.for('turntape.fold.1')

/** Runs `fn`; the model calls made in it compact the conversation, and are recorded as such. */
export function runFold<R>(fn: () => R): R {
  return storage().run(true, fn)
}

/** True inside `runFold`, in everything it started. */
export function isFolding(): boolean {
  return storage().getStore() === true
}

function storage(): AsyncLocalStorage<true> {
  const outer = outerGlobal() as { [key]?: AsyncLocalStorage<true> }
  outer[key] ??= new AsyncLocalStorage()
  return outer[key]
}
