/**
 * Which interactions of a cassette a replay of turns `from` to `upTo` asks for, and which lie before and after it. A turn
 * brings what led to it (its failed attempts, earlier calls that failed for good) and what came of it (the tools and
 * other calls up to the next turn of its lane). Pure; knows no option and no mode.
 */
import type { Interaction } from '../cassette/document.ts'
import { groupTurns, isTurnCall } from './group-turns.ts'
import { isWhole, type Part } from './part.ts'

export interface SplitCassette {
  readonly before: readonly Interaction[]
  readonly inside: readonly Interaction[]
  readonly after: readonly Interaction[]
  /** AR-30: numbers of tool calls and `call`s of `before` that had not ended when turn `from` started. */
  readonly stillOpen: ReadonlySet<number>
}

/** Every interaction is in exactly one of the lists, in order. */
export function splitAtTurns(interactions: readonly Interaction[], part: Part): SplitCassette {
  if (isWhole(part)) return { before: [], inside: interactions, after: [], stillOpen: new Set() }
  const turns = turnOfEach(interactions)
  const turnOf = ({ number }: Interaction): number => turns.get(number) as number
  const before = interactions.filter((interaction) => turnOf(interaction) < part.from)
  const first = interactions.find((interaction) => turnOf(interaction) === part.from)
  const open = before.filter(({ kind, number }) => isValue(kind) && first?.overlaps?.includes(number) === true)
  return {
    before,
    inside: interactions.filter((interaction) => turnOf(interaction) >= part.from && turnOf(interaction) <= part.upTo),
    after: interactions.filter((interaction) => turnOf(interaction) > part.upTo),
    stillOpen: new Set(open.map(({ number }) => number)),
  }
}

/** The turn that each interaction belongs to, by number. Empty where the cassette has no turn. */
export function turnOfEach(interactions: readonly Interaction[]): ReadonlyMap<number, number> {
  const starts = startsOfTurns(interactions)
  const belongsTo = new Map<number, number>()
  for (const interaction of interactions) {
    const ofLane = starts.filter(({ lane }) => lane === interaction.lane)
    // A lane without a turn of its own goes with the turns of the others.
    const candidates = ofLane.length > 0 ? ofLane : starts
    const turn = candidates.findLast(({ number }) => number <= interaction.number) ?? candidates[0]
    if (turn !== undefined) belongsTo.set(interaction.number, turn.turn)
  }
  return belongsTo
}

interface TurnStart {
  readonly turn: number
  readonly lane: string | undefined
  /** Of the first interaction that belongs to the turn. */
  readonly number: number
}

function startsOfTurns(interactions: readonly Interaction[]): readonly TurnStart[] {
  const groups = groupTurns(interactions)
  const answered = new Set(groups.flatMap(({ attempts, interaction }) => [...attempts, interaction]))
  // A call that failed for good leads to the next turn of its lane: a fallback model asks otherwise.
  const failed = interactions.filter((one) => isTurnCall(one) && !answered.has(one))
  return groups.map(({ number: turn, lane, attempts, interaction }) => {
    const own = Math.min(...attempts.map(({ number }) => number), interaction.number)
    const previous = groups.findLast((group) => group.lane === lane && group.number < turn)
    const led = failed.find((one) => one.lane === lane && one.number > (previous?.interaction.number ?? 0))
    return { turn, lane, number: Math.min(own, led?.number ?? own) }
  })
}

function isValue(kind: Interaction['kind']): boolean {
  return kind === 'tool' || kind === 'call'
}
