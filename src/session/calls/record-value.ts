import type { Failure, Json, ValueInteraction, ValueResult } from '../../core/cassette/document.ts'
import type { ReplayError } from '../../errors/replay-error.ts'
import { captureFailure } from '../../recording/capture-failure.ts'
import type { SessionContext } from '../session-context.ts'
import { beginLive } from './begin-live.ts'
import { runNested } from './nested.ts'
import { type PushedAnswer, PushedElements } from './pushed-elements.ts'
import { storedResult } from './stored-value.ts'
import { gateOf, type PlacedValue, type ValueCall } from './value-call.ts'
import { recordElements } from './value-elements.ts'

/** Runs the live function and records what it gives or throws, which its caller gets as it is. */
export function recordValue(context: SessionContext, value: PlacedValue): unknown {
  const { call } = value
  const keeper = startKeeping(context, value)
  const { keep, returned, thrown, headMs } = keeper
  if (call.pushed !== undefined) return recordPushed(call.pushed, keeper)
  let result: unknown
  try {
    result = runNested(call.live)
  } catch (error) {
    keep({ error: thrown(error), sync: true })
    throw error
  }
  if (isAsyncIterable(result)) {
    const { element, now } = keeper
    return recordElements(result, { element, failure: thrown, end: keep, now, gate: gateOf(context, call) })
  }
  if (!isPromise(result)) {
    keepValue(context, value, () => keep({ ...returned(result), sync: true } as ValueResult))
    return result
  }
  return result.then(
    (settled) => {
      keepValue(context, value, () => keep(returned(settled), headMs()))
      return settled
    },
    (error: unknown) => {
      keep({ error: thrown(error) }, headMs())
      throw error
    },
  )
}

/** Nothing is given: who made the call hears what comes from the same side that pushes it. */
function recordPushed(pushed: PushedAnswer, { element, thrown, keep, headMs, now }: ValueKeeper): undefined {
  const elements = new PushedElements({
    ...pushed,
    element,
    failure: thrown,
    keep: (result) => keep(result, 'elements' in result ? undefined : headMs()),
    now,
  })
  runNested(() => pushed.live(elements))
  elements.made()
}

interface ValueKeeper {
  /** The call has ended with this; `headMs` of what came through a promise. */
  readonly keep: (result: ValueResult, headMs?: number) => void
  readonly returned: (result: unknown) => ValueResult
  readonly thrown: (error: unknown) => Failure
  readonly element: (element: unknown, elements: Json[]) => void
  /** Since the call began. */
  readonly headMs: () => number
  readonly now: () => number
}

/** The call goes live now. */
function startKeeping(context: SessionContext, value: PlacedValue): ValueKeeper {
  const { call, entry } = value
  const { now } = context.host
  const startedAt = now()
  const startMs = Math.round(startedAt - context.startedAtMs)
  beginLive(context, entry)
  return {
    keep: (result, headMs) => {
      const { hash, request } = value
      const timing = { startMs, ...(headMs === undefined ? {} : { headMs }) }
      const recorded = { ...identity(context, call), hash, request, timing, result }
      entry.interaction = () => recorded
      context.log.end(entry)
      context.settled()
    },
    returned: (result) =>
      result === undefined ? { undefined: true } : { value: storedResult(context, call, 'value', result) },
    thrown: (error) => context.redactor.failure(captureFailure(error, 'value')),
    element: (one, elements) =>
      keepValue(context, value, () => elements.push(storedResult(context, call, 'element', one))),
    headMs: () => Math.round(now() - startedAt),
    now,
  }
}

function identity(
  context: SessionContext,
  { kind, lane, callId }: ValueCall,
): Pick<ValueInteraction, 'kind' | 'lane' | 'callId'> {
  return {
    kind,
    ...(lane === undefined ? {} : { lane }),
    ...(callId ? { callId: context.redactor.text(callId) } : {}),
  }
}

// The live caller gets its value whatever we think of it; that it cannot be stored is the test's failure.
function keepValue(context: SessionContext, { entry }: PlacedValue, keep: () => void): void {
  try {
    keep()
  } catch (error) {
    context.log.end(entry)
    context.failures.add(error as ReplayError)
  }
}

function isPromise(value: unknown): value is Promise<unknown> {
  return typeof value === 'object' && value !== null && typeof Reflect.get(value, 'then') === 'function'
}

export function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value
}
