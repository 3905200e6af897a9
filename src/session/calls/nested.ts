import { contextValue } from './context-value.ts'

const nested = contextValue<true>('nested.1')

/** Runs the live function of a recorded tool or `call`: what is called in there is part of it, not a call of its own. */
export function runNested<R>(live: () => R): R {
  return nested.run(true, live)
}

/** True inside `runNested`, in everything it started. */
export function isNested(): boolean {
  return nested.get() === true
}
