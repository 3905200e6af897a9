/**
 * One attempt of one test: owns what was recorded and served in it, the first failure, and the end. Opens nothing and
 * reads no file before the first captured call. Runners make it, feed it calls, and raise its failure.
 */
import { clearTimeout, setTimeout } from 'node:timers'
import type { CapturedRequest } from '../core/capture/captured-request.ts'
import { classifyBody, classifyHead, type HeadClass } from '../core/capture/classify.ts'
import type { CapUsage } from '../core/cassette/caps.ts'
import { modeRules } from '../core/modes/record-mode.ts'
import type { ResolvedMode } from '../core/modes/resolve-mode.ts'
import { isReplayError, ReplayError } from '../errors/replay-error.ts'
import type { GuardedConnection, Verdict } from '../interception/router.ts'
import { createConcealer } from '../redaction/concealer.ts'
import { createRedactor } from '../redaction/redactor.ts'
import { noContent } from '../replaying/miss-response.ts'
import { concealError } from './calls/conceal-error.ts'
import { noMoreRetries } from './calls/fast-retry.ts'
import { routeHttpCall } from './calls/http-calls.ts'
import { SeenSdks } from './calls/seen-sdks.ts'
import { ServedCalls } from './calls/served-calls.ts'
import { refuseInTool, unrecordedTool } from './calls/unrecorded.ts'
import type { ValueCall } from './calls/value-call.ts'
import { routeValueCall } from './calls/value-calls.ts'
import { describeFailure } from './describe-failure.ts'
import { countServed } from './ending/count-served.ts'
import { type AttemptOutcome, endSession, keepPending, type SessionEnd } from './ending/end-session.ts'
import { measureCaps } from './ending/measure-caps.ts'
import { PendingSaver } from './ending/pending-saver.ts'
import { worthALook } from './ending/worth-a-look.ts'
import { FailureLedger } from './failure-ledger.ts'
import { once } from './once.ts'
import { type RunEntry, RunLog } from './run-log.ts'
import type { SessionContext } from './session-context.ts'
import type { SessionHost } from './session-host.ts'
import type { SessionReport } from './session-report.ts'
import { readAround } from './source/around-part.ts'
import { notChecked } from './source/not-checked.ts'
import { openSource } from './source/open-source.ts'
import type { RecordingSource } from './source/recording-source.ts'
import { HoldBoard } from './stepping/hold-board.ts'
import { SessionPaces } from './stepping/session-paces.ts'
import type { ResolvedOptions } from './tape-options.ts'
import type { TestIdentity } from './test-identity.ts'

export interface SessionInit {
  readonly test: TestIdentity
  readonly realm: typeof globalThis
  /** True: what runs now is this test, in this lane. Default: always. */
  readonly isHere?: (lane: string | undefined) => boolean
  readonly host: SessionHost
  readonly options: ResolvedOptions
  readonly mode: ResolvedMode
  /** Called at the first failure, when it happens. */
  readonly onFirstFailure?: () => void
}

export interface Routing {
  readonly lane: string | undefined
  /** What the request is by its head, where that was told just before. */
  readonly head?: HeadClass
}

/** How long the end of a test waits for calls that are still under way, so that a recording is whole. */
const graceMs = 2_000

export class TapeSession {
  readonly context: SessionContext
  readonly #init: SessionInit
  #closed = false
  #report: SessionReport | undefined
  #wake: (() => void) | undefined
  readonly #pending: PendingSaver

