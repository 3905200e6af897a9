/**
 * The end of a session: the verdict on what nobody asked for, and what becomes of what was recorded. Written when the
 * attempt passed and every stream in it has ended, else kept as pending (promise 6).
 */

import { describeCall, modelOf } from '../../core/capture/describe-call.ts'
import { type Interaction, isHttpInteraction, type SideFiles } from '../../core/cassette/document.ts'
import { type RepeatedCallId, repeatedCallIds } from '../../core/matching/open-refusals.ts'
import { turnNumbers } from '../../core/turns/group-turns.ts'
import { wholeCassette } from '../../core/turns/part.ts'
import type { UnusedItem } from '../../errors/codes.ts'
import { recordCommand } from '../../errors/commands.ts'
import { isReplayError, ReplayError } from '../../errors/replay-error.ts'
import { checkRedactOptions } from '../../redaction/redact-options.ts'
import { scanForSecrets } from '../../redaction/scan.ts'
import type { StoredCassette } from '../../store/cassette-store.ts'
import type { SessionContext } from '../session-context.ts'
import type { SessionOutcome } from '../session-report.ts'
import { withPartsAround } from '../source/around-part.ts'
import { missingCassette } from '../source/missing-cassette.ts'
import type { RecordingSource } from '../source/recording-source.ts'
import { applyBeforeRecord } from './before-record.ts'
import { composeCassette } from './compose-cassette.ts'
import { keepCommitted } from './keep-committed.ts'

export interface AttemptOutcome {
  /** Body and hooks passed (for a test that is to fail: failed). */
  readonly passed: boolean
  readonly skipped: boolean
}

export interface SessionEnd {
  readonly outcome: SessionOutcome
  readonly notes: readonly string[]
}

/** Ends a session whose streams have had their grace. Failures found here go to the ledger. */
export function endSession(context: SessionContext, attempt: AttemptOutcome): SessionEnd {
  const { failures, rules, log } = context
  const live = log.count('live')
  const rewritten = log.count('rewritten')
  try {
    for (const error of context.waiting.values()) if (!isAllowed(context, error)) failures.add(error)
    if (rules.writes === 'never' && rules.match === 'network') return { outcome: live > 0 ? 'live' : 'idle', notes: [] }
    if (failures.first === undefined && attempt.passed && !attempt.skipped) judgeUnused(context)
    const passed = attempt.passed && !attempt.skipped && failures.first === undefined
    const dropped = passed && rules.unused === 'dropped' && unusedNumbers(context).length > 0
    const changed = live + rewritten > 0 || (dropped && context.source()?.from === 'committed')
    if (rules.writes === 'never' || (!changed && !commitsPending(context))) return settledEnd(context, attempt)
    if (!passed) return keepPending(context, failures.first === undefined ? undefined : 'it failed')
    const open = log.entries.filter((entry) => entry.origin === 'live' && entry.interaction() === undefined).length
    if (failures.first !== undefined) return keepPending(context, 'it failed')
    if (open > 0) return keepPending(context, `${open} of its calls had not ended when the test did: await them`)
    return commit(context)
  } catch (error) {
    if (!isReplayError(error)) throw error
    failures.add(error)
    return { outcome: 'failed', notes: [] }
  }
}

function isAllowed({ options }: SessionContext, { code }: ReplayError): boolean {
  return code === 'TURNTAPE_READ_PAST_RECORDING' && options.allow.incomplete
}

function settledEnd(context: SessionContext, attempt: AttemptOutcome): SessionEnd {
  if (context.failures.first !== undefined) return { outcome: 'failed', notes: [] }
  const replayed = attempt.passed && (context.log.count('served') > 0 || context.servedCalls.realTools.length > 0)
  return { outcome: replayed ? 'replayed' : 'idle', notes: [] }
}

// A passed run that a pending recording answered in full is committed, though nothing was live.
function commitsPending(context: SessionContext): boolean {
  return context.log.count('served') > 0 && context.source()?.from === 'pending'
}

function judgeUnused(context: SessionContext): void {
  const { rules, options, test, mode, log } = context
  if (rules.match !== 'replays' || rules.unused !== 'fails' || options.allow.unused) return
  const source = context.source()
  if (source === undefined) {
    if (rules.noCassette === 'fails' && log.entries.length > 0) context.failures.add(missingCassette(context))
    return
  }
  const unused = source.from === 'committed' ? source.queue.unused() : []
  if (unused.length === 0) return
  context.failures.add(
    new ReplayError('TURNTAPE_UNUSED', {
      test: test.fullName,
      cassette: test.cassette,
      mode: mode.mode,
      ci: mode.ci,
      total: unused.length,
      unused: describeUnused(source, unused),
      recordCommand: recordCommand(test),
      updateCommand: context.host.updateCommand(test),
    }),
  )
}

function unusedNumbers(context: SessionContext): readonly number[] {
  const source = context.source()
  return source === undefined ? [] : source.queue.unused()
}

function describeUnused(source: RecordingSource, numbers: readonly number[]): readonly UnusedItem[] {
  const turns = turnNumbers(source.interactions)
  return numbers.slice(0, 10).map((number) => {
    const interaction = source.interaction(number)
    const turn = turns.get(number)
    return {
      number,
      request: describeInteraction(interaction),
      ...(turn === undefined ? {} : { turn }),
      ...(interaction.lane === undefined ? {} : { lane: interaction.lane }),
    }
  })
}

function describeInteraction(interaction: Interaction): string {
  if (!isHttpInteraction(interaction)) return `${interaction.kind} ${interaction.request.name}`
  const { method, url, body } = interaction.request
  return describeCall(method, url, body !== undefined && 'json' in body ? modelOf(body.json) : undefined)
}

