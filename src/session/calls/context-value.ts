import { AsyncLocalStorage } from 'node:async_hooks'
import { outerGlobal } from '../../interception/realm.ts'

/** A value of an async context: set in a function and in everything it started. */
export interface ContextValue<T> {
  run<R>(value: T, fn: () => R): R
  /** Undefined: not set here. */
  get(): T | undefined
}

/** The value of this name, one for all copies of this package in a process. */
export function contextValue<T>(name: string): ContextValue<T> {
  const key = Symbol.for(`turntape.${name}`)
  let known: AsyncLocalStorage<T> | undefined
  const storage = (): AsyncLocalStorage<T> => {
    const outer = outerGlobal() as { [key]?: AsyncLocalStorage<T> }
    outer[key] ??= new AsyncLocalStorage()
    known = outer[key]
    return known
  }
  return {
    run: (value, fn) => (known ?? storage()).run(value, fn),
    get: () => (known ?? storage()).getStore(),
  }
}
