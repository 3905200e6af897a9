/**
 * The HTTP calls of one session: serve from the recording, go live and record, or refuse, as the mode table says.
 * Knows nothing of roads and runners; verdicts go back through the interception port.
 */
import { chunkCount } from '../core/cassette/decode-body.ts'
import { type HttpInteraction, isHttpInteraction } from '../core/cassette/document.ts'
import { hashRequest } from '../core/hashing/request-hash.ts'
import { recordCommand } from '../errors/commands.ts'
import { isReplayError, ReplayError } from '../errors/replay-error.ts'
import type { ServedBody, Verdict } from '../interception/router.ts'
import { missResponse } from '../replaying/miss-response.ts'
import { serveInteraction } from '../replaying/serve-interaction.ts'
import { divergence } from './diverge.ts'
import type { HttpCall } from './http-call.ts'
import { refuseLive } from './live-checks.ts'
import { recordExchange } from './live-exchange.ts'
import { missingCassette } from './missing-cassette.ts'
import type { RecordingSource } from './recording-source.ts'
import { sdkVersions } from './sdk-versions.ts'
import type { SessionContext } from './session-context.ts'
import { type StoredRequest, storeRequest } from './stored-request.ts'

/** Decides one call. Never throws: whatever goes wrong becomes the session's failure and the call's answer. */
export async function routeHttpCall(context: SessionContext, init: Omit<HttpCall, 'entry'>): Promise<Verdict> {
  const call: HttpCall = { ...init, entry: context.log.start(init.lane) }
  const sticky = context.failures.ofLane(call.lane)
  if (sticky !== undefined) return refuse(context, call, sticky)
  Object.assign(context.sdkVersions, sdkVersions(call.captured))
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
    if (rules.noCassette === 'records') return goLive(context, call, stored)
    return refuse(context, call, missingCassette(context, call.kind === 'model' ? stored.request : undefined))
  }
  if (liveLanes.has(call.lane)) return goLive(context, call, stored)
  const taken = source.takeHttp({ lane: call.lane, ...stored })
  if (taken.kind === 'served') return serve(context, call, { source, number: taken.number })
  const mismatch = source.from === 'pending' ? 'goes live' : rules.mismatch
  if (mismatch === 'goes live') {
    liveLanes.add(call.lane)
    source.queue.abandonLane(call.lane)
    return goLive(context, call, stored)
  }
  const position = mismatch === 'rewrites' ? source.queue.positional(call.lane) : undefined
  if (position !== undefined && isHttpInteraction(source.interaction(position))) {
    source.queue.serve(position)
    return serve(context, call, { source, number: position, rewritten: stored })
  }
  return refuse(
    context,
    call,
    divergence(context, {
      source,
      taken,
      lane: call.lane,
      present: { kind: call.kind, request: stored.request },
      hash: stored.hash,
    }),
  )
}

interface Serving {
  readonly source: RecordingSource
  readonly number: number
  readonly rewritten?: StoredRequest
}

function serve(context: SessionContext, call: HttpCall, serving: Serving): Verdict | Promise<Verdict> {
  const { entry } = call
  const interaction = serving.source.interaction(serving.number) as HttpInteraction
  verifyHash(context, interaction)
  const { number: _number, overlaps: _overlaps, ...unplaced } = interaction
  entry.origin = serving.rewritten === undefined ? 'served' : 'rewritten'
  entry.interaction = () => ({ ...unplaced, ...serving.rewritten })
  const end = (): void => context.log.end(entry)
  if (serving.source.redacted) context.redactor.reserve(JSON.stringify(interaction.response ?? interaction.failure))
  const served = serveInteraction({
    interaction,
    sideFiles: serving.source.sideFiles,
    road: call.captured.road,
    retryAfter: context.options.fastRetryAfter ? 'fast' : 'recorded',
    // A caller that waits and then gives up, as the recorded one did, is right; one that still waits at the end is not.
    onPastEnd: () => context.waiting.set(entry, readPast(context, interaction)),
    onCancelled: () => {
      context.waiting.delete(entry)
      end()
    },
  })
  switch (served.kind) {
    case 'reject':
      end()
      return served
    case 'silent':
      end()
      return new Promise(() => {}) // it ends when this caller gives up, as the recorded one did
    case 'respond': {
      const { response } = served
      if (response.body === undefined) end()
      // Stored URLs are redacted and name no loopback port; without a redirect the final URL is this very request's.
      const url = response.redirected ? response.url : call.captured.url
      const body = response.body === undefined ? undefined : watchEnd(response.body, end)
      return { kind: 'respond', response: { ...response, url, body } }
    }
  }
}

/** F13: the hash is verified when the request is first compared. */
function verifyHash(context: SessionContext, interaction: HttpInteraction): void {
  const found = hashRequest(interaction.request)
  if (found === interaction.hash) return
  const { cassette } = context.test
  throw new ReplayError('TURNTAPE_CASSETTE_EDITED', {
    cassette,
    interaction: interaction.number,
    expected: interaction.hash,
    found,
  })
}

function readPast(context: SessionContext, interaction: HttpInteraction): ReplayError {
  const { test } = context
  const body = interaction.response?.body
  return new ReplayError('TURNTAPE_READ_PAST_RECORDING', {
    test: test.fullName,
    cassette: test.cassette,
    interaction: interaction.number,
    chunks: body === undefined ? 0 : chunkCount(body),
    end: body?.end?.kind === 'aborted' ? 'aborted' : 'partial',
    recordCommand: recordCommand(test),
  })
}

/** The same body; `end` is called when its last chunk has been taken. */
function watchEnd(body: ServedBody, end: () => void): ServedBody {
  return {
    next() {
      const chunk = body.next()
      if (chunk === undefined) end()
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
  call.entry.origin = 'live'
  context.expectedToken() // what the file is now, before anything is paid for
  return { kind: 'observe', observer: recordExchange(context, call, stored) }
}

/** A model call gets an answer that every SDK shows at once and none retries; any other call is rejected. */
function refuse(context: SessionContext, call: HttpCall, error: ReplayError): Verdict {
  context.failures.addForLane(error, call.lane)
  context.log.end(call.entry)
  return call.kind === 'model'
    ? { kind: 'respond', response: missResponse(error.message, call.captured.url) }
    : { kind: 'reject', error }
}
