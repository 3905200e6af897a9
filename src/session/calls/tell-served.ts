import type { TakeResult } from '../../core/matching/replay-queue.ts'
import type { SessionContext } from '../session-context.ts'
import type { RecordingSource } from '../source/recording-source.ts'
import type { Served } from './served-calls.ts'

export interface Told {
  readonly source: RecordingSource
  readonly number: number
  readonly by: Served['by']
  /** Hash of the call that was made. */
  readonly got: string
}

/** Tells who listens that a call met this interaction. */
export function tellServed(context: SessionContext, { source, number, by, got }: Told): void {
  const { hash, kind, lane, unverifiable } = source.interaction(number)
  const matched = by !== 'position' && by !== 'refused'
  const recorded = unverifiable === undefined ? hash : undefined
  context.servedCalls.tell({ number, kind, turn: source.turnOf(number), lane, matched, by, recorded, got })
}

export interface Refused {
  readonly source: RecordingSource
  readonly missed: Exclude<TakeResult, { kind: 'served' }>
  readonly got: string
}

/** AR-02: tells who listens that a call left the recording, where there is one that it should have been. */
export function tellRefused(context: SessionContext, { source, missed, got }: Refused): void {
  if (missed.kind !== 'exhausted') tellServed(context, { source, number: missed.expected, by: 'refused', got })
}
