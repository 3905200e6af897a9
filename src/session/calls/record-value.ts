import type { Failure, Json, ValueInteraction, ValueResult } from '../../core/cassette/document.ts'
import type { ReplayError } from '../../errors/replay-error.ts'
import { captureFailure } from '../../recording/capture-failure.ts'
import type { SessionContext } from '../session-context.ts'
import { runNested } from './nested.ts'
import { storedResult } from './stored-value.ts'
import { gateOf, type PlacedValue, type ValueCall } from './value-call.ts'
import { recordElements } from './value-elements.ts'

/** Runs the live function and records what it gives or throws, which its caller gets as it is. */
export function recordValue(context: SessionContext, value: PlacedValue): unknown {
  const { call, entry } = value
  const { now } = context.host
  const startedAt = now()
  const startMs = Math.round(startedAt - context.startedAtMs)
  context.around()
  entry.origin = 'live'
  const keep = (result: ValueResult, headMs?: number): void => {
    const { hash, request } = value
    const timing = { startMs, ...(headMs === undefined ? {} : { headMs }) }
    const recorded = { ...identity(context, call), hash, request, timing, result }
    entry.interaction = () => recorded
    context.log.end(entry)
    context.settled()
  }
  const returned = (result: unknown): ValueResult =>
    result === undefined ? { undefined: true } : { value: storedResult(context, call, 'value', result) }
  const thrown = (error: unknown): { readonly error: Failure } => ({
    error: context.redactor.failure(captureFailure(error, 'value')),
  })
  let result: unknown
  try {
    result = runNested(call.live)
  } catch (error) {
    keep({ ...thrown(error), sync: true })
    throw error
  }
  if (isAsyncIterable(result)) {
    const element = (one: unknown, elements: Json[]): void =>
      keepValue(context, value, () => elements.push(storedResult(context, call, 'element', one)))
    const gate = gateOf(context, call)
    return recordElements(result, { element, failure: (error) => thrown(error).error, end: keep, now, gate })
  }
  if (!isPromise(result)) {
    keepValue(context, value, () => keep({ ...returned(result), sync: true } as ValueResult))
    return result
  }
  const headMs = (): number => Math.round(now() - startedAt)
  return result.then(
    (settled) => {
      keepValue(context, value, () => keep(returned(settled), headMs()))
      return settled
    },
    (error: unknown) => {
      keep(thrown(error), headMs())
      throw error
    },
  )
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

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value
}