function commit(context: SessionContext): SessionEnd {
  const { test, host, options } = context
  const source = context.source()
  const interactions = withPartsAround(context, context.log.interactions(applyBeforeRecord(context)))
  const [twins] = options.strict ? repeatedCallIds(interactions, options.order) : []
  if (twins !== undefined) return keepUntold(context, twins)
  if (interactions.length === 0) {
    return removeEmptied(context)
  }
  // Behind `upTo` a run goes live whatever it asks: what it was told again is kept there as well.
  const isAnew = context.rules.match === 'records anew' || options.part.upTo !== wholeCassette.upTo
  const kept = isAnew ? keepAsCommitted(context, interactions) : undefined
  if (kept === 'unchanged') {
    removeSuperseded(context)
    return { outcome: 'unchanged', notes: [] }
  }
  const cassette = composeCassette(context, kept?.interactions ?? interactions)
  const sideFiles = new Map([...(source?.sideFiles ?? kept?.sideFiles ?? []), ...context.sideFiles])
  const findings = scanForSecrets({
    cassette,
    sideFiles,
    facts: host.scanFacts(),
    patterns: checkRedactOptions(options.redact).patterns,
  })
  if (findings.length > 0) {
    const refusal = 'it would give a secret away'
    const pendingPath = host.store.writePending({ path: test.cassette, cassette, sideFiles, refusal })
    throw new ReplayError('TURNTAPE_SECRET_FOUND', {
      test: test.fullName,
      cassette: test.cassette,
      pendingPath,
      findings,
    })
  }
  const expected = context.expectedToken()
  host.store.write({ path: test.cassette, cassette, sideFiles, caps: options.caps, expected })
  removeSuperseded(context)
  if (expected === undefined) return { outcome: 'written', notes: [] }
  return { outcome: context.log.count('rewritten') > 0 ? 'rebased' : 'updated', notes: [] }
}

/** The pending recording that what is committed now takes the place of; not one that another run has made meanwhile. */
function removeSuperseded(context: SessionContext): void {
  const { host, test, pendingTokens } = context
  const source = context.source()
  const known = new Set([...pendingTokens, ...(source?.from === 'pending' ? [source.stored.token] : [])])
  host.store.removePending(test.cassette, known.size === 0 ? undefined : known)
}

function removeEmptied({ test, host, expectedToken }: SessionContext): SessionEnd {
  const removal = host.store.remove(test.cassette, expectedToken())
  switch (removal) {
    case 'absent':
      return { outcome: 'idle', notes: [] }
    case 'changed':
      return { outcome: 'idle', notes: ['not removed, it changed on disk meanwhile'] }
    case 'removed':
      return { outcome: 'updated', notes: ['removed, the test makes no captured call any more'] }
  }
}

/** AR-27: nothing would tell these two results apart in replay, so they are kept as pending, and the test fails. */
function keepUntold(context: SessionContext, { kind: _kind, ...twins }: RepeatedCallId): SessionEnd {
  const { test, failures } = context
  const details = { test: test.fullName, cassette: test.cassette, ...twins, recordCommand: recordCommand(test) }
  failures.add(new ReplayError('TURNTAPE_CALL_ID_REPEATED', { ...details, when: 'recording' }))
  return keepPending(context, 'two of its results cannot be told apart')
}

/** F17. `unchanged`: the server said what it had said before. */
function keepAsCommitted(
  context: SessionContext,
  recorded: readonly Interaction[],
): KeptCommitted | 'unchanged' | undefined {
  const { test, host, options } = context
  const stored = readCommitted(() => host.store.read(test.cassette, options.caps))
  if (stored === undefined) return undefined
  const committed = stored.cassette.interactions
  const files = { committedFiles: stored.sideFiles, recordedFiles: context.sideFiles }
  const interactions = keepCommitted({ committed, recorded, normalisers: options.normalise, ...files })
  return interactions === committed ? 'unchanged' : { interactions, sideFiles: stored.sideFiles }
}

interface KeptCommitted {
  readonly interactions: readonly Interaction[]
  readonly sideFiles: SideFiles
}

// A file that cannot be read is recorded over: that is what `record` is asked for.
function readCommitted(read: () => StoredCassette | undefined): StoredCassette | undefined {
  try {
    return read()
  } catch (error) {
    if (isReplayError(error)) return undefined
    throw error
  }
}

/** Keeps what is complete, so that nothing that was paid for is lost. */
export function keepPending(context: SessionContext, reason: string | undefined): SessionEnd {
  const { test, host, log } = context
  const nothing: SessionEnd = { outcome: context.failures.first === undefined ? 'idle' : 'failed', notes: [] }
  if (log.count('live') === 0) return nothing
  const interactions = withPartsAround(context, log.interactions(applyBeforeRecord(context)))
  if (interactions.length === 0) return nothing
  const cassette = composeCassette(context, interactions)
  const sideFiles = new Map([...((context.source() ?? context.around())?.sideFiles ?? []), ...context.sideFiles])
  const refusal =
    isReplayError(context.failures.first) && context.failures.first.code === 'TURNTAPE_CAP_EXCEEDED'
      ? 'its recording stopped at a cap'
      : undefined
  host.store.writePending({ path: test.cassette, cassette, sideFiles, ...(refusal === undefined ? {} : { refusal }) })
  context.pendingTokens.add(host.store.pendingToken(test.cassette))
  return { outcome: 'pending', notes: reason === undefined ? [] : [reason] }
}
