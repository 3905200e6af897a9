/**
 * The port of the providers' decoders: pure reducers from events to an answer. What streams in is put together to the
 * form the same call has without streaming, and that form is read into blocks: so the two cannot drift apart.
 */
import type { Json } from '../core/cassette/document.ts'
import type { AnswerState } from './answer-state.ts'
import type { DecodedAnswer, Wire } from './block.ts'

export interface WireDecoder {
  readonly wire: Wire
  /** One event, or the one value of an answer without streaming. Never throws; the state given stays as it was. */
  reduce(state: AnswerState, event: WireEvent): AnswerState
  /** The answer so far. */
  read(state: AnswerState): DecodedAnswer
  /**
   * F17: paths (as `ignoreMembers` takes them) of the members of events and answers that differ from run to run with
   * the same content: ids, dates, fingerprints, timings, signatures.
   */
  readonly volatileMembers: readonly string[]
}

export interface WireEvent {
  /** The SSE event name. */
  readonly name?: string
  /** A payload that is no JSON is the string it was. */
  readonly data: Json
}
