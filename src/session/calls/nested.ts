import { contextMark } from './context-mark.ts'

const nested = contextMark('nested.1')

/** Runs the live function of a recorded tool or `call`: what is called in there is part of it, not a call of its own. */
export function runNested<R>(live: () => R): R {
  return nested.run(live)
}

/** True inside `runNested`, in everything it started. */
export function isNested(): boolean {
  return nested.isSet()
}
