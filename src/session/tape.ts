import type { CapUsage } from '../core/cassette/caps.ts'
import type { Interaction, Json } from '../core/cassette/document.ts'
import type { RecordMode } from '../core/modes/record-mode.ts'
import { buildTurns, type Turn } from '../core/turns/turn.ts'
import { ReplayError } from '../errors/replay-error.ts'
import { isNested } from './nested.ts'
import type { TapeSession } from './tape-session.ts'
import { workerState } from './worker-state.ts'

/** Any function; the wrapped one keeps its type. */
// biome-ignore lint/suspicious/noExplicitAny: a constraint that every function type meets
export type AnyFunction = (...args: any[]) => any

/** The live object of one test: it records or replays while the test runs. */
export interface Tape {
  readonly mode: RecordMode
  /** Relative to the package root. */
  readonly cassettePath: string
  /** The recording's date, for `vi.setSystemTime`; while recording, the date it will have. Undefined: no recording. */
  readonly recordedAt: Date | undefined
  /** The turns of this run so far. */
  readonly turns: readonly Turn[]
  /** The turns on the cassette. */
  readonly recorded: readonly Turn[]
  /** The interactions of this run so far that are complete. */
  readonly interactions: readonly Interaction[]
  /** Counts, limits, and the cap that is near. */
  readonly caps: CapUsage
  /**
   * The same function, recorded: each call's arguments and result go to the cassette, and in replay the function itself
   * is not called. Arguments and result must survive JSON (TURNTAPE_VALUE_NOT_JSON).
   */
  tool<F extends AnyFunction>(name: string, fn: F): F
  /** Records and replays any seam that is neither HTTP nor a tool. HTTP made inside `live` is part of it. */
  call<R>(name: string, request: Json, live: () => AsyncIterable<R>): AsyncIterable<R>
  call<R>(name: string, request: Json, live: () => Promise<R>): Promise<R>
  /** Names the logical caller of every call made inside `fn`. A lane has its own order. */
  lane<R>(key: string, fn: () => R): R
  /** Replay from the start again. Errors: TURNTAPE_RESET_WHILE_RECORDING. */
  reset(): void
}

/** The tape of a session, or of whichever session `current` gives at each use. */
export function tapeOf(current: () => TapeSession): Tape {
  return {
    get mode() {
      return current().context.mode.mode
    },
    get cassettePath() {
      return current().context.test.cassette
    },
    get recordedAt() {
      const { source, rules, openedAt } = current().context
      const recorded = source()?.stored.cassette.recordedAt
      if (recorded !== undefined) return new Date(recorded)
      return rules.writes === 'never' ? undefined : new Date(openedAt)
    },
    get turns() {
      return buildTurns(current().context.log.interactions())
    },
    get recorded() {
      return buildTurns(current().context.source()?.interactions ?? [])
    },
    get interactions() {
      return current().context.log.interactions()
    },
    get caps() {
      return current().caps
    },
    tool(name, fn) {
      return recordedFunction(name, fn, current)
    },
    call: ((name: string, request: Json, live: () => unknown) =>
      callValue(current(), { kind: 'call', name, input: request, live })) as Tape['call'],
    lane(key, fn) {
      return workerState().lanes.run(key, fn)
    },
    reset() {
      current().reset()
    },
  }
}

function recordedFunction<F extends AnyFunction>(name: string, fn: F, current: () => TapeSession): F {
  return new Proxy(fn, {
    apply(target, self: unknown, args: unknown[]) {
      const live = (): unknown => Reflect.apply(target, self, args)
      return callValue(current(), { kind: 'tool', name, input: args, live })
    },
  })
}

function callValue(
  session: TapeSession,
  call: {
    readonly kind: 'tool' | 'call'
    readonly name: string
    readonly input: unknown
    readonly live: () => unknown
  },
): unknown {
  const state = workerState()
  if (isNested()) return call.live() // part of the recorded call around it
  if (session.closed) {
    const request = `${call.kind} ${call.name}`
    const { test, mode } = session.context
    throw new ReplayError('TURNTAPE_LATE_CALL', { request, test: test.fullName, mode: mode.mode, refused: true })
  }
  return session.value({ ...call, lane: state.lanes.getStore() })
}
