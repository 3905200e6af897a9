import type { HttpInteraction } from '../../core/cassette/document.ts'
import { encodeBody } from '../../core/cassette/encode-body.ts'
import { countBlocks } from '../../core/turns/count-blocks.ts'
import type { CapName } from '../../errors/codes.ts'
import { ReplayError } from '../../errors/replay-error.ts'
import type { ExchangeObserver } from '../../interception/router.ts'
import { createExchangeRecorder, type ExchangeSnapshot } from '../../recording/exchange-recorder.ts'
import type { SessionContext } from '../session-context.ts'
import { isFolding } from './fold.ts'
import type { HttpCall } from './http-call.ts'
import type { StoredRequest } from './stored-request.ts'

/** Watches one live call and makes the interaction of it once it has settled. At a cap the call goes on, storing stops. */
export function recordExchange(context: SessionContext, call: HttpCall, stored: StoredRequest): ExchangeObserver {
  const { entry } = call
  const { caps } = context.options
  const startMs = Math.round(context.host.now() - context.startedAtMs)
  const isFold = call.kind === 'model' && isFolding()
  let refused = false
  const overCap = (cap: CapName, found: number, atLeast: boolean): void => {
    refused = true
    const { cassette } = context.test
    context.failures.add(
      new ReplayError('TURNTAPE_CAP_EXCEEDED', { cassette, cap, limit: caps[cap], found, atLeast, when: 'recording' }),
    )
  }
  const live = context.log.count('live')
  if (live > caps.maxInteractions) overCap('maxInteractions', live, true)
  else if (stored.bodyBytes > caps.maxBodyBytes) overCap('maxBodyBytes', stored.bodyBytes, false)
  const recorder = createExchangeRecorder({
    now: context.host.now,
    maxBodyBytes: caps.maxBodyBytes,
    maxChunks: caps.maxChunks,
    onCap: (cap, found) => overCap(cap, found, true),
    onSettled: () => {
      context.log.end(entry)
      context.settled()
    },
  })
  entry.interaction = () => {
    if (refused) return undefined // cut short by a cap: never stored, not even as pending
    const snapshot = recorder.snapshot()
    if (recorder.state() === 'open' && (snapshot.waiting || snapshot.head === undefined)) return undefined
    const interaction = toInteraction(context, { call, stored, snapshot, startMs, isFold })
    const blocks = countBlocks(interaction)
    if (blocks > caps.maxBlocks) {
      overCap('maxBlocks', blocks, false)
      return undefined
    }
    if (snapshot.final) entry.interaction = finished(interaction)
    return interaction
  }
  return recorder.observer
}

/** Lets the chunks go as they came: a closure made where the recorder is in scope would keep it. */
function finished<T>(interaction: T): () => T {
  return () => interaction
}

interface Exchange {
  readonly call: HttpCall
  readonly stored: StoredRequest
  readonly snapshot: ExchangeSnapshot
  readonly startMs: number
  readonly isFold: boolean
}

function toInteraction(context: SessionContext, exchange: Exchange): Omit<HttpInteraction, 'number' | 'overlaps'> {
  const { call, stored, snapshot, startMs, isFold } = exchange
  const { head, headMs, body, failure, read } = snapshot
  const { redactor } = context
  const base = {
    kind: call.kind,
    ...(call.lane === undefined ? {} : { lane: call.lane }),
    ...(head?.hasBody === true && read === 'none' ? { optional: true as const } : {}),
    ...(isFold ? { fold: true as const } : {}),
    hash: stored.hash,
    request: stored.request,
  }
  const timing = { startMs, ...(headMs === undefined ? {} : { headMs: Math.round(headMs) }) }
  if (head === undefined) {
    const reason = failure ?? { stage: 'headers' as const, name: 'Error', message: 'no response' }
    return { ...base, timing, failure: redactor.failure(reason) }
  }
  const contentType = head.headers.find(([name]) => name === 'content-type')?.[1]
  const redacted = redactor.responseHead(head)
  const encoded = body === undefined ? undefined : encodeBody(redactor.responseBody(body, contentType), { contentType })
  if (encoded?.sideFile !== undefined) context.sideFiles.set(encoded.sideFile.name, encoded.sideFile.bytes)
  const response = {
    status: redacted.status,
    ...(redacted.statusText ? { statusText: redacted.statusText } : {}),
    ...(head.redirected ? { url: redacted.url, redirected: true as const } : {}),
    headers: redacted.headers,
    ...(encoded?.stored === undefined ? {} : { body: encoded.stored }),
  }
  return { ...base, timing, response }
}
