/**
 * Tool calls and `call`s of one session: values instead of HTTP, the same decisions. All of it is synchronous up to
 * the live function, so that a synchronous tool stays one.
 */
import type { Failure, Json, ValueInteraction, ValueResult } from '../../core/cassette/document.ts'
import { hashValueRequest } from '../../core/hashing/request-hash.ts'
import { findNotJson } from '../../core/matching/find-not-json.ts'
import type { TakeResult } from '../../core/matching/replay-queue.ts'
import { isReplayError, ReplayError } from '../../errors/replay-error.ts'
import { captureFailure } from '../../recording/capture-failure.ts'
import { buildFailure } from '../../replaying/build-failure.ts'
import type { Pace } from '../../replaying/pace.ts'
import type { RunEntry } from '../run-log.ts'
import type { SessionContext } from '../session-context.ts'
import { refuseWithoutCassette } from '../source/missing-cassette.ts'
import type { RecordingSource } from '../source/recording-source.ts'
import { redactAgain } from '../source/redact-again.ts'
import { verifyHash } from '../source/verify-hash.ts'
import type { StreamGate } from '../stepping/stream-gate.ts'
import { divergence } from './diverge.ts'
import { runNested } from './nested.ts'
import type { Served } from './served-calls.ts'
import { readPastElements } from './still-waiting.ts'
import { tellRefused, tellServed } from './tell-served.ts'
import { runUnrecorded } from './unrecorded.ts'
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
      const refusal = refuseWithoutCassette(context, { lane: call.lane, hash })
      if (refusal === undefined) return live()
      throw refusal
    }
    const mismatch = source.from === 'pending' ? 'goes live' : rules.mismatch
    const { kind, lane, callId } = call
    const wanted = { lane, hash, kind, callId, request }
    const taken = source.takeValue({ ...wanted, inputMustAgree: mismatch !== 'fails' })
    const value = { call, entry, request, hash }
    if (taken.kind === 'served') return serve(context, value, { source, ...taken })
    if (mismatch === 'goes live') {
      liveLanes.add(call.lane)
      source.queue.abandonLane(call.lane)
      return live()
    }
    const number = mismatch === 'rewrites' ? source.rebaseValue(wanted) : undefined
    if (number !== undefined) return serve(context, value, { source, number, by: 'position', isRewritten: true })
    if (!context.options.strict && mismatch === 'fails') {
      const inPlace = source.valueInPlace({ ...wanted, inputMustAgree: false })
      if (inPlace !== undefined) {
        source.queue.serve(inPlace.number)
        return serve(context, value, { source, ...inPlace })
      }
      if (call.kind === 'tool' && !isRecordedAsCall(source, taken, call)) return runForReal(context, value)
    }
    tellRefused(context, { source, missed: taken, got: hash })
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
  readonly by: Served['by']
  /** The request that was made takes the place of the recorded one in the file. */
  readonly isRewritten?: boolean
}

function serve(context: SessionContext, { call, entry, request, hash }: LiveValue, serving: Serving): unknown {
  const { source, number, by, isRewritten } = serving
  const stored = source.interaction(number) as ValueInteraction
  if (source.redacted) context.redactor.reserve(JSON.stringify(stored.result))
  const recorded = redactAgain(context, source, stored)
  verifyHash(context, recorded)
  entry.origin = isRewritten === true ? 'rewritten' : 'served'
  const { number: _number, overlaps: _overlaps, unverifiable, ...kept } = recorded
  // As the run has it: with the request that was made, where it is not the recorded one.
  const isOther = isRewritten === true || (by === 'position' && unverifiable === undefined)
  const logged = { ...kept, ...(isOther ? { request, hash } : unverifiable === undefined ? {} : { unverifiable }) }
  entry.recorded = recorded
  entry.interaction = () => logged
  tellServed(context, { source, number, by, got: hash })
  return serveValue(recorded, {
    codec: call.codec,
    realm: context.realm,
    end: () => context.log.end(entry),
    readPast: () => refuseToReadOn(context, { entry, lane: call.lane, recorded }),
    ...streaming(context, call, context.paces.start()),
  })
}

interface ReadOn {
  readonly entry: RunEntry
  readonly lane: string | undefined
  readonly recorded: ValueInteraction
}

// Where it is allowed, it is the end, and the report says so. A body of HTTP stays open instead: its caller may abort.
function refuseToReadOn(context: SessionContext, { entry, lane, recorded }: ReadOn): void {
  const error = readPastElements(context, recorded)
  if (!context.options.allow.incomplete) {
    context.failures.addForLane(error, lane)
    throw error
  }
  context.waiting.set(entry, error)
}

/** A test steps through the iterables of `call`, not through those of tools. */
function streaming(
  { holds }: SessionContext,
  { kind, lane }: ValueCall,
  pace?: Pace,
): { readonly pace: Pace | undefined; readonly gate: () => StreamGate | undefined } {
  return { pace, gate: () => (kind === 'call' ? holds.gate(lane, pace) : undefined) }
}

// AR-22: another kind of step by the same name.
function isRecordedAsCall(source: RecordingSource, taken: TakeResult, { name }: ValueCall): boolean {
  const expected = taken.kind === 'changed' ? source.interaction(taken.expected) : undefined
  return expected?.kind === 'call' && expected.request.name === name
}

// AR-26: with `strict: false` a tool whose call fits no recorded result runs. It is no part of what this run recorded.
function runForReal(context: SessionContext, { call, entry }: LiveValue): unknown {
  context.servedCalls.ranForReal(call.name)
  context.log.end(entry)
  return runUnrecorded(call.name, call.live)
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
    const gate = streaming(context, call).gate()
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
  readonly readPast: () => void
  /** The clock of what is given. Absent: all at once. */
  readonly pace: Pace | undefined
  /** Made for an iterable alone. */
  readonly gate: () => StreamGate | undefined
}

function serveValue({ result, timing }: Pick<ValueInteraction, 'result' | 'timing'>, giving: Giving): unknown {
  const { codec, realm, end, pace, readPast } = giving
  const give = (stored: Json): unknown => {
    const own: unknown = realm.JSON.parse(JSON.stringify(stored))
    return codec?.decode === undefined ? own : codec.decode(own as never)
  }
  if ('elements' in result)
    return serveElements(result, { value: give, realm, end, pace, readPast, gate: giving.gate() })
  const settled = (): unknown => {
    end()
    if ('error' in result) throw buildFailure(result.error, realm)
    return 'value' in result ? give(result.value) : undefined
  }
  if (result.sync) return settled()
  const due = pace?.wait(timing.headMs)
  // What `decode` throws rejects, as the live value would.
  if (due === undefined) return new realm.Promise((resolve) => resolve(settled()))
  return new realm.Promise((resolve, reject) => {
    due.then(settled).then(resolve, reject)
  })
}

function isPromise(value: unknown): value is Promise<unknown> {
  return typeof value === 'object' && value !== null && typeof Reflect.get(value, 'then') === 'function'
}

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value
}
