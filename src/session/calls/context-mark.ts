import { AsyncLocalStorage } from 'node:async_hooks'
import { outerGlobal } from '../../interception/realm.ts'

/** A mark on an async context: set in a function and in everything it started. */
export interface ContextMark {
  run<R>(fn: () => R): R
  isSet(): boolean
}

/** The mark of this name, one for all copies of this package in a process. */
export function contextMark(name: string): ContextMark {
  const key = Symbol.for(`turntape.${name}`)
  const storage = (): AsyncLocalStorage<true> => {
    const outer = outerGlobal() as { [key]?: AsyncLocalStorage<true> }
    outer[key] ??= new AsyncLocalStorage()
    return outer[key]
  }
  return {
    run: (fn) => storage().run(true, fn),
    isSet: () => storage().getStore() === true,
  }
}
