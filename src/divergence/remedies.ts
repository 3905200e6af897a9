import type { Hint, NearestInteraction, Remedy } from '../errors/divergence-details.ts'
import type { DivergenceInput } from './divergence-input.ts'

const maxRemedies = 3

/** What can be done in this very state, the most fitting first; nothing that does not apply. */
export function remediesFor(input: DivergenceInput, found: Found): Remedy[] {
  const specific = specificRemedies(input, found)
  const taking = [...specific, ...pendingRemedies(input)]
  return [...taking, ...recordingRemedies(input, maxRemedies - taking.length)].slice(0, maxRemedies)
}

export interface Found {
  readonly hints: readonly Hint[]
  readonly nearest: NearestInteraction | undefined
  /** The nearest one is equal. */
  readonly isEqual: boolean
}

function specificRemedies(input: DivergenceInput, { hints, nearest, isEqual }: Found): Remedy[] {
  const volatile = hints.find((hint) => hint.kind === 'volatile')
  if (volatile !== undefined) return [{ why: 'Let them count as equal', command: volatile.line }]
  const limit = hints.find((hint) => hint.kind === 'output limit')
  if (limit !== undefined) return [{ why: 'If the limit does not matter', command: limit.line }]
  if (input.kind === 'exhausted' && input.upTo !== undefined) return upToRemedies(input.upTo)
  if (input.kind === 'wrong kind') return wrongKindRemedies(input)
  if (isPolled(input))
    return [{ why: 'If it is asked for until it is ready', command: 'allow: { repeatedGets: true }' }]
  if (isEqual && nearest?.state === 'other lane') {
    return nearest.lane === undefined ? [] : [{ why: 'Make it in that lane', command: laneCall(nearest.lane) }]
  }
  if (input.kind === 'reordered') return reorderedRemedies(input)
  const startsAgain = hints.some((hint) => hint.kind === 'repeats' && hint.turn === 1)
  return startsAgain
    ? [{ why: 'If the conversation is played twice on purpose, in between', command: 'tape.reset()' }]
    : []
}

function isPolled({ kind, played, present }: DivergenceInput): boolean {
  return kind !== 'reordered' && played !== undefined && present.kind === 'http' && present.request.method === 'GET'
}

function upToRemedies(upTo: number): Remedy[] {
  return [{ why: 'If the run is to go on, replay more turns', command: `upTo: ${upTo + 1}` }]
}

/** Only where a mark is missing: what a run makes of itself is no option's business. */
function wrongKindRemedies({ steps }: DivergenceInput): Remedy[] {
  if (steps?.recorded.kind !== 'fold' || steps.made.kind !== 'turn') return []
  return [{ why: 'If this call compacts the conversation too, mark it', command: 'tape.fold(() => …)' }]
}

function reorderedRemedies({ order }: DivergenceInput): Remedy[] {
  const lane = { why: 'If two independent callers made them, name each', command: "tape.lane('name', () => …)" }
  const any = { why: 'Or let the calls of this test come in any order', command: "order: 'any'" }
  return order === 'any' ? [lane] : [lane, any]
}

function pendingRemedies({ acceptCommand: command }: DivergenceInput): Remedy[] {
  return command === undefined
    ? []
    : [{ why: 'To take the pending recording of this test, which has this call', command }]
}

/** Recording again: cheaply from here on where earlier calls matched, and the whole test. */
function recordingRemedies(
  { ci, kind, recordCommand, served, updateCommand }: DivergenceInput,
  room: number,
): Remedy[] {
  const place = ci ? ' locally and commit the cassette' : ''
  const whole = { why: `If ${intended[kind]} is intended, record this test again${place}`, command: recordCommand }
  if (updateCommand === undefined || served.size === 0) return [whole]
  const rest = {
    why: `If ${intended[kind]} is intended, record from here on${place} (what matched costs nothing)`,
    command: updateCommand,
  }
  return room < 2 ? [rest] : [rest, { why: 'Or the whole test', command: recordCommand }]
}

const intended = {
  changed: 'the change',
  reordered: 'the new order',
  exhausted: 'the call',
  'wrong kind': 'the new step',
} as const

function laneCall(lane: string): string {
  return `tape.lane(${JSON.stringify(lane.slice(0, 60))}, () => …)`
}