  constructor(init: SessionInit) {
    const { test, realm, host, options, mode } = init
    const { project, home, temporary } = host
    this.#init = init
    // A later pass of a repeated test replays what the first one wrote.
    const rules = test.repeat && mode.mode !== 'live' ? modeRules.replay : modeRules[mode.mode]
    const source = once(() => openSource(this.context))
    this.context = {
      test,
      realm,
      host,
      options,
      mode,
      rules,
      log: new RunLog(),
      failures: new FailureLedger(
        () => {
          const { failures, holds } = this.context
          if (failures.first !== undefined) holds.fail(failures.first)
          init.onFirstFailure?.()
        },
        (error) => {
          if (isReplayError(error)) concealError(error, host.scanFacts())
        },
      ),
      redactor: createRedactor({ project, home, temporary, options: options.redact }),
      startedAtMs: host.now(),
      openedAt: host.date(),
      liveLanes: new Set(),
      waiting: new Map(),
      holds: new HoldBoard({ test: test.fullName, realm }),
      paces: new SessionPaces({ cadence: options.cadence, now: host.now }),
      retrying: new Set(),
      isHere: init.isHere ?? (() => true),
      sdks: new SeenSdks(host.versionOf),
      sideFiles: new Map(),
      servedCalls: new ServedCalls((error) => this.context.failures.add(asError(error))),
      source,
      around: once(() => readAround(this.context)),
      expectedToken: once(() =>
        rules.match === 'replays' ? committedToken(source()) : host.store.token(test.cassette),
      ),
      pendingTokens: new Set(),
      settled: () => this.#settled(),
    }
    this.#pending = new PendingSaver({ now: host.now, save: () => this.#keepPending() })
  }

  get closed(): boolean {
    return this.#closed
  }

  /** The first failure so far; undefined while all is well. */
  get failure(): Error | undefined {
    return this.context.failures.first
  }

  get report(): SessionReport | undefined {
    return this.#report
  }

  /** Makes a closed session that says what this one was, and keeps nothing of what it recorded and served. */
  get remains(): () => TapeSession {
    const [init, report] = [this.#init, this.#report]
    return () => {
      const session = new TapeSession(init)
      session.#closed = true
      session.#report = report
      return session
    }
  }

  get caps(): CapUsage {
    return measureCaps(this.context)
  }

  classifyHead(method: string, url: string): HeadClass {
    return classifyHead(method, url, { rules: this.context.options.rules, isOwnPort: this.context.host.isOwnPort })
  }

  /** Decides one HTTP call of this test. */
  route(request: CapturedRequest, { lane, head }: Routing): Verdict | Promise<Verdict> {
    const { log, rules } = this.context
    const kind = classifyBody(request, head ?? this.classifyHead(request.method, request.url))
    if (kind === 'pass') return { kind: 'pass' }
    const tool = unrecordedTool()
    if (tool !== undefined && kind !== 'ignored') return refuseInTool(this.context, { tool, kind, request })
    if (kind !== 'ignored')
      return routeHttpCall(this.context, { captured: request, kind, lane, entry: log.start(lane) })
    return rules.match === 'replays' && !this.#recordsNow()
      ? { kind: 'respond', response: noContent(request.url) }
      : { kind: 'pass' }
  }

  /** Decides one tool call or `call`. */
  value(call: ValueCall): unknown {
    return routeValueCall(this.context, call)
  }

  /** A connection that no road captured: named, and the verdict of this test. */
  refuseConnection(target: GuardedConnection): ReplayError {
    const { test, mode, failures } = this.context
    const details = { test: test.fullName, mode: mode.mode, ...target }
    const error = new ReplayError('TURNTAPE_UNCAPTURED_CONNECTION', details)
    failures.add(error)
    return error
  }

  /** Keeps a failure found outside of a call of this session, such as an unattributed call. */
  fail(error: ReplayError): void {
    this.context.failures.add(error)
  }

  /** Replay from the start again. Errors: TURNTAPE_RESET_WHILE_RECORDING where something was recorded. */
  reset(): void {
    const { log, failures, source, mode } = this.context
    if (log.count('live') + log.count('rewritten') > 0 || this.context.rules.match !== 'replays') {
      throw new ReplayError('TURNTAPE_RESET_WHILE_RECORDING', { mode: mode.mode })
    }
    if (failures.first !== undefined) return
    source()?.queue.reset()
    this.context.waiting.clear()
    log.clear()
  }

  /** Waits for what is under way, judges, writes. Idempotent. */
  async close(attempt: AttemptOutcome): Promise<SessionReport> {
    if (this.#report !== undefined) return this.#report
    // First of all: a stream that is held or waits would not end, and the recording would not be whole.
    const holdNotes = this.#letGo(attempt)
    if (attempt.passed && this.context.rules.writes !== 'never') await this.#drain()
    this.#closed = true
    noMoreRetries(this.context)
    this.#pending.stop()
    const end = endSession(this.context, attempt)
    this.#report = this.#describe(end, holdNotes)
    return this.#report
  }

  #letGo(attempt: AttemptOutcome): readonly string[] {
    const { held, unmet } = this.context.holds.end()
    this.context.paces.stop()
    for (const error of unmet) this.context.failures.add(error)
    if (held === 0 || unmet.length > 0 || !attempt.passed) return []
    const streams = held === 1 ? '1 stream was' : `${held} streams were`
    return [`hold(): ${streams} still held when the test ended; release() lets the rest through`]
  }

  // True while a call of this test may go live, so that telemetry goes out as well.
  #recordsNow(): boolean {
    const { rules, liveLanes } = this.context
    return liveLanes.size > 0 || (rules.noCassette === 'records' && this.context.source() === undefined)
  }

