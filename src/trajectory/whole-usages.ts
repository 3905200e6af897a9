import { type HttpInteraction, type Interaction, isHttpInteraction } from '../core/cassette/document.ts'
import { groupTurns, type TurnGroup } from '../core/turns/group-turns.ts'
import { type ModelUsage, wholeUsage } from '../wire/whole-usage.ts'

/**
 * What `tokenUsage` counts, where each model call made a turn whose answer is one JSON value that says its tokens. Undefined: some
 * answer has to be decoded to tell, which loads the decoders; most tests without streaming need none.
 */
export function wholeUsages(
  interactions: readonly Interaction[],
  turns: readonly TurnGroup[] = groupTurns(interactions),
): readonly ModelUsage[] | undefined {
  // Failed tries, and model calls that are no turn.
  if (turns.length !== interactions.filter(({ kind }) => kind === 'model').length) return undefined
  const usages: ModelUsage[] = []
  for (const { interaction } of turns) {
    const usage = isHttpInteraction(interaction) ? usageOf(interaction) : undefined
    if (usage === undefined) return undefined
    usages.push(usage)
  }
  return usages
}

function usageOf({ request, response }: HttpInteraction): ModelUsage | undefined {
  const body = response?.body
  return body !== undefined && 'json' in body ? wholeUsage(request.url, body.json) : undefined
}
