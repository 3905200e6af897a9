import type { ValueInteraction } from '../../core/cassette/document.ts'
import type { Pace } from '../../replaying/pace.ts'
import type { RunEntry } from '../run-log.ts'
import type { SessionContext } from '../session-context.ts'
import type { StreamGate } from '../stepping/stream-gate.ts'
import type { PushedAnswer } from './pushed-elements.ts'
import type { AnyCodec } from './value-codec.ts'

export interface ValueCall {
  readonly kind: 'tool' | 'call'
  readonly name: string
  readonly input: unknown
  readonly lane: string | undefined
  /** The id under which the model asked for this call; undefined where the caller is not told. */
  readonly callId?: string | undefined
  /** Absent: values are JSON themselves. */
  readonly codec?: AnyCodec | undefined
  /** The real thing: a value, a promise of one, or an async iterable. */
  readonly live: () => unknown
  /** Instead of `live`, where the call is recorded: it gives nothing, and says what it has to say bit by bit. */
  readonly pushed?: PushedAnswer | undefined
}

/** A call with its place in the run's log, as it would be stored. */
export interface PlacedValue {
  readonly call: ValueCall
  readonly entry: RunEntry
  readonly request: ValueInteraction['request']
  readonly hash: string
}

/** What holds an iterable: a test steps through those of `call`, not through those of tools and connections. */
export function gateOf({ holds }: SessionContext, call: ValueCall, pace?: Pace): StreamGate | undefined {
  const { kind, lane, pushed } = call
  return kind === 'call' && pushed === undefined ? holds.gate(lane, pace) : undefined
}
