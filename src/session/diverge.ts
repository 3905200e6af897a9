import type { TakeResult } from '../core/matching/replay-queue.ts'
import { groupTurns } from '../core/turns/group-turns.ts'
import { changedLeaf } from '../divergence/changed-leaf.ts'
import { explainDivergence } from '../divergence/explain-divergence.ts'
import type { PresentCall } from '../divergence/present-call.ts'
import { recordCommand } from '../errors/commands.ts'
import { ReplayError } from '../errors/replay-error.ts'
import type { RecordingSource } from './recording-source.ts'
import type { SessionContext } from './session-context.ts'

export interface Diverged {
  readonly source: RecordingSource
  readonly taken: Exclude<TakeResult, { kind: 'served' }>
  readonly lane: string | undefined
  readonly present: PresentCall
  readonly hash: string
}

/** The error that says how this call left the recording. */
export function divergence(context: SessionContext, { source, taken, lane, present, hash }: Diverged): ReplayError {
  const { test, mode, host, log, options } = context
  const details = explainDivergence({
    kind: taken.kind,
    test: test.fullName,
    cassette: test.cassette,
    mode: mode.mode,
    ci: mode.ci,
    present,
    hash,
    lane,
    turn: present.kind === 'model' ? groupTurns(log.interactions()).length + 1 : undefined,
    interactions: source.interactions,
    served: new Set(source.queue.servedNumbers()),
    expected: taken.kind === 'exhausted' ? undefined : taken.expected,
    equals: taken.kind === 'reordered' ? taken.equals : undefined,
    played: taken.kind === 'reordered' ? undefined : taken.played,
    recordedWith: source.stored.cassette.recordedWith,
    runningWith: { ...host.versions, ...context.sdkVersions },
    recordCommand: recordCommand(test),
    updateCommand: host.updateCommand(test),
    order: options.order,
    normalise: source.normalise,
  })
  return Object.assign(new ReplayError('TURNTAPE_DIVERGED', details), changedLeaf(details))
}
