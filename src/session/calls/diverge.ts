import { takesTurn } from '../../core/capture/model-call.ts'
import { type Interaction, isHttpInteraction } from '../../core/cassette/document.ts'
import type { TakeResult } from '../../core/matching/replay-queue.ts'
import { groupTurns } from '../../core/turns/group-turns.ts'
import { changedLeaf } from '../../divergence/changed-leaf.ts'
import { explainDivergence } from '../../divergence/explain-divergence.ts'
import { callLine, type PresentCall } from '../../divergence/present-call.ts'
import { cassetteCommand, recordCommand } from '../../errors/commands.ts'
import { divergenceCodes } from '../../errors/divergence-codes.ts'
import type { DivergenceDetails, DivergenceKind, StepKind } from '../../errors/divergence-details.ts'
import { ReplayError } from '../../errors/replay-error.ts'
import { createConcealer } from '../../redaction/concealer.ts'
import type { SessionContext } from '../session-context.ts'
import { readPending } from '../source/read-pending.ts'
import type { RecordingSource } from '../source/recording-source.ts'

type Missed = Exclude<TakeResult, { kind: 'served' }>

export interface Diverged {
  readonly source: RecordingSource
  readonly taken: Missed
  readonly lane: string | undefined
  readonly present: PresentCall
  readonly hash: string
  /** The call was made inside `tape.fold`. */
  readonly isFold?: boolean
}

/** The error that says how this call left the recording. */
export function divergence(context: SessionContext, diverged: Diverged): ReplayError {
  const { source, taken, lane, present, hash } = diverged
  const { test, mode, host, log, options } = context
  const steps = unlikeSteps(diverged)
  const kind: DivergenceKind = steps === undefined ? taken.kind : 'wrong kind'
  const { from, upTo } = source.part
  // Before it is cut and compared: half a secret is one, too.
  const { deep } = createConcealer(host.scanFacts())
  const endsAtPoint = taken.kind === 'exhausted' && source.split.after.length > 0
  const details = explainDivergence({
    kind,
    test: test.fullName,
    cassette: test.cassette,
    mode: mode.mode,
    ci: mode.ci,
    present: deep(present),
    hash,
    lane,
    turn: isTurn(present) ? groupTurns(log.interactions()).length + from : undefined,
    interactions: deep(source.interactions),
    replayed: source.split.inside,
    served: new Set(source.queue.servedNumbers()),
    expected: taken.kind === 'exhausted' ? undefined : taken.expected,
    equals: taken.kind === 'reordered' ? taken.equals : undefined,
    played: taken.kind === 'reordered' ? undefined : taken.played,
    ...(steps === undefined ? {} : { steps }),
    ...(endsAtPoint ? { upTo } : {}),
    recordedWith: source.stored.cassette.recordedWith,
    runningWith: { ...host.versions, ...context.sdks.versions },
    recordCommand: recordCommand(test),
    updateCommand: host.updateCommand(test),
    ...acceptOf(context, diverged),
    order: options.order,
    normalise: source.normalise,
  })
  return Object.assign(new ReplayError(divergenceCodes[kind], details), changedLeaf(details))
}

/** The pending recording of this test, where it has this very call: taking it costs nothing. */
function acceptOf(context: SessionContext, { source, hash }: Diverged): { readonly acceptCommand?: string } {
  const { test, mode, host } = context
  if (mode.ci || source.from === 'pending' || host.store.pendingRefusal(test.cassette) !== undefined) return {}
  const pending = readPending(context)?.cassette.interactions ?? []
  if (!pending.some((interaction) => interaction.hash === hash)) return {}
  return { acceptCommand: cassetteCommand('accept', test.cassette) }
}

/**
 * AR-22: the two kinds, where the lane's order says which step comes now and it is another kind than the one made. Not
 * where the call was made before: that says more.
 */
function unlikeSteps({ source, taken, lane, present, isFold }: Diverged): DivergenceDetails['steps'] {
  if (taken.kind !== 'changed' || taken.played !== undefined || !source.queue.isStrict(lane)) return undefined
  const expected = source.interaction(taken.expected)
  const [made, recorded] = [presentStep(present, isFold === true), recordedStep(expected)]
  const isAlike = made === recorded || (made === 'turn' && recorded === 'failed call')
  return isAlike ? undefined : { made: { kind: made }, recorded: { kind: recorded, request: callLine(expected) } }
}

function isTurn(present: PresentCall): boolean {
  return 'url' in present.request && takesTurn(present.kind, present.request.url)
}

function presentStep({ kind }: PresentCall, isFold: boolean): StepKind {
  return kind === 'model' ? (isFold ? 'fold' : 'turn') : kind
}

function recordedStep(interaction: Interaction): StepKind {
  if (!isHttpInteraction(interaction)) return interaction.kind
  if (interaction.kind === 'http') return 'http'
  if (interaction.fold === true) return 'fold'
  const { response } = interaction
  return response === undefined || response.status >= 400 ? 'failed call' : 'turn'
}
