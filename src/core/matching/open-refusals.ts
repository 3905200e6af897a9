/**
 * What strict replay refuses when a cassette is opened, before any call is served: what cannot be compared, what the
 * recording itself says is wrong with it, and results that nothing tells apart. Pure; the words are the errors' business.
 */
import { type Interaction, isHttpInteraction, type ValueInteraction } from '../cassette/document.ts'
import type { SplitCassette } from '../turns/replay-part.ts'

/** An interaction that carries a mark, with the sentence that it holds. */
export interface Marked {
  readonly number: number
  readonly reason: string
}

/** Two tool calls of one tool, lane and call id, with equal arguments and other results, that ran at the same time. */
export interface RepeatedCallId {
  readonly kind: 'call id repeated'
  readonly tool: string
  readonly callId: string
  readonly lane: string | undefined
  readonly first: number
  readonly second: number
}

export type OpenRefusal =
  /** AR-04: `marked` of the `total` interactions that would be served. */
  | { readonly kind: 'unverifiable'; readonly marked: readonly Marked[]; readonly total: number }
  | { readonly kind: 'substituted'; readonly marked: readonly Marked[] }
  | { readonly kind: 'incomplete'; readonly marked: readonly Marked[] }
  | RepeatedCallId

export interface OpenedPart {
  readonly split: SplitCassette
  readonly order: 'recorded' | 'any'
}

/** Every refusal, the gravest first. AR-14: of what is not served, only a change of workspace and repeated ids count. */
export function openRefusals({ split, order }: OpenedPart): readonly OpenRefusal[] {
  const { before, inside } = split
  const upToEnd = before.length === 0 ? inside : [...before, ...inside].sort((a, b) => a.number - b.number)
  const substituted = markedAs('substituted', upToEnd)
  const unverifiable = markedAs('unverifiable', inside)
  const incomplete = markedAs('incomplete', inside)
  return [
    ...(substituted.length > 0 ? [{ kind: 'substituted', marked: substituted } as const] : []),
    ...(unverifiable.length > 0 ? [{ kind: 'unverifiable', marked: unverifiable, total: inside.length } as const] : []),
    ...(incomplete.length > 0 ? [{ kind: 'incomplete', marked: incomplete } as const] : []),
    ...repeatedCallIds(upToEnd, order),
  ]
}

function markedAs(mark: 'unverifiable' | 'substituted' | 'incomplete', list: readonly Interaction[]): Marked[] {
  const marked: Marked[] = []
  for (const { number, [mark]: reason } of list) if (reason !== undefined) marked.push({ number, reason })
  return marked
}

/**
 * Providers that number calls by response repeat their ids (D-31, AR-27): that is no fault while arguments or order tell
 * the results apart. Only what nothing tells apart is listed.
 */
export function repeatedCallIds(
  interactions: readonly Interaction[],
  order: 'recorded' | 'any',
): readonly RepeatedCallId[] {
  const seen = new Map<string, ValueInteraction[]>()
  return interactions.flatMap((interaction) => {
    if (isHttpInteraction(interaction) || !interaction.callId) return []
    const { callId, lane, number: second, request } = interaction
    const key = JSON.stringify([lane ?? null, request.name, callId, interaction.hash])
    const earlier = seen.get(key) ?? []
    seen.set(key, [...earlier, interaction])
    const twin = earlier.find(
      (other) => !isEqual(other.result, interaction.result) && (order === 'any' || overlap(other, interaction)),
    )
    if (twin === undefined) return []
    return [{ kind: 'call id repeated', tool: request.name, callId, lane, first: twin.number, second }]
  })
}

function overlap(earlier: Interaction, later: Interaction): boolean {
  return later.overlaps?.includes(earlier.number) === true
}

function isEqual(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
