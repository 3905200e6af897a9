/**
 * The router of a worker: which test a call belongs to, and what becomes of a call that belongs to none. Decisions by
 * async context; a call is never served from another test's cassette.
 */

import { matchesUrl } from '../../core/capture/capture-rules.ts'
import type { CapturedRequest } from '../../core/capture/captured-request.ts'
import { classifyHead, classifyRequest } from '../../core/capture/classify.ts'
import { describeCall } from '../../core/capture/describe-call.ts'
import { looksLikeModelPath } from '../../core/capture/model-call.ts'
import { ReplayError } from '../../errors/replay-error.ts'
import type { BodyKind, GuardedConnection, Route, Router, Verdict } from '../../interception/router.ts'
import { missResponse, noContent } from '../../replaying/miss-response.ts'
import type { SessionHost } from '../session-host.ts'
import type { Slot } from '../slot.ts'
import { resolveOptions } from '../tape-options.ts'
import type { TapeSession } from '../tape-session.ts'
import { workerState } from '../worker-state.ts'
import { placeholderCredential } from './credentials.ts'
import { keepStrayCall } from './keep-stray-call.ts'
import { isNested } from './nested.ts'

/** Whose call it is. */
export type Attribution =
  | { readonly kind: 'test'; readonly session: TapeSession }
  /** Its test has ended. */
  | { readonly kind: 'late'; readonly session: TapeSession }
  /** No async context, and several tests are open. */
  | { readonly kind: 'ambiguous'; readonly sessions: readonly TapeSession[]; readonly running: readonly string[] }
  /** Module scope or a hook around all tests, in a file with covered tests. */
  | { readonly kind: 'outside'; readonly file: string }
  /** Its test has options or a mode that cannot be. */
  | { readonly kind: 'broken'; readonly error: Error }
  | { readonly kind: 'none' }

/** Attributes the call that is being made now. */
export function attribute(): Attribution {
  try {
    return attributeNow()
  } catch (error) {
    return { kind: 'broken', error: error as Error }
  }
}

function attributeNow(): Attribution {
  const state = workerState()
  if (isNested()) return { kind: 'none' }
  const slot = state.slots.getStore()
  if (slot !== undefined) return ofSlot(slot)
  const [only] = state.open
  if (only === undefined) {
    if (state.running.size > 0 || state.file?.covered !== true) return { kind: 'none' }
    return { kind: 'outside', file: state.file.name }
  }
  if (state.running.size <= 1) return ofSlot(only)
  // A test beside it may be the caller, even one that is not covered.
  const running = [...state.running].map(({ name }) => name)
  return { kind: 'ambiguous', sessions: [...state.open].flatMap(sessionOf), running }
}

function sessionOf(slot: Slot): readonly TapeSession[] {
  return slot.session === undefined ? [] : [slot.session]
}

function ofSlot(slot: Slot): Attribution {
  const { session } = slot
  if (session === undefined) return { kind: 'none' }
  return slot.live && !session.closed ? { kind: 'test', session } : { kind: 'late', session }
}

function laneNow(): string | undefined {
  return workerState().lanes.getStore()
}

export class CallRouter implements Router {
  readonly #host: Pick<SessionHost, 'isOwnPort'>

  constructor(host: Pick<SessionHost, 'isOwnPort'>) {
    this.#host = host
  }

