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
import type { RecordingSource } from './recording-source.ts'
import type { RunEntry } from './run-log.ts'
import type { SessionContext } from './session-context.ts'
import type { AnyCodec } from './value-codec.ts'
import { recordElements, serveElements } from './value-elements.ts'

export interface ValueCall {
  readonly kind: 'tool' | 'call'
  readonly name: string
  readonly input: unknown
  readonly lane: string | undefined
  /** The id under which the model asked for this call; undefined where the caller is not told. */
  readonly callId?: string | undefined
  /** Absent: values are JSON themselves. */
  readonly codec?: AnyCodec | undefined
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
    const mismatch = source.from === 'pending' ? 'goes live' : rules.mismatch
    const { kind, lane, callId } = call
    const wanted = { lane, hash, kind, callId, request }
    const taken = source.takeValue({ ...wanted, inputMustAgree: mismatch !== 'fails' })
    const value = { call, entry, request, hash }
    if (taken.kind === 'served') return serve(context, value, { source, number: taken.number })
    if (mismatch === 'goes live') {
      liveLanes.add(call.lane)
      source.queue.abandonLane(call.lane)
      return live()
    }
    const number = mismatch === 'rewrites' ? source.rebaseValue(wanted) : undefined
    if (number !== undefined) return serve(context, value, { source, number, rewritten: { request, hash } })
    throw divergence(context, { source, taken, lane: call.lane, present: { kind: call.kind, request }, hash })
  } catch (error) {
    log.end(entry)
    if (isReplayError(error)) failures.addForLane(error, call.lane)
    throw error
  }
}

interface Serving {
  readonly source: RecordingSource
  readonly number: number
  /** What takes the place of the stored request. */
  readonly rewritten?: Pick<ValueInteraction, 'request' | 'hash'>
}

function serve(context: SessionContext, { call, entry }: LiveValue, { source, number, rewritten }: Serving): unknown {
  const { number: _number, overlaps: _overlaps, ...recorded } = source.interaction(number) as ValueInteraction
  entry.origin = rewritten === undefined ? 'served' : 'rewritten'
  if (source.redacted) context.redactor.reserve(JSON.stringify(recorded.result))
  const logged = { ...recorded, ...rewritten }
  entry.interaction = () => logged
  return serveValue(recorded.result, { codec: call.codec, realm: context.realm, end: () => context.log.end(entry) })
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

function storedResult(context: SessionContext, call: ValueCall, what: 'value' | 'element', value: unknown): Json {
  const encode = call.codec?.encode
  if (encode === undefined) return storedJson(context, call, what, value)
  let encoded: unknown
  try {
    encoded = encode(value as never)
  } catch (cause) {
    throw new ReplayError('TURNTAPE_USAGE', {
      problem: `encode of "${call.name}" threw: ${String(cause)}`,
      remedy: 'It gets every value that the live function gives, and returns the JSON to record for it.',
    })
  }
  return storedJson(context, call, what, encoded)
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
    const { hash, request } = value
    const recorded = { ...identity(context, call), hash, request, timing: { startMs }, result }
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
    return recordElements(result, { element, failure: (error) => thrown(error).error, end: keep })
  }
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

function identity(
  context: SessionContext,
  { kind, lane, callId }: ValueCall,
): Pick<ValueInteraction, 'kind' | 'lane' | 'callId'> {
  return {
    kind,
    ...(lane === undefined ? {} : { lane }),
    ...(callId === undefined ? {} : { callId: context.redactor.text(callId) }),
  }
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

interface Giving {
  readonly codec: AnyCodec | undefined
  /** The test's own: what is given are plain objects and errors of it, as the live function gave them. */
  readonly realm: typeof globalThis
  readonly end: () => void
}

function serveValue(result: ValueResult, { codec, realm, end }: Giving): unknown {
  const give = (stored: Json): unknown => {
    const own: unknown = realm.JSON.parse(JSON.stringify(stored))
    return codec?.decode === undefined ? own : codec.decode(own as never)
  }
  if ('elements' in result) return serveElements(result, { value: give, realm, end })
  end()
  const settled = (): unknown => {
    if ('error' in result) throw buildFailure(result.error, realm)
    return 'value' in result ? give(result.value) : undefined
  }
  if (result.sync) return settled()
  // What `decode` throws rejects, as the live value would.
  return new realm.Promise((resolve) => resolve(settled()))
}

function isPromise(value: unknown): value is Promise<unknown> {
  return typeof value === 'object' && value !== null && typeof Reflect.get(value, 'then') === 'function'
}

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value
}
