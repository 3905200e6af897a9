/** Why a cassette is refused when it is opened, as errors: a point that it does not have, and what strict replay does not take. */
import type { Interaction } from '../../core/cassette/document.ts'
import { type OpenRefusal, openRefusals } from '../../core/matching/open-refusals.ts'
import { groupTurns, turnNumbers } from '../../core/turns/group-turns.ts'
import { isWhole, type Part } from '../../core/turns/part.ts'
import { type SplitCassette, splitAtTurns } from '../../core/turns/replay-part.ts'
import { callLine } from '../../divergence/present-call.ts'
import type { RefusedCall } from '../../errors/codes.ts'
import { recordCommand } from '../../errors/commands.ts'
import { ReplayError } from '../../errors/replay-error.ts'
import type { SessionContext } from '../session-context.ts'
import type { Allowances } from '../tape-options.ts'
import type { TestIdentity } from '../test-identity.ts'

const listedCalls = 10

/**
 * The part of a cassette that this test replays. Errors: TURNTAPE_UNKNOWN_POINT where it has no such turn, also where
 * `interactions` is undefined, since there is none.
 */
export function splitOrRefuse(
  { test, options: { part } }: SessionContext,
  interactions: readonly Interaction[] | undefined,
): SplitCassette {
  if (isWhole(part)) return splitAtTurns(interactions ?? [], part)
  const turns = interactions === undefined ? undefined : groupTurns(interactions).length
  const option = unknownPoint(part, turns ?? 0)
  if (option === undefined) return splitAtTurns(interactions ?? [], part)
  const { fullName, cassette } = test
  throw new ReplayError('TURNTAPE_UNKNOWN_POINT', { test: fullName, cassette, option, turn: part[option], turns })
}

/** CU-03: the option that names a turn which is not there. */
export function unknownPoint(part: Part, turns: number): 'from' | 'upTo' | undefined {
  if (isWhole(part)) return undefined
  if (part.from > Math.max(turns, 1)) return 'from'
  return part.upTo !== Number.POSITIVE_INFINITY && part.upTo > turns ? 'upTo' : undefined
}

export interface RefusableCassette {
  /** All of the cassette. */
  readonly interactions: readonly Interaction[]
  readonly split: SplitCassette
}

/** AR-04: throws the first thing for which strict replay refuses this part of a cassette, before any call is served. */
export function refuseOpened(
  { interactions, split }: RefusableCassette,
  { test, options, allow }: Pick<SessionContext, 'test' | 'options'> & { readonly allow: Allowances },
): void {
  const { order, strict } = options
  const [refusal] = refusalsFor({ split, order, allow, strict })
  if (refusal !== undefined) throw refusalError(test, refusal, interactions)
}

interface Strictness {
  readonly split: SplitCassette
  readonly order: 'recorded' | 'any'
  readonly allow: Allowances
  readonly strict: boolean
}

/** What of the refusals is not allowed. */
export function refusalsFor({ split, order, allow, strict }: Strictness): readonly OpenRefusal[] {
  const allowed: Readonly<Record<OpenRefusal['kind'], boolean>> = {
    unverifiable: allow.unhashed,
    substituted: allow.substitution,
    incomplete: allow.incomplete,
    'call id repeated': !strict,
  }
  return openRefusals({ split, order }).filter(({ kind }) => !allowed[kind])
}

function refusalError(test: TestIdentity, refusal: OpenRefusal, interactions: readonly Interaction[]): ReplayError {
  const common = { test: test.fullName, cassette: test.cassette, recordCommand: recordCommand(test) }
  if (refusal.kind === 'call id repeated') {
    const { kind: _kind, ...twins } = refusal
    return new ReplayError('TURNTAPE_CALL_ID_REPEATED', { ...common, ...twins, when: 'loading' })
  }
  const calls = refusedCalls(refusal.marked, interactions)
  const details = { ...common, calls, count: refusal.marked.length }
  switch (refusal.kind) {
    case 'unverifiable':
      return new ReplayError('TURNTAPE_UNVERIFIABLE', { ...details, total: refusal.total })
    case 'substituted':
      return new ReplayError('TURNTAPE_SUBSTITUTED', details)
    case 'incomplete':
      return new ReplayError('TURNTAPE_INCOMPLETE', details)
  }
}

function refusedCalls(
  marked: readonly { readonly number: number; readonly reason: string }[],
  interactions: readonly Interaction[],
): readonly RefusedCall[] {
  const turns = turnNumbers(interactions)
  return marked.slice(0, listedCalls).map(({ number, reason }) => {
    const interaction = interactions[number - 1] as Interaction
    const turn = turns.get(number)
    return {
      number,
      request: callLine(interaction),
      reason,
      ...(turn === undefined ? {} : { turn }),
      ...(interaction.lane === undefined ? {} : { lane: interaction.lane }),
    }
  })
}
