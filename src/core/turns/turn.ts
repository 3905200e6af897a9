/**
 * Turns and the trajectory: the model calls of a test that answered, each with the failed attempts before it.
 * Pure; decoding an answer into blocks is not done here.
 */
import { type HttpInteraction, type Interaction, isHttpInteraction } from '../cassette/document.ts'

/** One model call that answered. */
export interface Turn {
  /** 1-based, over all lanes, in the order the answered calls started. */
  readonly number: number
  readonly lane: string | undefined
  readonly interaction: HttpInteraction
  /** The failed attempts of the same call before it: never joined with it. */
  readonly attempts: readonly HttpInteraction[]
  /** The tool calls recorded between this turn and the next one of its lane. */
  readonly toolCalls: readonly Interaction[]
}

/** The ordered turns of a test. A model call that failed for good (no later success in its lane) is no turn. */
export function buildTurns(interactions: readonly Interaction[]): readonly Turn[] {
  const turns: { turn: Turn; tools: Interaction[] }[] = []
  const failed = new Map<string | undefined, HttpInteraction[]>()
  const latest = new Map<string | undefined, Interaction[]>()
  for (const interaction of interactions) {
    const { lane } = interaction
    if (interaction.kind === 'tool') latest.get(lane)?.push(interaction)
    if (!isHttpInteraction(interaction) || interaction.kind !== 'model') continue
    if (!answered(interaction)) {
      failed.set(lane, [...(failed.get(lane) ?? []), interaction])
      continue
    }
    const attempts = (failed.get(lane) ?? []).filter((attempt) => attempt.hash === interaction.hash)
    failed.delete(lane)
    const tools: Interaction[] = []
    latest.set(lane, tools)
    turns.push({ turn: { number: turns.length + 1, lane, interaction, attempts, toolCalls: tools }, tools })
  }
  return turns.map(({ turn }) => turn)
}

/** The 1-based turn that each model interaction belongs to or led to; undefined where none followed. */
export function turnNumbers(interactions: readonly Interaction[]): ReadonlyMap<number, number> {
  const numbers = new Map<number, number>()
  for (const turn of buildTurns(interactions)) {
    for (const { number } of [...turn.attempts, turn.interaction]) numbers.set(number, turn.number)
  }
  return numbers
}

function answered(interaction: HttpInteraction): boolean {
  return interaction.response !== undefined && interaction.response.status < 400
}
