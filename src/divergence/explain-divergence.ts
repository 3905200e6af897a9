/**
 * What happened when a run left its cassette, as plain data: the nearest recorded interaction, what changed against it,
 * what it may be, what to do. Pure: sees stored requests only, redacted already. Knows nothing of how calls are matched
 * or of how the finding is raised; the words are `src/errors/messages`' business.
 */
import type { Interaction } from '../core/cassette/document.ts'
import type { Normaliser } from '../core/matching/normaliser.ts'
import { turnNumbers } from '../core/turns/group-turns.ts'
import type { Change, DivergenceDetails, Hint, NearestInteraction } from '../errors/divergence-details.ts'
import type { DivergenceInput } from './divergence-input.ts'
import { outputLimitHints, placeHints, versionHints, volatileHints } from './hints.ts'
import { nearestInteraction } from './nearest-interaction.ts'
import { type ComparableCall, callLine, comparableCall, ownCopy } from './present-call.ts'
import { remediesFor } from './remedies.ts'
import { type CallPair, countingChanges, describeChange, requestChanges } from './request-changes.ts'

const maxChanges = 8

/** Throws only what `normalise` throws. The work is bounded: at most a few requests are compared in full. */
export function explainDivergence(given: DivergenceInput): DivergenceDetails {
  const turns = turnNumbers(given.interactions)
  const input = { ...given, interactions: given.replayed ?? given.interactions }
  const interaction = nearestInteraction(input)
  const nearest =
    interaction === undefined
      ? undefined
      : { ...describeNearest(input, interaction), turn: turns.get(interaction.number) }
  const isEqual = interaction !== undefined && isEqualTo(input, interaction)
  const comparison = interaction === undefined || isEqual ? nothingChanged : compare(input, interaction)
  const hints: readonly Hint[] = [
    ...comparison.hints,
    ...placeHints(input, turns),
    ...(comparison.total > 0 && comparison.hints.length === 0 ? versionHints(input) : []),
  ]
  const expected = input.kind === 'reordered' || input.kind === 'wrong kind' ? input.expected : undefined
  return {
    kind: input.kind,
    test: input.test,
    cassette: input.cassette,
    mode: input.mode,
    turn: input.turn,
    recordedTurns: Math.max(0, ...turns.values()),
    lane: input.lane,
    request: callLine(input.present),
    requestHash: input.hash,
    ...(expected === undefined ? {} : { expected: { number: expected, turn: turns.get(expected) } }),
    ...(input.steps === undefined ? {} : { steps: input.steps }),
    ...(input.upTo === undefined ? {} : { upTo: input.upTo }),
    nearest,
    changes: comparison.changes,
    changesTotal: comparison.total,
    hints,
    remedies: remediesFor(input, { hints, nearest, isEqual }),
  }
}

function isEqualTo({ equals, hash, played }: DivergenceInput, interaction: Interaction): boolean {
  return interaction.hash === hash || interaction.number === equals || interaction.number === played
}

function describeNearest(input: DivergenceInput, interaction: Interaction): Omit<NearestInteraction, 'turn'> {
  const { hash, lane, number } = interaction
  const state = stateOf(input, interaction)
  return { number, hash, state, ...(state === 'other lane' && lane !== undefined ? { lane } : {}) }
}

function stateOf({ expected, lane, served }: DivergenceInput, interaction: Interaction): NearestInteraction['state'] {
  if (interaction.lane !== lane) return 'other lane'
  if (served.has(interaction.number)) return 'played'
  return interaction.number === expected ? 'next' : 'later'
}

interface Comparison {
  readonly changes: readonly Change[]
  readonly total: number
  readonly hints: readonly Hint[]
}

const nothingChanged: Comparison = { changes: [], total: 0, hints: [] }

function compare(input: DivergenceInput, interaction: Interaction): Comparison {
  const pair: CallPair = { recorded: comparableCall(interaction), present: comparableCall(input.present) }
  const normalised: CallPair = {
    recorded: normalisedCall(pair.recorded, input.normalise),
    present: normalisedCall(pair.present, input.normalise),
  }
  const counting = countingChanges(requestChanges(pair), normalised)
  return {
    changes: counting.slice(0, maxChanges).map((change) => describeChange(change, pair)),
    total: counting.length,
    hints: input.kind === 'changed' ? [...volatileHints(normalised), ...outputLimitHints(counting)] : [],
  }
}

function normalisedCall(call: ComparableCall, normalise: Normaliser | undefined): ComparableCall {
  return normalise === undefined ? call : { kind: call.kind, ...normalise(ownCopy(call)) }
}
