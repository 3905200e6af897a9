/**
 * Where two runs part: step by step, lane by lane, the request of a step before its answer. Time, ids and signatures
 * do not count (TH-28). Knows no file; whoever calls it names the runs.
 */
import { type Interaction, isHttpInteraction, type Json } from '../core/cassette/document.ts'
import { changeText } from '../divergence/change-text.ts'
import { type JsonChange, jsonChanges } from '../divergence/json-changes.ts'
import { readerPath } from '../divergence/json-path.ts'
import { callLine } from '../divergence/present-call.ts'
import { answerView, attemptView } from './answer-view.ts'
import { comparedRequests } from './compare-requests.ts'
import type { ComparedChange, ComparedRun, Comparison, Coordinates, Difference } from './comparison.ts'
import { noSideFiles, type SideFileReader } from './decoded-answer.ts'
import type { Turn } from './turn.ts'

export interface RunToCompare {
  readonly name: string
  readonly interactions: readonly Interaction[]
  readonly turns: readonly Turn[]
  readonly sideFiles?: SideFileReader
}

export interface CompareOptions {
  /** True: what was asked, and what failed before the answer, does not count. Default false. */
  readonly answersOnly?: boolean
}

/** Compares two runs up to their first difference. */
export function compareRuns(left: RunToCompare, right: RunToCompare, options: CompareOptions = {}): Comparison {
  const runs = { left: describeRun(left), right: describeRun(right) }
  const [lefts, rights] = [stepsByLane(left), stepsByLane(right)]
  const lanes = new Set([...lefts.keys(), ...rights.keys()])
  const firsts = [...lanes].flatMap((lane) => {
    const steps = { left: lefts.get(lane) ?? [], right: rights.get(lane) ?? [] }
    return firstDifference(steps, { options, left, right }) ?? []
  })
  const difference = firsts.toSorted((one, other) => position(one) - position(other))[0]
  return difference === undefined ? { identical: true, ...runs } : { identical: false, ...runs, difference }
}

/** A turn with its attempts, or an interaction that belongs to none. */
interface Step {
  readonly interaction: Interaction
  readonly turn: Turn | undefined
}

interface Sides {
  readonly left: RunToCompare
  readonly right: RunToCompare
  readonly options: CompareOptions
}

function describeRun({ name, turns, interactions }: RunToCompare): ComparedRun {
  return { name, turns: turns.length, interactions: interactions.length }
}

function stepsByLane({ interactions, turns }: RunToCompare): ReadonlyMap<string | undefined, readonly Step[]> {
  const turnOf = new Map(turns.map((turn) => [turn.interaction.number, turn]))
  const attempts = new Set(turns.flatMap((turn) => turn.attempts.map(({ number }) => number)))
  const lanes = new Map<string | undefined, Step[]>()
  for (const interaction of interactions) {
    if (attempts.has(interaction.number)) continue
    const steps = lanes.get(interaction.lane) ?? []
    steps.push({ interaction, turn: turnOf.get(interaction.number) })
    lanes.set(interaction.lane, steps)
  }
  return lanes
}

function position({ left, right }: Difference): number {
  return left?.interaction ?? right?.interaction ?? 0
}

function firstDifference(
  steps: { readonly left: readonly Step[]; readonly right: readonly Step[] },
  sides: Sides,
): Difference | undefined {
  for (let index = 0; index < Math.max(steps.left.length, steps.right.length); index += 1) {
    const [left, right] = [steps.left[index], steps.right[index]]
    if (left === undefined) return { reason: 'left ended', ...coordinates({ right }), changes: [], total: 0 }
    if (right === undefined) return { reason: 'right ended', ...coordinates({ left }), changes: [], total: 0 }
    const found = stepDifference(left, right, sides)
    if (found !== undefined) return { ...found, ...coordinates({ left, right }) }
  }
  return undefined
}

function coordinates(found: {
  readonly left?: Step | undefined
  readonly right?: Step | undefined
}): Pick<Difference, 'left' | 'right'> {
  const { left, right } = found
  return {
    ...(left !== undefined && { left: coordinatesOf(left) }),
    ...(right !== undefined && { right: coordinatesOf(right) }),
  }
}

function coordinatesOf({ interaction, turn }: Step): Coordinates {
  const { number, lane } = interaction
  return {
    interaction: number,
    ...(turn !== undefined && { turn: turn.number }),
    ...(lane !== undefined && { lane }),
    call: callLine(interaction),
  }
}

type StepDifference = Pick<Difference, 'reason' | 'changes' | 'total'>

function stepDifference(left: Step, right: Step, { options, ...runs }: Sides): StepDifference | undefined {
  const kinds = [kindOf(left), kindOf(right)] as const
  if (kinds[0] !== kinds[1])
    return differing('kind', jsonChanges({ step: kinds[0] }, { step: kinds[1] }).map(shownChange))
  const asked = options.answersOnly === true ? [] : comparedRequests(left.interaction, right.interaction)
  if (asked.length > 0) return differing('request', asked)
  const tries =
    options.answersOnly === true ? [] : viewChanges({ attempts: attemptsOf(left) }, { attempts: attemptsOf(right) })
  if (tries.length > 0) return differing('attempts', tries)
  const view = ({ interaction }: Step, run: RunToCompare): Json => answerView(interaction, run.sideFiles ?? noSideFiles)
  const answers = viewChanges(view(left, runs.left), view(right, runs.right))
  return answers.length > 0 ? differing('answer', answers) : undefined
}

/** A tool by its name, since another tool is another step; a failed call differs from one that answered in its answer. */
function kindOf({ interaction, turn }: Step): string {
  if (turn?.isFold === true) return 'fold'
  return isHttpInteraction(interaction) ? interaction.kind : `${interaction.kind} ${interaction.request.name}`
}

function attemptsOf({ turn }: Step): readonly Json[] {
  return turn?.attempts.map(attemptView) ?? []
}

function viewChanges(left: Json, right: Json): readonly ComparedChange[] {
  return jsonChanges(left, right).map(shownChange)
}

function shownChange(place: JsonChange): ComparedChange {
  const { recorded, present } = changeText(place)
  return {
    change: place.change,
    path: readerPath(place.change === 'removed' ? place.recordedPath : place.presentPath),
    ...(recorded !== undefined && { left: recorded }),
    ...(present !== undefined && { right: present }),
  }
}

const maxChanges = 8

function differing(reason: Difference['reason'], changes: readonly ComparedChange[]): StepDifference {
  return { reason, changes: changes.slice(0, maxChanges), total: changes.length }
}
