/** Plays calls against recorded ones through the real queue and explains the first that is not served. */
import type { HttpRequest, Interaction } from '../../src/core/cassette/document.ts'
import { hashRequest, hashValueRequest } from '../../src/core/hashing/request-hash.ts'
import { ReplayQueue } from '../../src/core/matching/replay-queue.ts'
import { turnNumbers } from '../../src/core/turns/group-turns.ts'
import type { DivergenceInput } from '../../src/divergence/divergence-input.ts'
import { explainDivergence } from '../../src/divergence/explain-divergence.ts'
import type { PresentCall } from '../../src/divergence/present-call.ts'
import { recordCommand, vitestUpdateCommand } from '../../src/errors/commands.ts'
import { divergenceCodes } from '../../src/errors/divergence-codes.ts'
import type { DivergenceDetails } from '../../src/errors/divergence-details.ts'
import { ReplayError } from '../../src/errors/replay-error.ts'

const test = { file: 'test/trip.test.ts', names: ['trip planner', 'says whether to take an umbrella'] }

export interface LaneCall {
  readonly lane?: string
  readonly call: PresentCall
}

/** A model call in the unnamed lane. */
export function modelCall(request: HttpRequest, lane?: string): LaneCall {
  return { call: { kind: 'model', request }, ...(lane === undefined ? {} : { lane }) }
}

/** An interaction that answered 200 with an empty body, or gave `null`. */
function recordedAs({ call, lane }: LaneCall, number: number): Interaction {
  const base = { number, ...(lane === undefined ? {} : { lane }), hash: hashOf(call), timing: { startMs: number } }
  switch (call.kind) {
    case 'model':
    case 'http':
      return { ...base, kind: call.kind, request: call.request, response: { status: 200, headers: [] } }
    case 'tool':
    case 'call':
      return { ...base, kind: call.kind, request: call.request, result: { value: null } }
  }
}

export function diverge(
  recorded: readonly LaneCall[],
  run: readonly LaneCall[],
  overrides: Partial<DivergenceInput> = {},
): DivergenceDetails {
  const interactions = recorded.map((entry, index) => recordedAs(entry, index + 1))
  const order = overrides.order ?? 'recorded'
  const queue = new ReplayQueue(interactions, order)
  let turn = 0
  for (const { call, lane } of run) {
    const hash = hashOf(call)
    const taken = queue.take({ lane, hash, sameAs: () => false })
    if (call.kind === 'model') turn += 1
    if (taken.kind === 'served') continue
    return explainDivergence({
      kind: taken.kind,
      test: test.names.join(' > '),
      cassette: 'cassettes/test/trip.test/trip-planner__says-whether-to-take-an-umbrella.json',
      mode: 'auto',
      ci: false,
      present: call,
      hash,
      lane,
      turn: call.kind === 'model' ? turn : undefined,
      interactions,
      served: new Set(queue.servedNumbers()),
      expected: 'expected' in taken ? taken.expected : undefined,
      equals: 'equals' in taken ? taken.equals : undefined,
      played: 'played' in taken ? taken.played : undefined,
      recordedWith: { turntape: '0.1.0', node: '20.20.2', openai: '6.49.0' },
      runningWith: { turntape: '0.1.0', node: '20.20.2', openai: '6.49.0' },
      recordCommand: recordCommand(test),
      updateCommand: vitestUpdateCommand(test),
      order,
      ...overrides,
    })
  }
  throw new Error(`the run followed the recording, ${turnNumbers(interactions).size} turns`)
}

/** The message as a runner prints it. */
export function messageOf(details: DivergenceDetails): string {
  return new ReplayError(divergenceCodes[details.kind], details).message
}

function hashOf(call: PresentCall): string {
  switch (call.kind) {
    case 'model':
    case 'http':
      return hashRequest(call.request)
    case 'tool':
    case 'call':
      return hashValueRequest({ kind: call.kind, ...call.request })
  }
}
