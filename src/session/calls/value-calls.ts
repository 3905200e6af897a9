/**
 * Tool calls and `call`s of one session: values instead of HTTP, the same decisions. All of it is synchronous up to
 * the live function, so that a synchronous tool stays one.
 */
import { hashValueRequest } from '../../core/hashing/request-hash.ts'
import type { TakeResult } from '../../core/matching/replay-queue.ts'
import { isReplayError } from '../../errors/replay-error.ts'
import type { SessionContext } from '../session-context.ts'
import { refuseWithoutCassette } from '../source/missing-cassette.ts'
import type { RecordingSource } from '../source/recording-source.ts'
import { divergence } from './diverge.ts'
import { recordValue } from './record-value.ts'
import { serveValue } from './serve-value.ts'
import { storedJson } from './stored-value.ts'
import { tellRefused } from './tell-served.ts'
import { runUnrecorded } from './unrecorded.ts'
import type { PlacedValue, ValueCall } from './value-call.ts'

/** Serves, records or refuses one value call; gives what `live` gives, a promise for a promise. */
export function routeValueCall(context: SessionContext, call: ValueCall): unknown {
  const { rules, failures, log, liveLanes } = context
  const entry = log.start(call.lane)
  try {
    const sticky = failures.ofLane(call.lane)
    if (sticky !== undefined) throw sticky
    const request = { name: call.name, input: storedJson(context, call, 'input', call.input) }
    const hash = hashValueRequest({ kind: call.kind, ...request })
    const value = { call, entry, request, hash }
    const live = (): unknown => recordValue(context, value)
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
    if (taken.kind === 'served') return serveValue(context, value, { source, ...taken })
    if (mismatch === 'goes live') {
      liveLanes.add(call.lane)
      source.queue.abandonLane(call.lane)
      return live()
    }
    const number = mismatch === 'rewrites' ? source.rebaseValue(wanted) : undefined
    if (number !== undefined) return serveValue(context, value, { source, number, by: 'position', isRewritten: true })
    if (!context.options.strict && mismatch === 'fails') {
      const inPlace = source.valueInPlace({ ...wanted, inputMustAgree: false })
      if (inPlace !== undefined) {
        source.queue.serve(inPlace.number)
        return serveValue(context, value, { source, ...inPlace })
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

// AR-22: another kind of step by the same name.
function isRecordedAsCall(source: RecordingSource, taken: TakeResult, { name }: ValueCall): boolean {
  const expected = taken.kind === 'changed' ? source.interaction(taken.expected) : undefined
  return expected?.kind === 'call' && expected.request.name === name
}

// AR-26: with `strict: false` a tool whose call fits no recorded result runs. It is no part of what this run recorded.
function runForReal(context: SessionContext, { call, entry }: PlacedValue): unknown {
  context.servedCalls.ranForReal(call.name)
  context.log.end(entry)
  return runUnrecorded(call.name, call.live)
}
