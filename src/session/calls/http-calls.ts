/**
 * The HTTP calls of one session: serve from the recording, go live and record, or refuse, as the mode table says.
 * Knows nothing of roads and runners; verdicts go back through the interception port.
 */
import { type HttpInteraction, isHttpInteraction } from '../../core/cassette/document.ts'
import type { TakeResult } from '../../core/matching/replay-queue.ts'
import type { PresentCall } from '../../divergence/present-call.ts'
import { isReplayError, type ReplayError } from '../../errors/replay-error.ts'
import type { ServedBody, Verdict } from '../../interception/router.ts'
import { missResponse } from '../../replaying/miss-response.ts'
import { serveInteraction } from '../../replaying/serve-interaction.ts'
import type { Unplaced } from '../run-log.ts'
import type { SessionContext } from '../session-context.ts'
import { checkBlocks } from '../source/check-blocks.ts'
import { refuseWithoutCassette } from '../source/missing-cassette.ts'
import type { InPlace, RecordingSource } from '../source/recording-source.ts'
import { redactAgain } from '../source/redact-again.ts'
import { verifyHash } from '../source/verify-hash.ts'
import { gatedBody, gatedObserver } from '../stepping/gated-stream.ts'
import { divergence } from './diverge.ts'
import { expectRetry, retryOver } from './fast-retry.ts'
import { isFolding } from './fold.ts'
import type { HttpCall } from './http-call.ts'
import { refuseLive } from './live-checks.ts'
import { recordExchange } from './live-exchange.ts'
import { sdkVersions } from './sdk-versions.ts'
import type { Served } from './served-calls.ts'
import { notAborted, readPast } from './still-waiting.ts'
import { type StoredRequest, storeRequest } from './stored-request.ts'
import { tellRefused, tellServed } from './tell-served.ts'

