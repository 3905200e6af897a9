import type { Failure, Json, ValueResult } from '../../core/cassette/document.ts'
import { isReadInPart, readInPart } from '../../core/cassette/read-in-part.ts'
import { buildFailure, type ErrorRealm } from '../../replaying/build-failure.ts'
import type { Pace } from '../../replaying/pace.ts'
import type { StreamGate } from '../stepping/stream-gate.ts'
import { ElementTimes } from './element-times.ts'
import { runNested } from './nested.ts'

/** What recording an iterable needs of the call it is the result of. */
export interface ElementKeeper {
  /** Never throws: an element that cannot be stored is the test's failure, not the caller's. */
  readonly element: (element: unknown, elements: Json[]) => void
  readonly failure: (error: unknown) => Failure
  /** Called once, when the iterable ended, failed or was given up. */
  readonly end: (result: ValueResult) => void
  /** Milliseconds, monotonic, never faked. */
  readonly now: () => number
  /** Absent: a test cannot step through it. */
  readonly gate: StreamGate | undefined
}

/** Hands on the elements as they come and keeps them. The work between them belongs to the recorded call (nesting). */
export async function* recordElements(
  iterable: AsyncIterable<unknown>,
  keeper: ElementKeeper,
): AsyncGenerator<unknown, unknown> {
  const elements: Json[] = []
  const times = new ElementTimes(keeper.now)
  const iterator = runNested(() => iterable[Symbol.asyncIterator]())
  let error: Failure | undefined
  let done = false
  try {
    for (;;) {
      await keeper.gate?.ready()
      const next = await runNested(() => iterator.next())
      if (next.done === true) {
        done = true
        return next.value
      }
      times.arrived()
      keeper.element(next.value, elements)
      const stored = elements[times.kept(elements.length) - 1]
      if (stored !== undefined) keeper.gate?.element(stored)
      yield next.value
    }
  } catch (thrown) {
    done = true
    error = keeper.failure(thrown)
    throw thrown
  } finally {
    keeper.gate?.over()
    try {
      if (!done) await runNested(() => iterator.return?.())
    } finally {
      const ending = done ? error : readInPart
      keeper.end({ elements, ...times.gaps, ...(ending === undefined ? {} : { error: ending }) })
    }
  }
}

/** How recorded elements are given. */
export interface ElementGiver {
  readonly value: (stored: Json) => unknown
  readonly realm: ErrorRealm
  /** Idempotent. */
  readonly end: () => void
  /** True with the element that answers the call: it has ended, though elements follow. Absent: it ends with the last. */
  readonly isAnswered: ((last: Json | undefined) => boolean) | undefined
  /** The clock of its elements. Absent: each is there as soon as it is asked for. */
  readonly pace: Pace | undefined
  readonly gate: StreamGate | undefined
  /** The caller reads on where the recorded one stopped. Throws, or it is the end. */
  readonly readPast: () => void
}

/** The recorded elements again, each a new value. */
export async function* serveElements(
  { elements, gapsMs = [], error }: Extract<ValueResult, { elements: unknown }>,
  giver: ElementGiver,
): AsyncGenerator<unknown> {
  const { gate, pace } = giver
  try {
    if (giver.isAnswered?.(undefined)) giver.end()
    for (const [index, element] of elements.entries()) {
      await gate?.ready()
      await pace?.wait(gapsMs[index])
      gate?.element(element)
      if (giver.isAnswered?.(element)) giver.end()
      yield giver.value(element)
    }
    await gate?.ready()
    if (isReadInPart(error)) giver.readPast()
    else if (error !== undefined) throw buildFailure(error, giver.realm)
  } finally {
    gate?.over()
    pace?.stop()
    giver.end()
  }
}
