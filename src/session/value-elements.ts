import type { Failure, Json, ValueResult } from '../core/cassette/document.ts'
import { buildFailure, type ErrorRealm } from '../replaying/build-failure.ts'
import { runNested } from './nested.ts'

/** What recording an iterable needs of the call it is the result of. */
export interface ElementKeeper {
  /** Never throws: an element that cannot be stored is the test's failure, not the caller's. */
  readonly element: (element: unknown, elements: Json[]) => void
  readonly failure: (error: unknown) => Failure
  /** Called once, when the iterable ended, failed or was given up. */
  readonly end: (result: ValueResult) => void
}

/** Hands on the elements as they come and keeps them. The work between them belongs to the recorded call (nesting). */
export async function* recordElements(
  iterable: AsyncIterable<unknown>,
  keeper: ElementKeeper,
): AsyncGenerator<unknown, unknown> {
  const elements: Json[] = []
  const iterator = runNested(() => iterable[Symbol.asyncIterator]())
  let error: Failure | undefined
  let done = false
  try {
    for (;;) {
      const next = await runNested(() => iterator.next())
      if (next.done === true) {
        done = true
        return next.value
      }
      keeper.element(next.value, elements)
      yield next.value
    }
  } catch (thrown) {
    done = true
    error = keeper.failure(thrown)
    throw thrown
  } finally {
    if (!done) await runNested(() => iterator.return?.())
    keeper.end({ elements, ...(error === undefined ? {} : { error }) })
  }
}

/** The recorded elements again, each a new value. */
export async function* serveElements(
  result: Extract<ValueResult, { elements: unknown }>,
  give: { readonly value: (stored: Json) => unknown; readonly realm: ErrorRealm; readonly end: () => void },
): AsyncGenerator<unknown> {
  try {
    for (const element of result.elements) yield give.value(element)
    if (result.error !== undefined) throw buildFailure(result.error, give.realm)
  } finally {
    give.end()
  }
}
