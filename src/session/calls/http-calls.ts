/**
 * The HTTP calls of one session: serve from the recording, go live and record, or refuse, as the mode table says.
 * Knows nothing of roads and runners; verdicts go back through the interception port.
 */
import { takesTurn } from '../../core/capture/model-call.ts'
import { isHttpInteraction } from '../../core/cassette/document.ts'
import type { TakeResult } from '../../core/matching/replay-queue.ts'
import type { PresentCall } from '../../divergence/present-call.ts'
import { isReplayError, type ReplayError } from '../../errors/replay-error.ts'
import type { Verdict } from '../../interception/router.ts'
import { missResponse } from '../../replaying/miss-response.ts'
import type { SessionContext } from '../session-context.ts'
import { refuseWithoutCassette } from '../source/missing-cassette.ts'
import type { InPlace, RecordingSource } from '../source/recording-source.ts'
import { gatedObserver } from '../stepping/gated-stream.ts'
import { beginLive } from './begin-live.ts'
import { divergence } from './diverge.ts'
import { retryOver } from './fast-retry.ts'
import { isFolding } from './fold.ts'
import type { HttpCall } from './http-call.ts'
import { refuseLive } from './live-checks.ts'
import { recordExchange } from './live-exchange.ts'
import { repeatedRequest, respelledRequest } from './repeated-request.ts'
import { serveHttpCall } from './serve-http-call.ts'
import { type StoredRequest, storeRequest } from './stored-request.ts'
import { tellRefused } from './tell-served.ts'

/**
 * Decides one call, at once where it is sent as it was recorded. Whatever goes wrong becomes the session's failure and the call's
 * answer; what is thrown is a defect.
 */
export function routeHttpCall(context: SessionContext, call: HttpCall): Verdict | Promise<Verdict> {
  retryOver(context, call.lane)
  const sticky = context.failures.ofLane(call.lane)
  if (sticky !== undefined) return refuse(context, call, sticky)
  context.sdks.see(call.captured)
  try {
    const repeated = repeatedRequest(context, call) ?? respelledRequest(context, call)
    return repeated === undefined ? decideRead(context, call) : decide(context, call, repeated)
  } catch (error) {
    return refuseFor(context, call, error)
  }
}

async function decideRead(context: SessionContext, call: HttpCall): Promise<Verdict> {
  try {
    return decide(context, call, await storeRequest(context, call))
  } catch (error) {
    return refuseFor(context, call, error)
  }
}

function refuseFor(context: SessionContext, call: HttpCall, error: unknown): Verdict {
  if (isReplayError(error)) return refuse(context, call, error)
  throw error
}

function decide(context: SessionContext, call: HttpCall, stored: StoredRequest): Verdict | Promise<Verdict> {
  const { rules, liveLanes } = context
  if (rules.match === 'network' || rules.match === 'records anew') return goLive(context, call, stored)
  const source = context.source()
  if (source === undefined) {
    const refusal = refuseWithoutCassette(context, { lane: call.lane, ...stored })
    return refusal === undefined ? goLive(context, call, stored) : refuse(context, call, refusal)
  }
  if (liveLanes.has(call.lane)) return goLive(context, call, stored)
  const isFold = call.kind === 'model' && isFolding()
  const wanted = { lane: call.lane, ...stored, kind: call.kind, isFold }
  const taken = source.takeHttp(wanted)
  if (taken.kind === 'served') return serveHttpCall(context, call, { source, stored, ...taken })
  const repeated = source.repeatedGet(wanted)
  if (repeated !== undefined) return serveHttpCall(context, call, { source, stored, number: repeated, by: 'again' })
  const mismatch = source.from === 'pending' ? 'goes live' : rules.mismatch
  if (mismatch === 'goes live') {
    liveLanes.add(call.lane)
    source.queue.abandonLane(call.lane)
    return goLive(context, call, stored)
  }
  const position = mismatch === 'rewrites' ? source.queue.positional(call.lane) : undefined
  if (position !== undefined && isHttpInteraction(source.interaction(position))) {
    source.queue.serve(position)
    return serveHttpCall(context, call, { source, stored, number: position, by: 'position', isRewritten: true })
  }
  const inPlace = mismatch === 'fails' && !context.options.strict ? source.httpInPlace(wanted) : undefined
  if (inPlace !== undefined && isSameStep(source, inPlace.number, wanted)) {
    source.queue.serve(inPlace.number)
    return serveHttpCall(context, call, { source, stored, ...inPlace })
  }
  const present: PresentCall = { kind: call.kind, request: stored.request }
  const missed = missedInPlace(context, { taken, inPlace, call })
  tellRefused(context, { source, missed, got: stored.hash })
  return refuse(
    context,
    call,
    divergence(context, { source, taken: missed, lane: call.lane, present, hash: stored.hash, isFold }),
  )
}

// AR-22: whatever it asks, a turn is not answered by a fold, and no fold by a turn.
function isSameStep(source: RecordingSource, number: number, { isFold }: { readonly isFold: boolean }): boolean {
  const interaction = source.interaction(number)
  return interaction.kind !== 'model' || (interaction.fold === true) === isFold
}

interface Missed {
  readonly taken: Exclude<TakeResult, { kind: 'served' }>
  readonly inPlace: InPlace | undefined
  readonly call: HttpCall
}

// With `strict: false` a turn that finds none left is one too many, whatever else of its lane nobody asked for.
function missedInPlace({ options }: SessionContext, { taken, inPlace, call }: Missed): Missed['taken'] {
  if (options.strict || !takesTurn(call.kind, call.captured.url) || taken.kind !== 'changed') return taken
  if (inPlace !== undefined) return { ...taken, expected: inPlace.number }
  return { kind: 'exhausted', played: taken.played, lane: call.lane }
}

function goLive(context: SessionContext, call: HttpCall, stored: StoredRequest): Verdict {
  const refusal = refuseLive(context, call.captured)
  if (refusal !== undefined) return refuse(context, call, refusal)
  beginLive(context, call.entry)
  const observer = recordExchange(context, call, stored)
  return {
    kind: 'observe',
    observer: call.kind === 'model' ? gatedObserver(observer, { holds: context.holds, lane: call.lane }) : observer,
  }
}

/** A model call gets an answer that every SDK shows at once and none retries; any other call is rejected. */
function refuse(context: SessionContext, call: HttpCall, error: ReplayError): Verdict {
  context.failures.addForLane(error, call.lane)
  context.log.end(call.entry)
  return call.kind === 'model'
    ? { kind: 'respond', response: missResponse(error.message, call.captured.url) }
    : { kind: 'reject', error }
}
