import { AsyncLocalStorage } from 'node:async_hooks'
import { outerGlobal } from '../interception/realm.ts'

const key = Symbol.for('turntape.nested.1')

/** Runs the live function of a recorded tool or `call`: what is called in there is part of it, not a call of its own. */
export function runNested<R>(live: () => R): R {
  return storage().run(true, live)
}

/** True inside `runNested`, in everything it started. */
export function isNested(): boolean {
  return storage().getStore() === true
}

function storage(): AsyncLocalStorage<true> {
  const outer = outerGlobal() as { [key]?: AsyncLocalStorage<true> }
  outer[key] ??= new AsyncLocalStorage()
  return outer[key]
}