/** Decides one call. Never throws: whatever goes wrong becomes the session's failure and the call's answer. */
export async function routeHttpCall(context: SessionContext, init: Omit<HttpCall, 'entry'>): Promise<Verdict> {
  const call: HttpCall = { ...init, entry: context.log.start(init.lane) }
  retryOver(context, call.lane)
  const sticky = context.failures.ofLane(call.lane)
  if (sticky !== undefined) return refuse(context, call, sticky)
  Object.assign(context.sdkVersions, sdkVersions(call.captured, context.host.versionOf))
  try {
    const stored = await storeRequest(call.captured, context.redactor)
    return decide(context, call, stored)
  } catch (error) {
    if (!isReplayError(error)) throw error
    return refuse(context, call, error)
  }
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
  if (taken.kind === 'served') return serve(context, call, { source, stored, ...taken })
  const repeated = source.repeatedGet(wanted)
  if (repeated !== undefined) return serve(context, call, { source, stored, number: repeated, by: 'again' })
  const mismatch = source.from === 'pending' ? 'goes live' : rules.mismatch
  if (mismatch === 'goes live') {
    liveLanes.add(call.lane)
    source.queue.abandonLane(call.lane)
    return goLive(context, call, stored)
  }
  const position = mismatch === 'rewrites' ? source.queue.positional(call.lane) : undefined
  if (position !== undefined && isHttpInteraction(source.interaction(position))) {
    source.queue.serve(position)
    return serve(context, call, { source, stored, number: position, by: 'position', isRewritten: true })
  }
  const inPlace = mismatch === 'fails' && !context.options.strict ? source.httpInPlace(wanted) : undefined
  if (inPlace !== undefined && isSameStep(source, inPlace.number, wanted)) {
    source.queue.serve(inPlace.number)
    return serve(context, call, { source, stored, ...inPlace })
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

// With `strict: false` a model call that finds none left is one too many, whatever else of its lane nobody asked for.
function missedInPlace({ options }: SessionContext, { taken, inPlace, call }: Missed): Missed['taken'] {
  if (options.strict || call.kind !== 'model' || taken.kind !== 'changed') return taken
  if (inPlace !== undefined) return { ...taken, expected: inPlace.number }
  return { kind: 'exhausted', played: taken.played, lane: call.lane }
}

interface Serving {
  readonly source: RecordingSource
  readonly number: number
  readonly by: Served['by']
  /** The request as it was made. */
  readonly stored: StoredRequest
  /** The request that was made takes the place of the recorded one in the file. */
  readonly isRewritten?: boolean
}

function serve(context: SessionContext, call: HttpCall, serving: Serving): Verdict | Promise<Verdict> {
  const { entry } = call
  const pace = context.paces.start()
  const stored = serving.source.interaction(serving.number) as HttpInteraction
  if (serving.source.redacted) context.redactor.reserve(JSON.stringify(stored.response ?? stored.failure))
  const interaction = redactAgain(context, serving.source, stored)
  verifyHash(context, interaction)
  checkBlocks(context, interaction)
  entry.origin = serving.isRewritten === true ? 'rewritten' : 'served'
  entry.recorded = interaction
  // A GET that is served again is in the cassette already.
  const logged = serving.by === 'again' ? undefined : loggedAs(interaction, serving)
  entry.interaction = () => logged
  tellServed(context, { ...serving, got: serving.stored.hash })
  const end = (): void => context.log.end(entry)
  const onCancelled = (): void => {
    context.waiting.delete(entry)
    end()
  }
  const served = serveInteraction({
    interaction,
    sideFiles: serving.source.sideFiles,
    road: call.captured.road,
    retryAfter: context.options.fastRetryAfter ? 'fast' : 'recorded',
    pace,
    // A caller that waits and then gives up, as the recorded one did, is right; one that still waits at the end is not.
    onPastEnd: () => context.waiting.set(entry, readPast(context, interaction)),
    onCancelled,
  })
  switch (served.kind) {
    case 'reject':
      end()
      expectRetry(context, call.lane)
      return served
    case 'silent':
      // It ends when this caller gives up, as the recorded one did.
      context.waiting.set(entry, notAborted(context, interaction))
      return {
        kind: 'hang',
        cancelled: () => {
          onCancelled()
          if (wasRetried(serving.source, interaction)) expectRetry(context, call.lane)
        },
      }
    case 'respond': {
      const { response } = served
      if (response.body === undefined) end()
      // Stored URLs are redacted and name no loopback port; without a redirect the final URL is this very request's.
      const url = response.redirected ? response.url : call.captured.url
      const onEnd = (how: ServedBody['end']): void => {
        end()
        if (how.kind === 'error') expectRetry(context, call.lane)
      }
      const watched = response.body === undefined ? undefined : watchEnd(response.body, onEnd)
      const gating = { holds: context.holds, lane: call.lane, pace }
      const body = call.kind === 'model' ? gatedBody({ ...response, url, body: watched }, gating) : watched
      const verdict: Verdict = { kind: 'respond', response: { ...response, url, body } }
      const head = pace?.wait(interaction.timing.headMs)
      return head === undefined ? verdict : head.then(() => verdict)
    }
  }
}

/** As the run has it: with the request that was made, where it is not the recorded one. */
function loggedAs(interaction: HttpInteraction, { by, isRewritten, stored }: Serving): Unplaced {
  const { number: _number, overlaps: _overlaps, unverifiable, ...unplaced } = interaction
  if (isRewritten === true || (by === 'position' && unverifiable === undefined)) return { ...unplaced, ...stored }
  return { ...unplaced, ...(unverifiable === undefined ? {} : { unverifiable }) }
}

/** A client that gives up by a timeout of its own waits before the next try; one whose user aborts does not try again. */
function wasRetried({ interactions }: RecordingSource, { number, lane, hash }: HttpInteraction): boolean {
  return interactions.some((later) => later.number > number && later.lane === lane && later.hash === hash)
}

/** The same body; `onEnd` is called when its last chunk has been taken. */
function watchEnd(body: ServedBody, onEnd: (end: ServedBody['end']) => void): ServedBody {
  return {
    next() {
      const chunk = body.next()
      if (chunk === undefined) onEnd(body.end)
      return chunk
    },
    get end() {
      return body.end
    },
    cancelled: () => body.cancelled?.(),
    readPast: () => body.readPast?.(),
  }
}

function goLive(context: SessionContext, call: HttpCall, stored: StoredRequest): Verdict {
  const refusal = refuseLive(context, call.captured)
  if (refusal !== undefined) return refuse(context, call, refusal)
  context.around()
  call.entry.origin = 'live'
  context.expectedToken() // what the file is now, before anything is paid for
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
