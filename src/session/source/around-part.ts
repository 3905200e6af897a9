/**
 * What a written cassette keeps of the committed one beside the turns that this test replays (`from`, `upTo`). What lies
 * before stays in any case; what lies behind stays unless the run went on another way.
 */
import type { Interaction } from '../../core/cassette/document.ts'
import type { SessionContext } from '../session-context.ts'
import type { RecordingSource } from './recording-source.ts'
import { splitOrRefuse } from './refuse-cassette.ts'

/**
 * Read before anything is paid for. Undefined: nothing lies around. Errors: TURNTAPE_UNKNOWN_POINT, in `record` too, which
 * keeps the turns before `from`.
 */
export function readAround(context: SessionContext): Pick<RecordingSource, 'split' | 'sideFiles'> | undefined {
  const { host, options, rules, test } = context
  if (rules.match === 'replays') return context.source()
  if (rules.match === 'network' || options.part.from === 1) return undefined
  const stored = host.store.read(test.cassette, options.caps)
  const split = splitOrRefuse(context, stored?.cassette.interactions)
  // Recorded anew to its end: nothing behind the point stays.
  return stored === undefined ? undefined : { split: { ...split, after: [] }, sideFiles: stored.sideFiles }
}

/** The interactions of the run with those that stay around them, numbered in order. */
export function withPartsAround(context: SessionContext, run: readonly Interaction[]): readonly Interaction[] {
  const around = context.around()
  if (around === undefined) return run
  const { split } = around
  const source = context.source()
  const served = new Set(source?.queue.servedNumbers())
  const before = split.before.filter(({ number }) => !served.has(number))
  const goesOn =
    context.log.count('live') > 0 || (context.rules.unused === 'dropped' && source?.queue.unused().length !== 0)
  const after = goesOn ? [] : split.after
  if (before.length === 0 && after.length === 0) return run
  const places = new Map<number, number>()
  for (const [index, { number }] of before.entries()) places.set(number, index + 1)
  const behind = before.length + run.length
  for (const [index, { number }] of after.entries()) places.set(number, behind + index + 1)
  // With as many calls as recorded, those behind them still stand where they stood.
  const isInPlace = after[0]?.number === behind + 1
  const moved = (one: Interaction): Interaction => {
    const number = places.get(one.number) as number
    return placed(
      one,
      number,
      one.overlaps?.flatMap((other) => places.get(other) ?? (isInPlace ? [other] : [])),
    )
  }
  const own = run.map((one) =>
    placed(
      one,
      one.number + before.length,
      one.overlaps?.map((other) => other + before.length),
    ),
  )
  return [...before.map(moved), ...own, ...after.map(moved)]
}

function placed(interaction: Interaction, number: number, overlaps: readonly number[] = []): Interaction {
  const { overlaps: _overlaps, ...rest } = interaction
  return {
    ...rest,
    number,
    ...(overlaps.length > 0 ? { overlaps: [...overlaps].sort((a, b) => a - b) } : {}),
  } as Interaction
}
