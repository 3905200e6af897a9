/**
 * Which interactions make a turn: the model calls of a test that answered, each with its failed attempts and the tools
 * that ran after it. Pure, and decodes nothing: what a turn says is `trajectory`'s business.
 */
import { takesTurn } from '../capture/model-call.ts'
import {
  type HttpInteraction,
  type Interaction,
  isHttpInteraction,
  type ValueInteraction,
} from '../cassette/document.ts'

/** The interactions of one model call that answered. */
export interface TurnGroup {
  /** 1-based, over all lanes, in the order the answered calls started. */
  readonly number: number
  readonly lane: string | undefined
  readonly interaction: HttpInteraction
  /** The failed tries of the same call before it: never joined with it. */
  readonly attempts: readonly HttpInteraction[]
  /** The tools (`tape.tool`) that ran between this turn and the next one of its lane. */
  readonly toolRuns: readonly ValueInteraction[]
}

/**
 * The ordered turns of a test. A call that was cut in its answer is an attempt where its lane then sent the same request
 * again, else a turn that is not finished. A model call that failed for good is no turn.
 */
export function groupTurns(interactions: readonly Interaction[]): readonly TurnGroup[] {
  const attempts = attemptsByCall(interactions)
  const turns: TurnGroup[] = []
  const runsOfLane = new Map<string | undefined, ValueInteraction[]>()
  for (const interaction of interactions) {
    const { lane } = interaction
    if (interaction.kind === 'tool') runsOfLane.get(lane)?.push(interaction)
    if (!isHttpInteraction(interaction)) continue
    const own = attempts.get(interaction.number)
    if (own === undefined) continue
    const toolRuns: ValueInteraction[] = []
    runsOfLane.set(lane, toolRuns)
    turns.push({ number: turns.length + 1, lane, interaction, attempts: own, toolRuns })
  }
  return turns
}

/** The 1-based turn that each model interaction belongs to or led to; undefined where none followed. */
export function turnNumbers(interactions: readonly Interaction[]): ReadonlyMap<number, number> {
  const numbers = new Map<number, number>()
  for (const turn of groupTurns(interactions)) {
    for (const { number } of [...turn.attempts, turn.interaction]) numbers.set(number, turn.number)
  }
  return numbers
}

/** The calls that are turns, by number, each with its attempts in order. */
function attemptsByCall(interactions: readonly Interaction[]): ReadonlyMap<number, readonly HttpInteraction[]> {
  const attempts = new Map<number, HttpInteraction[]>()
  const following = new Map<string, HttpInteraction>()
  for (const interaction of interactions.toReversed()) {
    if (!isTurnCall(interaction)) continue
    const key = JSON.stringify([interaction.lane ?? null, interaction.hash])
    const next = following.get(key)
    const state = stateOf(interaction)
    // A call that had not ended when the next one started was not its first try.
    const isRetried = next !== undefined && next.overlaps?.includes(interaction.number) !== true
    if (state !== 'answered' && isRetried) attempts.get(next.number)?.unshift(interaction)
    else if (state !== 'failed') {
      attempts.set(interaction.number, [])
      following.set(key, interaction)
    }
  }
  return attempts
}

/** True for a model call that makes a turn where it is answered. */
export function isTurnCall(interaction: Interaction): interaction is HttpInteraction {
  return isHttpInteraction(interaction) && takesTurn(interaction.kind, interaction.request.url)
}

function stateOf({ response }: HttpInteraction): 'answered' | 'cut' | 'failed' {
  if (response === undefined || response.status >= 400) return 'failed'
  return response.body?.end?.kind === 'failed' ? 'cut' : 'answered'
}
