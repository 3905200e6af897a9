import type { Interaction } from '../core/cassette/document.ts'
import type { Normaliser } from '../core/matching/normaliser.ts'
import type { DivergenceDetails, DivergenceKind } from '../errors/divergence-details.ts'
import type { PresentCall } from './present-call.ts'

/** All that is known when a run leaves its cassette. Both sides are redacted, in stored form. */
export interface DivergenceInput {
  readonly kind: DivergenceKind
  readonly test: string
  /** Relative to the package root. */
  readonly cassette: string
  readonly mode: string
  readonly ci: boolean
  readonly present: PresentCall
  /** The present request's hash. */
  readonly hash: string
  readonly lane: string | undefined
  /** The turn the run was at, 1-based; undefined for a call that is no model call. */
  readonly turn: number | undefined
  /** All of the cassette. */
  readonly interactions: readonly Interaction[]
  /** Those that this test replays. Default: all. */
  readonly replayed?: readonly Interaction[]
  /** `wrong kind`: what the run made and what the recording has. */
  readonly steps?: DivergenceDetails['steps']
  /** The option `upTo`, where the cassette goes on behind it. */
  readonly upTo?: number
  /** Numbers of the interactions already served in this run. */
  readonly served: ReadonlySet<number>
  /** From the queue: the interaction whose turn it was. */
  readonly expected: number | undefined
  /** `reordered`: the later interaction that it equals. */
  readonly equals: number | undefined
  /** The interaction that it equals and that was already served. */
  readonly played: number | undefined
  readonly recordedWith: Readonly<Record<string, string>>
  /** The same names as they are in this run. */
  readonly runningWith: Readonly<Record<string, string>>
  /** Records this one test anew. */
  readonly recordCommand: string
  /** Runs this one test in mode `update`, where the runner has such a flag. */
  readonly updateCommand?: string
  /** Commits a pending recording that has this call. */
  readonly acceptCommand?: string
  readonly order: 'recorded' | 'any'
  /**
   * Every normaliser in force, the built-in ones included. Changes that it makes equal are not shown. It may change in
   * place what it gets. Absent: nothing is normalised.
   */
  readonly normalise?: Normaliser
}
