/**
 * Tool calls and `call`s of one session: values instead of HTTP, the same decisions. All of it is synchronous up to
 * the live function, so that a synchronous tool stays one.
 */
import type { Failure, Json, ValueInteraction, ValueResult } from '../core/cassette/document.ts'
import { hashValueRequest } from '../core/hashing/request-hash.ts'
import { findNotJson } from '../core/matching/find-not-json.ts'
import { isReplayError, ReplayError } from '../errors/replay-error.ts'
import { captureFailure } from '../recording/capture-failure.ts'
import { buildFailure } from '../replaying/build-failure.ts'
import { divergence } from './diverge.ts'
import { missingCassette } from './missing-cassette.ts'
import { runNested } from './nested.ts'
import type { RunEntry } from './run-log.ts'
import type { SessionContext } from './session-context.ts'

export interface ValueCall {
  readonly kind: 'tool' | 'call'
  readonly name: string
  readonly input: unknown
  readonly lane: string | undefined
  /** The real thing: a value, a promise of one, or an async iterable. */
  readonly live: () => unknown
}

/** Serves, records or refuses one value call; gives what `live` gives, a promise for a promise. */
export function routeValueCall(context: SessionContext, call: ValueCall): unknown {
  const { rules, failures, log, liveLanes } = context
  const entry = log.start(call.lane)
  try {
    const sticky = failures.ofLane(call.lane)
    if (sticky !== undefined) throw sticky
    const request = { name: call.name, input: storedJson(context, call, 'input', call.input) }
    const hash = hashValueRequest({ kind: call.kind, ...request })
    const live = (): unknown => recordValue(context, { call, entry, request, hash })
    if (rules.match === 'network' || rules.match === 'records anew' || liveLanes.has(call.lane)) return live()
    const source = context.source()
    if (source === undefined) {
      if (rules.noCassette === 'records') return live()
      throw missingCassette(context)
    }
    const taken = source.takeValue({ lane: call.lane, hash, kind: call.kind, request })
    if (taken.kind === 'served') {
      const { number: _number, overlaps: _overlaps, ...recorded } = source.interaction(taken.number) as ValueInteraction
      entry.origin = 'served'
      if (source.redacted) context.redactor.reserve(JSON.stringify(recorded.result))
      entry.interaction = () => recorded
      return serveValue(recorded.result, () => log.end(entry))
    }
    if ((source.from === 'pending' ? 'goes live' : rules.mismatch) === 'goes live') {
      liveLanes.add(call.lane)
      source.queue.abandonLane(call.lane)
      return live()
    }
    throw divergence(context, { source, taken, lane: call.lane, present: { kind: call.kind, request }, hash })
  } catch (error) {
    log.end(entry)
    if (isReplayError(error)) failures.addForLane(error, call.lane)
    throw error
  }
}

function storedJson(
  context: SessionContext,
  call: ValueCall,
  what: 'input' | 'value' | 'element',
  value: unknown,
): Json {
  const wrong = findNotJson(value)
  if (wrong === undefined) return context.redactor.json(JSON.parse(JSON.stringify(value)) as Json)
  throw new ReplayError('TURNTAPE_VALUE_NOT_JSON', { test: context.test.fullName, name: call.name, what, ...wrong })
}

interface LiveValue {
  readonly call: ValueCall
  readonly entry: RunEntry
  readonly request: ValueInteraction['request']
  readonly hash: string
}

function recordValue(context: SessionContext, value: LiveValue): unknown {
  const { call, entry } = value
  const startMs = Math.round(context.host.now() - context.startedAtMs)
  entry.origin = 'live'
  const keep = (result: ValueResult): void => {
    const { kind, lane } = call
    const { hash, request } = value
    const recorded = { kind, ...(lane === undefined ? {} : { lane }), hash, request, timing: { startMs }, result }
    entry.interaction = () => recorded
    context.log.end(entry)
    context.settled()
  }
  const returned = (result: unknown): ValueResult =>
    result === undefined ? { undefined: true } : { value: storedJson(context, call, 'value', result) }
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
  if (isAsyncIterable(result)) return recordElements(context, value, { iterable: result, keep, thrown })
  if (!isPromise(result)) {
    keepValue(context, value, () => keep({ ...returned(result), sync: true } as ValueResult))
    return result
  }
  return result.then(
    (settled) => {
      keepValue(context, value, () => keep(returned(settled)))
      return settled
    },
    (error: unknown) => {
      keep(thrown(error))
      throw error
    },
  )
}

// The live caller gets its value whatever we think of it; that it cannot be stored is the test's failure.
function keepValue(context: SessionContext, { entry }: LiveValue, keep: () => void): void {
  try {
    keep()
  } catch (error) {
    context.log.end(entry)
    context.failures.add(error as ReplayError)
  }
}

interface Elements {
  readonly iterable: AsyncIterable<unknown>
  readonly keep: (result: ValueResult) => void
  readonly thrown: (error: unknown) => { readonly error: Failure }
}

async function* recordElements(context: SessionContext, value: LiveValue, init: Elements): AsyncGenerator<unknown> {
  const elements: Json[] = []
  let failure: { readonly error: Failure } | undefined
  try {
    for await (const element of init.iterable) {
      keepValue(context, value, () => elements.push(storedJson(context, value.call, 'element', element)))
      yield element
    }
  } catch (error) {
    failure = init.thrown(error)
    throw error
  } finally {
    init.keep({ elements, ...failure })
  }
}

function serveValue(result: ValueResult, end: () => void): unknown {
  if ('elements' in result) return serveElements(result, end)
  end()
  if ('error' in result) {
    const error = buildFailure(result.error)
    if (result.sync) throw error
    return Promise.reject(error)
  }
  const value = 'value' in result ? structuredClone(result.value) : undefined
  return result.sync ? value : Promise.resolve(value)
}

async function* serveElements(
  result: Extract<ValueResult, { elements: unknown }>,
  end: () => void,
): AsyncGenerator<unknown> {
  try {
    for (const element of result.elements) yield structuredClone(element)
    if (result.error !== undefined) throw buildFailure(result.error)
  } finally {
    end()
  }
}

function isPromise(value: unknown): value is Promise<unknown> {
  return typeof value === 'object' && value !== null && typeof Reflect.get(value, 'then') === 'function'
}

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value
}
