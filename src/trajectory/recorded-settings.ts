import type { Json } from '../core/cassette/document.ts'
import { applySettings } from '../wire/apply-settings.ts'
import { requestValue, type SideFileReader, wireOfCall } from './decoded-answer.ts'
import type { Turn } from './turn.ts'

export interface NextTurn {
  /** Of this run so far. */
  readonly turns: readonly Turn[]
  readonly recorded: readonly Turn[]
  /** The lane that asks. */
  readonly lane: string | undefined
}

/** AR-12: the recorded turn that comes next in this lane, folds passed over; undefined past the end. */
export function nextRecordedTurn({ turns, recorded, lane }: NextTurn): Turn | undefined {
  const ofLane = (all: readonly Turn[]): readonly Turn[] => all.filter((turn) => turn.lane === lane && !turn.isFold)
  return ofLane(recorded)[ofLane(turns).length]
}

/** The request with the instructions and tools of that turn; the very same one where the turn's wire is not known. */
export function withSettingsOf(turn: Turn, request: Json, sideFiles: SideFileReader): Json {
  const recorded = requestValue(turn.interaction)
  const wire = wireOfCall(turn.interaction, sideFiles)
  return wire === undefined || recorded === undefined ? request : applySettings({ wire, request, recorded })
}