  // A kill must not lose what was paid for: what is complete is kept as pending while the test still runs.
  #settled(): void {
    if (!this.#closed && this.context.rules.writes !== 'never') this.#pending.changed()
    this.#wake?.()
  }

  #keepPending(): void {
    try {
      keepPending(this.context, undefined)
    } catch (error) {
      // The live call that has just ended must not see it: a `beforeRecord` that throws, a folder that cannot be made.
      if (!isReplayError(error)) throw error
      this.context.failures.add(error)
    }
  }

  async #drain(): Promise<void> {
    const { log, host } = this.context
    const deadline = host.now() + graceMs
    const isOpen = (entry: RunEntry): boolean =>
      entry.origin === 'live' && entry.endTick === undefined && entry.interaction() === undefined
    const open = (): boolean => log.entries.some(isOpen)
    while (open() && host.now() < deadline) {
      const settled = new Promise<void>((resolve) => {
        this.#wake = resolve
      })
      const timer = setTimeout(() => this.#wake?.(), deadline - host.now())
      await settled
      clearTimeout(timer)
    }
  }

  #notChecked(): readonly string[] {
    const { log } = this.context
    return log.count('served') + log.entries.length > 0 ? notChecked(this.context, this.context.source()) : []
  }

  #describe(end: SessionEnd, holdNotes: readonly string[]): SessionReport {
    const { test, mode, log, failures, paces } = this.context
    const ended = !['failed', 'idle', 'pending'].includes(end.outcome)
    const failure = failures.first
    const report: SessionReport = {
      test: test.fullName,
      cassette: test.cassette,
      mode: mode.mode,
      outcome: end.outcome,
      served: log.count('served'),
      live: log.count('live'),
      ...countServed(this.context),
      notes: ended ? [...end.notes, ...this.#notChecked(), ...paces.notes(), ...holdNotes] : end.notes,
      ...worthALook(this.context, end),
      ...(failure === undefined ? {} : { failure: describeFailure(failure) }),
    }
    // The path is the identity: it stays. Of a test without more to say only the runner prints the name.
    if (failure === undefined && report.notes.length === 0) return report
    return { ...createConcealer(this.context.host.scanFacts()).deep(report), cassette: test.cassette }
  }
}

function asError(thrown: unknown): Error {
  return thrown instanceof Error || Object.prototype.toString.call(thrown) === '[object Error]'
    ? (thrown as Error)
    : new ReplayError('TURNTAPE_USAGE', {
        problem: `a listener of tape.onServed threw ${String(thrown)}`,
        remedy: 'What it throws fails the test: throw an error, or use expect.',
      })
}

// Without a committed source there was no file when the session looked.
function committedToken(source: RecordingSource | undefined): string | undefined {
  return source?.from === 'committed' ? source.stored.token : undefined
}
