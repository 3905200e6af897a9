import type { Json } from '../core/cassette/document.ts'
import { jsonEqual } from '../core/cassette/json-equal.ts'
import { compactJson } from './compact-json.ts'
import { isJsonObject, stringAt } from './json-path.ts'

/** Which element of the recorded array became which of the present one; one side absent: removed or added. */
export interface AlignedPair {
  readonly recorded: number | undefined
  readonly present: number | undefined
}

/** Beyond this many pairs elements are taken in the order they stand. */
const maxPairs = 40_000

/** Up to this many pairs, elements that differ are also compared by their words. */
const maxFuzzyPairs = 2_500

const maxComparedCharacters = 2_000

/**
 * Aligns two arrays so that an inserted or removed element shows as that alone. In order; elements that moved show
 * as removed and added.
 */
export function alignArrays(recorded: readonly Json[], present: readonly Json[]): AlignedPair[] {
  if (recorded.length === 1 && present.length === 1) return [{ recorded: 0, present: 0 }]
  const shorter = Math.min(recorded.length, present.length)
  let head = 0
  while (head < shorter && jsonEqual(recorded[head], present[head])) head += 1
  let tail = 0
  while (tail < shorter - head && jsonEqual(recorded.at(-1 - tail), present.at(-1 - tail))) tail += 1
  const middle = alignMiddle(recorded.slice(head, recorded.length - tail), present.slice(head, present.length - tail))
  return [
    ...pairsOf({ count: head, recordedFrom: 0, presentFrom: 0 }),
    ...middle.map((pair) => ({ recorded: shifted(pair.recorded, head), present: shifted(pair.present, head) })),
    ...pairsOf({ count: tail, recordedFrom: recorded.length - tail, presentFrom: present.length - tail }),
  ]
}

function alignMiddle(recorded: readonly Json[], present: readonly Json[]): AlignedPair[] {
  const pairs = recorded.length * present.length
  if (pairs === 0) return unpaired(recorded.length, present.length)
  if (pairs === 1) return [{ recorded: 0, present: 0 }]
  if (pairs > maxPairs) {
    return inOrder(recorded.length, present.length)
  }
  return bestAlignment(recorded, present, pairs <= maxFuzzyPairs ? fuzzyScore : plainScore)
}

type Score = (recorded: Item, present: Item) => number

interface Item {
  readonly value: Json
  readonly signature: string
  /** Made when first compared by words. */
  words: ReadonlySet<string> | undefined
}

/** The alignment of the greatest total score (dynamic programming from the ends); a score of 0 forbids the pair. */
function bestAlignment(recorded: readonly Json[], present: readonly Json[], score: Score): AlignedPair[] {
  const left = recorded.map(itemOf)
  const right = present.map(itemOf)
  const width = right.length + 1
  const scores = left.map((item) => right.map((other) => score(item, other)))
  const best = totalScores(scores, width)
  const pairs: AlignedPair[] = []
  let i = 0
  let j = 0
  while (i < left.length && j < right.length) {
    const own = scores[i]?.[j] ?? 0
    const total = best[i * width + j] as number
    if (own > 0 && total === own + (best[(i + 1) * width + j + 1] as number))
      pairs.push({ recorded: i++, present: j++ })
    else if (total === best[(i + 1) * width + j]) pairs.push({ recorded: i++, present: undefined })
    else pairs.push({ recorded: undefined, present: j++ })
  }
  while (i < left.length) pairs.push({ recorded: i++, present: undefined })
  while (j < right.length) pairs.push({ recorded: undefined, present: j++ })
  return pairs
}

/** `totals[i * width + j]`: the best total of what is left from element `i` and `j` on. */
function totalScores(scores: readonly (readonly number[])[], width: number): Float64Array {
  const totals = new Float64Array((scores.length + 1) * width)
  for (let i = scores.length - 1; i >= 0; i -= 1) {
    for (let j = width - 2; j >= 0; j -= 1) {
      const own = scores[i]?.[j] ?? 0
      const paired = own === 0 ? 0 : own + (totals[(i + 1) * width + j + 1] as number)
      totals[i * width + j] = Math.max(
        paired,
        totals[(i + 1) * width + j] as number,
        totals[i * width + j + 1] as number,
      )
    }
  }
  return totals
}

function plainScore(recorded: Item, present: Item): number {
  if (recorded.signature !== present.signature) return 0
  return jsonEqual(recorded.value, present.value) ? 1 : 0.1
}

function fuzzyScore(recorded: Item, present: Item): number {
  const plain = plainScore(recorded, present)
  return plain === 0 || plain === 1 ? plain : plain + 0.8 * sharedWords(wordsOf(recorded), wordsOf(present))
}

function itemOf(value: Json): Item {
  const signature = isJsonObject(value)
    ? `${stringAt(value, 'role') ?? ''}/${stringAt(value, 'type') ?? ''}`
    : typeof value
  return { value, signature, words: undefined }
}

function wordsOf(item: Item): ReadonlySet<string> {
  item.words ??= new Set(compactJson(item.value, maxComparedCharacters).match(/[\p{L}\p{N}_]+/gu) ?? [])
  return item.words
}

/** 0 to 1: the share of words that both have. */
function sharedWords(left: ReadonlySet<string>, right: ReadonlySet<string>): number {
  let shared = 0
  for (const word of left) if (right.has(word)) shared += 1
  return shared / Math.max(left.size + right.size - shared, 1)
}

interface Run {
  readonly count: number
  readonly recordedFrom: number
  readonly presentFrom: number
}

function pairsOf({ count, recordedFrom, presentFrom }: Run): AlignedPair[] {
  return Array.from({ length: count }, (_, index) => ({ recorded: recordedFrom + index, present: presentFrom + index }))
}

function unpaired(recorded: number, present: number): AlignedPair[] {
  return [
    ...Array.from({ length: recorded }, (_, index) => ({ recorded: index, present: undefined })),
    ...Array.from({ length: present }, (_, index) => ({ recorded: undefined, present: index })),
  ]
}

function inOrder(recorded: number, present: number): AlignedPair[] {
  const shorter = Math.min(recorded, present)
  const rest = unpaired(recorded - shorter, present - shorter)
  const shiftedRest = rest.map((pair) => ({
    recorded: shifted(pair.recorded, shorter),
    present: shifted(pair.present, shorter),
  }))
  return [...pairsOf({ count: shorter, recordedFrom: 0, presentFrom: 0 }), ...shiftedRest]
}

function shifted(index: number | undefined, by: number): number | undefined {
  return index === undefined ? undefined : index + by
}
