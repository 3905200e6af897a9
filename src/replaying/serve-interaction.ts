/**
 * Makes what a road serves out of a recorded interaction. It decodes when the first chunk is asked for, and knows neither
 * which interaction is due nor what a test is; cadence and stepping go round what it gives.
 */
import type { Road } from '../core/capture/captured-request.ts'
import { hasTerminalEvent } from '../core/capture/terminal-event.ts'
import { type ChunkMaker, chunkMaker, decodeBody, wholeChunk } from '../core/cassette/decode-body.ts'
import type { Failure, HttpInteraction, ResponseBody, SideFiles } from '../core/cassette/document.ts'
import { outerGlobal } from '../interception/realm.ts'
import type { ServedBody, ServedResponse } from '../interception/router.ts'
import { buildFailure } from './build-failure.ts'
import { failureOnRoad } from './failure-on-road.ts'
import type { Pace } from './pace.ts'

export interface Serving {
  readonly interaction: HttpInteraction
  readonly sideFiles: SideFiles
  /** The road of the call that is served now. */
  readonly road: Road
  /** `fast`: a status of 400 or more says to come back in 1 ms, so that an SDK's retry costs no wait. */
  readonly retryAfter: 'fast' | 'recorded'
  /** The clock of its chunks. Absent: each is there as soon as it is asked for. */
  readonly pace?: Pace | undefined
  /** Asked when the body is first read: true gives all of it at once. Never with a pace, whose gaps lie between chunks. */
  readonly isJoined?: () => boolean
  /** Its last chunk has been taken. */
  readonly onEnd?: (end: ServedBody['end']) => void
  /** The caller reads on where the recorded one stopped. Once, and on no road whose client reads ahead of its caller. */
  readonly onPastEnd?: () => void
  /** The caller cancelled or aborted, at any point. */
  readonly onCancelled?: () => void
}

export type Served =
  | { readonly kind: 'respond'; readonly response: ServedResponse }
  /** The call was never answered: it rejects with the rebuilt error. */
  | { readonly kind: 'reject'; readonly error: unknown }
  /** The recording caller gave up before the head: the call stays unanswered until this caller does, too. */
  | { readonly kind: 'silent' }

/** @throws TURNTAPE_CASSETTE_INVALID later, out of the body's `next`, where a side file is missing. */
export function serveInteraction(serving: Serving): Served {
  const { interaction, road } = serving
  const { response, failure } = interaction
  if (response === undefined) {
    if (failure === undefined || failure.details?.abortedBy === 'caller') return { kind: 'silent' }
    return { kind: 'reject', error: errorOnRoad(failure, road) }
  }
  return {
    kind: 'respond',
    response: {
      status: response.status,
      statusText: response.statusText ?? '',
      headers:
        serving.retryAfter === 'fast' && response.status >= 400 ? withFastRetry(response.headers) : response.headers,
      url: response.url ?? interaction.request.url,
      redirected: response.redirected ?? false,
      body: response.body === undefined ? undefined : new RecordedStream(response.body, serving),
    },
  }
}

class RecordedStream implements ServedBody {
  readonly #stored: ResponseBody
  readonly #serving: Serving
  #chunkAt: ChunkMaker | undefined
  #position = 0
  #end: ServedBody['end'] | undefined

  constructor(stored: ResponseBody, serving: Serving) {
    this.#stored = stored
    this.#serving = serving
  }

  next(): Uint8Array | undefined | Promise<Uint8Array | undefined> {
    this.#chunkAt ??= this.#makeChunks()
    const index = this.#position++
    const bytes = this.#chunkAt(index)
    if (bytes === undefined) {
      this.#serving.onEnd?.(this.end)
      return undefined
    }
    const due = this.#serving.pace?.wait(this.#stored.gapsMs?.[index])
    return due === undefined ? bytes : due.then(() => bytes)
  }

  #makeChunks(): ChunkMaker {
    const { sideFiles, isJoined } = this.#serving
    return (isJoined?.() === true ? wholeChunk : chunkMaker)(this.#stored, sideFiles)
  }

  get end(): ServedBody['end'] {
    this.#end ??= endOf(this.#stored, this.#serving)
    return this.#end
  }

  cancelled(): void {
    this.#serving.pace?.stop()
    this.#serving.onCancelled?.()
  }

  readPast(): void {
    this.#serving.onPastEnd?.()
  }
}

/** A body left early hangs, unless its terminal event had come: then a client that reads on finds a clean end. */
function endOf(stored: ResponseBody, { sideFiles, road }: Serving): ServedBody['end'] {
  const { end } = stored
  switch (end?.kind) {
    case undefined:
    case 'complete':
      return { kind: 'close' }
    case 'failed':
      return { kind: 'error', error: errorOnRoad(end.failure, road) }
    case 'aborted':
    case 'partial':
      return hasTerminalEvent(decodeBody(stored, sideFiles).chunks) ? { kind: 'close' } : { kind: 'hang' }
  }
}

/** Of the classes of Node's own realm, whose undici throws the live ones: in a vm context they are not the test's. */
function errorOnRoad(failure: Failure, road: Road): unknown {
  return buildFailure(failureOnRoad(failure, road), outerGlobal())
}

/** Both headers: `retry-after-ms` for the SDKs that know it, seconds for all others; fractions are read as numbers. */
function withFastRetry(headers: ServedResponse['headers']): ServedResponse['headers'] {
  const kept = headers.filter(([name]) => name !== 'retry-after' && name !== 'retry-after-ms')
  return [...kept, ['retry-after', '0.001'], ['retry-after-ms', '1']]
}
