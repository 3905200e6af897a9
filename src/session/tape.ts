import type { CapUsage } from '../core/cassette/caps.ts'
import type { Interaction, Json } from '../core/cassette/document.ts'
import type { RecordMode } from '../core/modes/record-mode.ts'
import type { SideFileReader } from '../trajectory/decoded-answer.ts'
import { nextRecordedTurn, withSettingsOf } from '../trajectory/recorded-settings.ts'
import { type TokenUsage, tokenUsage } from '../trajectory/token-usage.ts'
import { buildTrajectory, type Turn } from '../trajectory/turn.ts'
import type { Settings } from '../wire/request-reader.ts'
import { callValue } from './calls/call-value.ts'
import { runFold } from './calls/fold.ts'
import type { Served } from './calls/served-calls.ts'
import type { AnyCodec, AnyFunction, CallOptions, ToolOptions } from './calls/value-codec.ts'
import type { Stepper } from './stepping/lane-stepper.ts'
import type { TapeSession } from './tape-session.ts'
import { recordedFunction } from './tools/recorded-function.ts'
import { recordedTools } from './tools/recorded-tools.ts'
import type { RecordTool } from './tools/tool-call.ts'
import { workerState } from './worker-state.ts'

/** The live object of one test: it records or replays while the test runs. */
export interface Tape {
  readonly mode: RecordMode
  /** Relative to the package root. */
  readonly cassettePath: string
  /**
   * The recording's date, for `vi.setSystemTime`: kept as long as any of it is replayed. While recording anew, the date it
   * will have. Undefined: no recording.
   */
  readonly recordedAt: Date | undefined
  /** The turns of this run so far. */
  readonly turns: readonly Turn[]
  /** The turns on the cassette. */
  readonly recorded: readonly Turn[]
  /** The interactions of this run so far that are complete. */
  readonly interactions: readonly Interaction[]
  /** Tokens of this run so far, by model: of turns, of failed attempts that say theirs, of model calls that are no turn. */
  readonly usage: TokenUsage
  /** Counts, limits, and the cap that is near. */
  readonly caps: CapUsage
  /**
   * The settings in force at a turn, 1-based, as the cassette counts them: of this run where it is there already, else of the
   * recording. Undefined: neither has such a turn, or it speaks no known wire.
   */
  settingsAt(turn: number): Settings | undefined
  /**
   * The request body, as it goes over the wire, with the instructions and tools of the turn that the recording has next
   * in this lane; folds are passed over. The very same request where there is no recording, no next turn, or none of a
   * known wire.
   */
  applyRecordedSettings<Request extends object>(request: Request): Request
  /**
   * The same function, recorded: each call's arguments and result (or error, or elements) go to the cassette, and in
   * replay the function itself is not called. Left out of the arguments are abort signals and the options that the AI
   * SDK passes beside the input. The rest, and the result, must survive JSON (TURNTAPE_VALUE_NOT_JSON) or be made to by
   * `options`. Keeps name, length, `this` and every other property.
   */
  tool<F extends AnyFunction, Stored>(name: string, fn: F, options?: ToolOptions<F, Stored>): F
  /**
   * The same for all tools of a framework at once, of the same type: a record of AI SDK tools or of functions, an MCP
   * client, an OpenAI Agents or LangChain tool, an Agent (its tools and those of its handoffs), arrays of these.
   * Schema, description and all other members stay; what was given is not changed. Tools that the provider runs are
   * left as they are. Errors: TURNTAPE_USAGE where there is no tool of a known form at all.
   */
  tools<T extends object>(tools: T): T
  /** Records and replays any seam that is neither HTTP nor a tool. HTTP made inside `live` is part of it. */
  call<R, Stored>(
    name: string,
    request: Json,
    live: () => AsyncIterable<R>,
    options?: CallOptions<R, Stored>,
  ): AsyncIterable<R>
  call<R, Stored>(name: string, request: Json, live: () => Promise<R>, options?: CallOptions<R, Stored>): Promise<R>
  /** Names the logical caller of every call made inside `fn`. A lane has its own order. */
  lane<R>(key: string, fn: () => R): R
  /** Marks every model call made inside `fn` as one that compacts the conversation, where it is recorded: `turn.isFold`. */
  fold<R>(fn: () => R): R
  /**
   * Holds the streamed answers of models, and the iterables of `call`, in this lane; without a name in every lane that is
   * not held by name. Replayed or live, each chunk then waits for a step of the test, which can look at what the code
   * under test has made of a half of it: `const s = tape.hold()`, start the call, `await s.next('text', 3)`, look,
   * `s.release()`. Held already: the same stepper. At the end of the test everything is let go.
   */
  hold(lane?: string): Stepper
  /**
   * Calls the listener for every call that meets its recorded interaction, before it is answered, and for every call that is
   * refused where one was due; in replay only. What the listener throws fails the test. Gives what takes it off again.
   */
  onServed(listener: (served: Served) => void): () => void
  /** Replay from the start again. Errors: TURNTAPE_RESET_WHILE_RECORDING. */
  reset(): void
}

/** The tape of a session, or of whichever session `current` gives at each use. */
export function tapeOf(current: () => TapeSession): Tape {
  const record: RecordTool = (call) => callValue(current(), { kind: 'tool', ...call })
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
      return turnsOfRun(current())
    },
    get recorded() {
      return recordedTurns(current())
    },
    get interactions() {
      return current().context.log.interactions()
    },
    get usage() {
      return usageOfRun(current())
    },
    get caps() {
      return current().caps
    },
    settingsAt(number) {
      const session = current()
      const { from } = session.context.options.part
      return (turnsOfRun(session)[number - from] ?? recordedTurns(session)[number - 1])?.settings
    },
    applyRecordedSettings(request) {
      return withRecordedSettings(current(), request)
    },
    tool(name, fn, options) {
      return recordedFunction(fn, { name, record, options })
    },
    tools(tools) {
      return recordedTools(tools, record)
    },
    call: ((name: string, request: Json, live: () => unknown, codec?: AnyCodec) =>
      callValue(current(), { kind: 'call', name, input: request, live, codec })) as Tape['call'],
    lane(key, fn) {
      return workerState().lanes.run(key, fn)
    },
    fold(fn) {
      return runFold(fn)
    },
    hold(lane) {
      return current().context.holds.hold(lane)
    },
    onServed(listener) {
      return current().context.servedCalls.listen(listener)
    },
    reset() {
      current().reset()
    },
  }
}

function turnsOfRun(session: TapeSession): readonly Turn[] {
  return buildTrajectory({ interactions: session.context.log.interactions(), sideFiles: sideFilesOf(session) })
}

function usageOfRun(session: TapeSession): TokenUsage {
  const source = { interactions: session.context.log.interactions(), sideFiles: sideFilesOf(session) }
  return tokenUsage(buildTrajectory(source), source)
}

function sideFilesOf({ context }: TapeSession): SideFileReader {
  return { get: (name) => context.sideFiles.get(name) ?? context.source()?.sideFiles.get(name) }
}

function recordedTurns({ context }: TapeSession): readonly Turn[] {
  const source = context.source()
  return source === undefined ? [] : buildTrajectory(source)
}

function withRecordedSettings<Request extends object>(session: TapeSession, request: Request): Request {
  const { from, upTo } = session.context.options.part
  const recorded = recordedTurns(session).filter(({ number }) => number >= from && number <= upTo)
  const next = nextRecordedTurn({ turns: turnsOfRun(session), recorded, lane: workerState().lanes.getStore() })
  if (next === undefined) return request
  return withSettingsOf(next, request as Json, sideFilesOf(session)) as Request
}
