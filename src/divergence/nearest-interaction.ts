import type { Interaction, Json } from '../core/cassette/document.ts'
import { jsonEqual } from '../core/cassette/json-equal.ts'
import type { DivergenceInput } from './divergence-input.ts'
import { isJsonObject, memberOf } from './json-path.ts'
import { type ComparableCall, comparableCall } from './present-call.ts'
import { requestChanges } from './request-changes.ts'

/** How many of the most similar interactions are compared in full. */
const maxCompared = 3

/** From this score on an interaction counts as the same call, only changed. 0 to 1. */
const sameCallScore = 0.35

/**
 * The recorded interaction that a reader should see beside the present request: the one that it equals, else the one
 * expected here if it is alike, else the most similar one, those still to come first. Undefined: none is alike.
 */
export function nearestInteraction(input: DivergenceInput): Interaction | undefined {
  const byNumber = (number: number | undefined) =>
    input.interactions.find((interaction) => interaction.number === number)
  const equal = byNumber(input.equals ?? input.played) ?? input.interactions.find(({ hash }) => hash === input.hash)
  if (equal !== undefined) return equal
  const present = comparableCall(input.present)
  const expected = byNumber(input.expected)
  if (expected !== undefined && similarity(comparableCall(expected), present) >= sameCallScore) return expected
  return mostSimilar(input, present)
}

function mostSimilar(input: DivergenceInput, present: ComparableCall): Interaction | undefined {
  const best = input.interactions
    .map((interaction) => {
      const score = similarity(comparableCall(interaction), present)
      return { interaction, score: score === 0 ? 0 : score + preference(input, interaction) }
    })
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, maxCompared)
  const counted = best.map((candidate) => ({ ...candidate, changes: changeCount(candidate.interaction, present) }))
  return counted.sort((a, b) => a.changes - b.changes || b.score - a.score)[0]?.interaction
}

function changeCount(interaction: Interaction, present: ComparableCall): number {
  return requestChanges({ recorded: comparableCall(interaction), present }).length
}

/** Breaks ties: what is still to come in the same lane, then what is still to come. */
function preference({ lane, served }: DivergenceInput, interaction: Interaction): number {
  const ownLane = interaction.lane === lane ? 0.1 : 0
  return ownLane + (served.has(interaction.number) ? 0 : 0.15)
}

/** 0: another kind of call. Up to 1: all alike. Cheap: members are compared whole, arrays by their common head. */
function similarity(recorded: ComparableCall, present: ComparableCall): number {
  if (recorded.kind !== present.kind && !(isHttp(recorded) && isHttp(present))) return 0
  if (recorded.method !== present.method) return 0
  const place = placeSimilarity(recorded.url, present.url)
  return place === 0 ? 0 : 0.4 * place + 0.6 * bodySimilarity(recorded.body, present.body)
}

function isHttp({ kind }: ComparableCall): boolean {
  return kind === 'model' || kind === 'http'
}

/** 1: the same URL or name. 0.5: the same host and last part of the path, or the same path elsewhere. */
function placeSimilarity(recorded: string, present: string): number {
  const [left, right] = [recorded.split('?', 1)[0] as string, present.split('?', 1)[0] as string]
  if (left === right) return 1
  if (!URL.canParse(left) || !URL.canParse(right)) return 0
  const [a, b] = [new URL(left), new URL(right)]
  return a.host === b.host || a.pathname === b.pathname ? 0.5 : 0
}

function bodySimilarity(recorded: Json | undefined, present: Json | undefined): number {
  if (!isJsonObject(recorded) || !isJsonObject(present)) return jsonEqual(recorded, present) ? 1 : 0
  const names = new Set([...Object.keys(recorded), ...Object.keys(present)])
  if (names.size === 0) return 1
  let total = 0
  for (const name of names) total += memberSimilarity(memberOf(recorded, name), memberOf(present, name))
  return total / names.size
}

function memberSimilarity(recorded: Json | undefined, present: Json | undefined): number {
  if (recorded === undefined || present === undefined) return 0
  if (!Array.isArray(recorded) || !Array.isArray(present)) return jsonEqual(recorded, present) ? 1 : 0.2
  const longer = Math.max(recorded.length, present.length)
  const shorter = Math.min(recorded.length, present.length)
  let head = 0
  while (head < shorter && jsonEqual(recorded[head] as Json, present[head] as Json)) head += 1
  return longer === 0 ? 1 : 0.2 + 0.4 * (head / longer) + 0.4 * (shorter / longer)
}
