import type { Interaction } from '../core/cassette/document.ts'
import { jsonEqual } from '../core/cassette/json-equal.ts'
import { dates } from '../core/matching/dates.ts'
import type { NormalisedRequest, Normaliser } from '../core/matching/normaliser.ts'
import { paths } from '../core/matching/paths.ts'
import { uuids } from '../core/matching/uuids.ts'
import type { Hint } from '../errors/divergence-details.ts'
import type { DivergenceInput } from './divergence-input.ts'
import { ownCopy } from './present-call.ts'
import type { CallPair, RequestChange } from './request-changes.ts'

type VolatileHint = Extract<Hint, { readonly kind: 'volatile' }>

const maxVersionHints = 2

/** The tool's own version and the runner's say nothing about a request. */
const notAnSdk = new Set(['turntape', 'node', 'vitest', 'jest'])

const readyNormalisers: readonly {
  readonly what: VolatileHint['what']
  readonly call: string
  readonly normaliser: Normaliser
}[] = [
  { what: 'dates', call: 'dates()', normaliser: dates() },
  { what: 'uuids', call: 'uuids()', normaliser: uuids() },
  { what: 'temporary paths', call: 'paths()', normaliser: paths() },
]

/** Only volatile values differ: the fewest ready normalisers that make both sides equal. */
export function volatileHints({ recorded, present }: CallPair): Hint[] {
  const subsets = [1, 2, 4, 3, 5, 6, 7].map((bits) =>
    readyNormalisers.filter((_, index) => (bits & (1 << index)) !== 0),
  )
  const all = readyNormalisers.map(({ normaliser }) => normaliser)
  if (!equalUnder(all, { recorded, present })) return []
  const needed =
    subsets.find((subset) =>
      equalUnder(
        subset.map(({ normaliser }) => normaliser),
        { recorded, present },
      ),
    ) ?? []
  const line = `normalise: [${needed.map(({ call }) => call).join(', ')}]`
  return needed.map(({ what }) => ({ kind: 'volatile', what, line }))
}

function equalUnder(normalisers: readonly Normaliser[], { recorded, present }: CallPair): boolean {
  const apply = (request: NormalisedRequest) =>
    normalisers.reduce((current, normaliser) => normaliser(current), request)
  const [left, right] = [apply(ownCopy(recorded)), apply(ownCopy(present))]
  return left.url === right.url && jsonEqual(left.headers, right.headers) && jsonEqual(left.body, right.body)
}

const outputLimits: ReadonlySet<string> = new Set([
  'max_tokens',
  'max_completion_tokens',
  'max_output_tokens',
  'generationConfig.maxOutputTokens',
  'options.num_predict',
])

/** AR-24: nothing but the limit of the output differs. */
export function outputLimitHints(changes: readonly RequestChange[]): Hint[] {
  const limits = changes.map(({ member, place }) => {
    const path = (place.change === 'removed' ? place.recordedPath : place.presentPath).join('.')
    return member === 'body' && outputLimits.has(path) ? path : undefined
  })
  if (limits.length === 0 || limits.includes(undefined)) return []
  const members = limits.map((path) => `'${path}'`).join(', ')
  return [{ kind: 'output limit', line: `normalise: [ignoreMembers(${members})]` }]
}

/** Where the request stands in the recording, if it is there at all. */
export function placeHints(input: DivergenceInput, turns: ReadonlyMap<number, number>): Hint[] {
  const hints: Hint[] = []
  const playedTurn = input.played === undefined ? undefined : turns.get(input.played)
  if (playedTurn !== undefined) hints.push({ kind: 'repeats', turn: playedTurn })
  if (playedTurn !== undefined && isFold(input, input.played)) hints.push({ kind: 'fold again', turn: playedTurn })
  const turn = input.equals === undefined ? undefined : turns.get(input.equals)
  const skipped = turn === undefined ? [] : skippedTurns(input, turns)
  if (turn !== undefined && skipped.length > 0) {
    const folds = skipped.filter((one) => isFoldTurn(input, one, turns))
    hints.push({ kind: 'skips', turn, skipped, ...(folds.length === 0 ? {} : { folds }) })
  }
  const lanes = new Set(input.interactions.map(({ lane }) => lane))
  if (input.interactions.length > 0 && !lanes.has(input.lane)) {
    hints.push({ kind: 'lanes', present: input.lane, recorded: [...lanes].filter((lane) => lane !== undefined) })
  }
  return hints
}

function isFold({ interactions }: DivergenceInput, number: number | undefined): boolean {
  const interaction = interactions.find((one) => one.number === number)
  return interaction?.kind === 'model' && interaction.fold === true
}

function isFoldTurn(input: DivergenceInput, turn: number, turns: ReadonlyMap<number, number>): boolean {
  return input.interactions.some(({ number }) => turns.get(number) === turn && isFold(input, number))
}

function skippedTurns(
  { interactions, lane, served, equals = 0 }: DivergenceInput,
  turns: ReadonlyMap<number, number>,
): number[] {
  const isSkipped = (interaction: Interaction) =>
    interaction.lane === lane && interaction.number < equals && !served.has(interaction.number)
  const skipped = interactions.filter(isSkipped).map(({ number }) => turns.get(number))
  return [...new Set(skipped.filter((turn) => turn !== undefined && turn !== turns.get(equals)))] as number[]
}

/** Recorded under other versions of what builds the requests. */
export function versionHints({ recordedWith, runningWith }: DivergenceInput): Hint[] {
  return Object.keys(recordedWith)
    .filter(
      (name) => !notAnSdk.has(name) && Object.hasOwn(runningWith, name) && recordedWith[name] !== runningWith[name],
    )
    .sort()
    .slice(0, maxVersionHints)
    .map((name) => ({
      kind: 'versions',
      name,
      recorded: recordedWith[name] as string,
      present: runningWith[name] as string,
    }))
}