  peek(head: { readonly method: string; readonly url: string; readonly bodyKind: BodyKind }): 'pass' | 'read' | Route {
    const owner = attribute()
    if (owner.kind === 'none') return mayCarryPlaceholder(head) ? 'read' : 'pass'
    if (owner.kind === 'broken') return 'read'
    const kind =
      owner.kind === 'test' || owner.kind === 'late'
        ? owner.session.classifyHead(head.method, head.url)
        : classifyHead(head.method, head.url, this.#defaults())
    if (kind === 'pass') return 'pass'
    // The body of a loopback upload is not read only to look whether it is a model call.
    if (kind === 'model or pass' && head.bodyKind === 'stream') return 'pass'
    if (owner.kind !== 'test') return 'read'
    return (request) => owner.session.route(request, { lane: laneNow(), head: kind })
  }

  route(request: CapturedRequest): Verdict | Promise<Verdict> {
    const owner = attribute()
    switch (owner.kind) {
      case 'none':
        return passUnlessPlaceholder(request)
      case 'broken':
        return { kind: 'reject', error: owner.error }
      case 'test':
        return owner.session.route(request, { lane: laneNow() })
      case 'late':
        return lateCall(owner.session, request)
      case 'ambiguous':
        return this.#unattributed(owner, request)
      case 'outside':
        return this.#outside(owner.file, request)
    }
  }

  connect(target: GuardedConnection): Error | undefined {
    const owner = attribute()
    if (owner.kind === 'none' || owner.kind === 'outside' || owner.kind === 'broken') return undefined
    const [session] = owner.kind === 'ambiguous' ? owner.sessions : [owner.session]
    if (session === undefined || session.context.mode.mode === 'live') return undefined
    if (owner.kind === 'late' && session.context.rules.writes !== 'never') return undefined
    const { passthrough } = session.context.options.rules
    if (['http', 'https'].some((scheme) => matchesUrl(passthrough, asUrl(scheme, target)))) return undefined
    return session.refuseConnection(target)
  }

  #unattributed({ sessions, running }: Extract<Attribution, { kind: 'ambiguous' }>, request: CapturedRequest): Verdict {
    const kind = classifyRequest(request, this.#defaults())
    if (kind === 'pass' || kind === 'ignored') return { kind: 'pass' }
    const error = new ReplayError('TURNTAPE_UNATTRIBUTED', {
      request: describeCall(request.method, request.url),
      running,
    })
    // Nobody can say whose call it is, so that each of them would be judged on what it may have missed.
    for (const session of sessions) session.fail(error)
    return refusal(kind, { error, request })
  }

  #outside(file: string, request: CapturedRequest): Verdict {
    if (workerState().file?.mode === 'live') return { kind: 'pass' }
    const kind = classifyRequest(request, this.#defaults())
    if (kind === 'pass' || kind === 'ignored') return { kind: 'pass' }
    const call = describeCall(request.method, request.url)
    const error = new ReplayError('TURNTAPE_OUTSIDE_TEST', { request: call, file })
    keepStrayCall({ kind: 'outside', call, refused: true })
    return refusal(kind, { error, request })
  }

  #defaults(): Parameters<typeof classifyRequest>[1] {
    return { rules: resolveOptions([workerState().file?.options ?? {}]).rules, isOwnPort: this.#host.isOwnPort }
  }
}

/** A call that started after its test had ended: refused in replay; passed, not stored and named while recording. */
function lateCall(session: TapeSession, request: CapturedRequest): Verdict {
  const { context } = session
  const kind = classifyRequest(request, { rules: context.options.rules, isOwnPort: context.host.isOwnPort })
  if (kind === 'pass' || context.mode.mode === 'live') return { kind: 'pass' }
  const recorded = session.report !== undefined && session.report.live > 0
  if (kind === 'ignored') return recorded ? { kind: 'pass' } : { kind: 'respond', response: noContent(request.url) }
  const call = describeCall(request.method, context.redactor.text(request.url))
  const error = new ReplayError('TURNTAPE_LATE_CALL', {
    request: call,
    test: context.test.fullName,
    mode: context.mode.mode,
    refused: !recorded,
  })
  keepStrayCall({ kind: 'late', call, test: context.test.fullName, refused: !recorded })
  return recorded ? { kind: 'pass' } : refusal(kind, { error, request })
}

/** A model call of a test that is not ours: looked at only where its client may have been built on our placeholder. */
function mayCarryPlaceholder(head: {
  readonly method: string
  readonly url: string
  readonly bodyKind: BodyKind
}): boolean {
  return head.bodyKind !== 'stream' && URL.canParse(head.url) && looksLikeModelPath(head.method, new URL(head.url))
}

function passUnlessPlaceholder(request: CapturedRequest): Verdict {
  const variable = placeholderCredential(request)
  if (variable === undefined) return { kind: 'pass' }
  const call = describeCall(request.method, request.url)
  return refusal('model', { error: new ReplayError('TURNTAPE_MISSING_KEY', { variable, request: call }), request })
}

function refusal(
  kind: 'model' | 'http',
  { error, request }: { readonly error: ReplayError; readonly request: CapturedRequest },
): Verdict {
  if (kind === 'http') return { kind: 'reject', error }
  return { kind: 'respond', response: missResponse(error.message, request.url) }
}

function asUrl(scheme: string, { host, port }: { readonly host: string; readonly port: number | undefined }): URL {
  const name = host.includes(':') ? `[${host}]` : host
  return new URL(`${scheme}://${name}${port === undefined ? '' : `:${port}`}/`)
}
