import type { Json, ValueInteraction } from '../../core/cassette/document.ts'
import { buildFailure } from '../../replaying/build-failure.ts'
import type { Pace } from '../../replaying/pace.ts'
import type { RunEntry } from '../run-log.ts'
import type { SessionContext } from '../session-context.ts'
import type { StreamGate } from '../stepping/stream-gate.ts'
import { readPastElements } from './still-waiting.ts'
import { type Serving, takeRecorded } from './take-recorded.ts'
import { gateOf, type PlacedValue } from './value-call.ts'
import type { AnyCodec } from './value-codec.ts'
import { type ElementGiver, serveElements } from './value-elements.ts'

/** What the recorded call gave, and what is told and kept of it. Errors: TURNTAPE_CASSETTE_EDITED, and what was recorded. */
export function serveValue(
  context: SessionContext,
  { call, entry, request, hash }: PlacedValue,
  serving: Serving,
): unknown {
  const recorded = takeRecorded<ValueInteraction>(context, serving, { entry, made: { request, hash } })
  const pace = context.paces.start()
  return give(recorded, {
    codec: call.codec,
    realm: context.realm,
    end: () => context.log.end(entry),
    isAnswered: call.pushed?.isAnswered,
    readPast: () => refuseToReadOn(context, { entry, lane: call.lane, recorded }),
    pace,
    gate: () => gateOf(context, call, pace),
  })
}

interface ReadOn {
  readonly entry: RunEntry
  readonly lane: string | undefined
  readonly recorded: ValueInteraction
}

// Where it is allowed, it is the end, and the report says so. A body of HTTP stays open instead: its caller may abort.
function refuseToReadOn(context: SessionContext, { entry, lane, recorded }: ReadOn): void {
  const error = readPastElements(context, recorded)
  if (!context.options.allow.incomplete) {
    context.failures.addForLane(error, lane)
    throw error
  }
  context.waiting.set(entry, error)
}

interface Giving {
  readonly codec: AnyCodec | undefined
  /** The test's own: what is given are plain objects and errors of it, as the live function gave them. */
  readonly realm: typeof globalThis
  readonly end: () => void
  readonly isAnswered: ElementGiver['isAnswered']
  readonly readPast: () => void
  /** The clock of what is given. Absent: all at once. */
  readonly pace: Pace | undefined
  /** Made for an iterable alone. */
  readonly gate: () => StreamGate | undefined
}

function give({ result, timing }: Pick<ValueInteraction, 'result' | 'timing'>, giving: Giving): unknown {
  const { codec, realm, end, pace, readPast } = giving
  const own = (stored: Json): unknown => {
    const value: unknown = realm.JSON.parse(JSON.stringify(stored))
    return codec?.decode === undefined ? value : codec.decode(value as never)
  }
  if ('elements' in result) {
    const { isAnswered } = giving
    return serveElements(result, { value: own, realm, end, isAnswered, pace, readPast, gate: giving.gate() })
  }
  const settled = (): unknown => {
    end()
    if ('error' in result) throw buildFailure(result.error, realm)
    return 'value' in result ? own(result.value) : undefined
  }
  if (result.sync) return settled()
  const due = pace?.wait(timing.headMs)
  // What `decode` throws rejects, as the live value would.
  if (due === undefined) return new realm.Promise((resolve) => resolve(settled()))
  return new realm.Promise((resolve, reject) => {
    due.then(settled).then(resolve, reject)
  })
}
