import { contextValue } from './context-value.ts'

const folding = contextValue<true>('fold.1')

/** Runs `fn`; the model calls made in it compact the conversation, and are recorded as such. */
export function runFold<R>(fn: () => R): R {
  return folding.run(true, fn)
}

/** True inside `runFold`, in everything it started. */
export function isFolding(): boolean {
  return folding.get() === true
}
