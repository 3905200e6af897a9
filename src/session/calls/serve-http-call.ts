import type { HttpInteraction } from '../../core/cassette/document.ts'
import type { Verdict } from '../../interception/router.ts'
import { serveInteraction } from '../../replaying/serve-interaction.ts'
import type { SessionContext } from '../session-context.ts'
import type { RecordingSource } from '../source/recording-source.ts'
import { gatedBody } from '../stepping/gated-stream.ts'
import { expectRetry } from './fast-retry.ts'
import type { HttpCall } from './http-call.ts'
import { notAborted, readPast } from './still-waiting.ts'
import type { StoredRequest } from './stored-request.ts'
import { type Serving, takeRecorded } from './take-recorded.ts'

export interface HttpServing extends Serving {
  /** The request as it was made. */
  readonly stored: StoredRequest
}

/**
 * The recorded answer, as a verdict: told to listeners, kept in the run's log, paced, held and watched to its end.
 * Errors: TURNTAPE_CASSETTE_EDITED, TURNTAPE_CAP_EXCEEDED, thrown.
 */
export function serveHttpCall(
  context: SessionContext,
  call: HttpCall,
  serving: HttpServing,
): Verdict | Promise<Verdict> {
  const { entry } = call
  const pace = context.paces.start()
  const interaction = takeRecorded<HttpInteraction>(context, serving, { entry, made: serving.stored })
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
    isJoined: () => context.options.chunks === 'joined' && pace === undefined && !context.holds.isHeld(call.lane),
    onEnd: (how) => {
      end()
      if (how.kind === 'error') expectRetry(context, call.lane)
    },
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
      const gating = { holds: context.holds, lane: call.lane, pace }
      const body = call.kind === 'model' ? gatedBody({ ...response, url }, gating) : response.body
      const verdict: Verdict = { kind: 'respond', response: { ...response, url, body } }
      const head = pace?.wait(interaction.timing.headMs)
      return head === undefined ? verdict : head.then(() => verdict)
    }
  }
}

/** A client that gives up by a timeout of its own waits before the next try; one whose user aborts does not try again. */
function wasRetried({ interactions }: RecordingSource, { number, lane, hash }: HttpInteraction): boolean {
  return interactions.some((later) => later.number > number && later.lane === lane && later.hash === hash)
}
