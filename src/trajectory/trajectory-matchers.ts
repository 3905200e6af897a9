/**
 * The matchers on trajectories, as plain functions: a runner gives its own equality (asymmetric matchers included) and
 * registers them. They see turns, of a run or of a cassette, and know neither runner nor file.
 */
import type { Json } from '../core/cassette/document.ts'
import { compactJson } from '../divergence/compact-json.ts'
import { elide } from '../errors/elide.ts'
import { counted } from '../errors/messages/compose-message.ts'
import { ReplayError } from '../errors/replay-error.ts'
import type { TokenCounts } from './sum-usages.ts'
import { tokenUsage } from './token-usage.ts'
import { runArguments } from './tool-calls.ts'
import type { Turn } from './turn.ts'

export interface MatchResult {
  readonly pass: boolean
  /** For the one that failed: `not` where it passed. */
  readonly message: () => string
  readonly actual?: unknown
  readonly expected?: unknown
}

/** The runner's own: recursive, and an asymmetric matcher in `expected` decides for itself. */
export type Equals = (actual: unknown, expected: unknown) => boolean

/**
 * How a list of expected tool calls is compared with those of the run. `strict`: the same calls in the same order;
 * `unordered`: the same calls; `subset`: the run calls nothing else (but may leave some out); `superset`: it calls all of
 * them (and may call more).
 */
export type TrajectoryMode = 'strict' | 'unordered' | 'subset' | 'superset'

/** A tool's name, or one with its arguments (asymmetric matchers allowed). */
export type ExpectedCall = string | { readonly name: string; readonly arguments?: unknown }

export type TokenBudget = Partial<Pick<TokenCounts, 'inputTokens' | 'outputTokens' | 'totalTokens'>>

interface MadeCall {
  readonly turn: number
  readonly name: string
  readonly arguments: Json
}

interface Matching {
  /** Its name, for messages. */
  readonly matcher: string
  /** A tape (its run so far) or an opened cassette: whatever has turns. */
  readonly received: unknown
  readonly equals: Equals
}

/** `toHaveCalledTool(name, args?)`: some turn called the tool, with these arguments where they are given. */
export function calledTool(
  { received, equals, matcher }: Matching,
  expected: { readonly name: string; readonly arguments?: readonly [unknown] },
): MatchResult {
  const calls = callsOf(turnsOf(received, matcher))
  const [wanted] = expected.arguments ?? []
  const named = calls.filter(({ name }) => name === expected.name)
  const found = named.filter((call) => expected.arguments === undefined || equals(call.arguments, wanted))
  const call = expected.arguments === undefined ? expected.name : `${expected.name} with ${shown(wanted)}`
  const only = named.length === 1 ? named[0] : undefined
  return {
    pass: found.length > 0,
    message: () =>
      found.length > 0
        ? lines(`expected no call of ${call}`, callLines(found))
        : lines(`expected a call of ${call}`, callLines(named.length > 0 ? named : calls)),
    ...(expected.arguments !== undefined && only !== undefined && { actual: only.arguments, expected: wanted }),
  }
}

/** `toHaveTrajectory(calls, { mode })`: the tool calls of all turns, in order. */
export function trajectoryLike(
  { received, equals, matcher }: Matching,
  { expected, mode }: { readonly expected: readonly ExpectedCall[]; readonly mode: TrajectoryMode },
): MatchResult {
  if (!trajectoryModes.includes(mode)) {
    throw new ReplayError('TURNTAPE_USAGE', {
      problem: `${matcher} has no mode ${shown(mode)}`,
      remedy: `Valid: ${trajectoryModes.join(', ')}.`,
    })
  }
  const calls = callsOf(turnsOf(received, matcher))
  const fits = (call: MadeCall, wanted: ExpectedCall): boolean => {
    if (typeof wanted === 'string') return call.name === wanted
    return call.name === wanted.name && (!('arguments' in wanted) || equals(call.arguments, wanted.arguments))
  }
  const { extra, missing } = mode === 'strict' ? inOrder({ calls, expected, fits }) : paired({ calls, expected, fits })
  const pass = (mode === 'superset' || extra.length === 0) && (mode === 'subset' || missing.length === 0)
  const names = expected.map((wanted) => (typeof wanted === 'string' ? wanted : wanted.name))
  return {
    pass,
    message: () =>
      lines(`expected the tool calls ${pass ? 'not to be' : 'to be'} (${mode}): ${names.join(', ') || 'none'}`, [
        `called: ${calls.map(({ name }) => name).join(', ') || 'none'}`,
        ...(pass || mode === 'strict' || mode === 'subset' || missing.length === 0
          ? []
          : [`not called: ${missing.map(shownWanted).join(', ')}`]),
        ...(pass || mode === 'strict' || mode === 'superset' || extra.length === 0
          ? []
          : ['not expected:', ...callLines(extra)]),
        ...(pass || mode !== 'strict' ? [] : firstUnlike({ calls, expected, fits })),
      ]),
    actual: calls.map(({ name }) => name),
    expected: names,
  }
}

/** `toUseAtMost(budget)`: tokens of all turns, folds and failed attempts included. */
export function withinBudget({ received, matcher }: Matching, budget: TokenBudget): MatchResult {
  const turns = turnsOf(received, matcher)
  const limits = Object.entries(budget).filter((entry): entry is [keyof TokenBudget, number] => entry[1] !== undefined)
  const wrong = limits.find(([name, limit]) => !(name in tokenWords) || !Number.isFinite(limit))
  if (limits.length === 0 || wrong !== undefined) {
    throw new ReplayError('TURNTAPE_USAGE', {
      problem:
        wrong === undefined ? `${matcher} needs a budget` : `${matcher} cannot hold ${wrong[0]}: ${shown(wrong[1])}`,
      remedy: `Give a number for one or more of ${Object.keys(tokenWords).join(', ')}.`,
    })
  }
  const used = tokenUsage(turns)
  const over = limits.filter(([name, limit]) => used[name] > limit)
  if (over.length === 0 && used.uncountedTurns.length > 0) throw notCounted(matcher, used.uncountedTurns, turns.length)
  const said = limits.map(([name, limit]) => `${used[name]} ${tokenWords[name]} (at most ${limit})`)
  const models = Object.entries(used.byModel).map(([name, { totalTokens }]) => `${name}: ${totalTokens} tokens`)
  return {
    pass: over.length === 0,
    message: () =>
      lines(over.length === 0 ? 'expected the run to use more tokens' : 'expected the run to use fewer tokens', [
        ...said,
        ...models,
      ]),
    actual: Object.fromEntries(limits.map(([name]) => [name, used[name]])),
    expected: Object.fromEntries(limits),
  }
}

/** `toHaveFinalText(expected)`: the text of the last turn that is no fold. */
export function finalText({ received, equals, matcher }: Matching, expected: unknown): MatchResult {
  const last = turnsOf(received, matcher).findLast(({ isFold }) => !isFold)
  const pass =
    last !== undefined && (isRegExp(expected) ? last.text.search(expected) >= 0 : equals(last.text, expected))
  const wanted = isRegExp(expected) ? `match ${String(expected)}` : `be ${shown(expected)}`
  return {
    pass,
    message: () =>
      last === undefined
        ? lines(`expected the final text to ${wanted}`, ['there is no turn'])
        : lines(`expected the final text ${pass ? 'not to' : 'to'} ${wanted}`, [
            `turn ${last.number} says: ${shown(last.text)}`,
            ...(last.finished ? [] : ['that turn is not finished: its answer was cut']),
          ]),
    ...(last !== undefined && { actual: last.text, expected }),
  }
}

const trajectoryModes: readonly TrajectoryMode[] = ['strict', 'unordered', 'subset', 'superset']

const tokenWords: Readonly<Record<keyof TokenBudget, string>> = {
  inputTokens: 'input tokens',
  outputTokens: 'output tokens',
  totalTokens: 'tokens',
}

function turnsOf(received: unknown, matcher: string): readonly Turn[] {
  const turns: unknown = typeof received === 'object' && received !== null ? Reflect.get(received, 'turns') : undefined
  if (Array.isArray(turns)) return turns as readonly Turn[]
  throw new ReplayError('TURNTAPE_USAGE', {
    problem: `${matcher} needs a tape or an opened cassette, and got ${shown(received)}`,
    remedy: 'Write expect(tape), or expect(openCassette(path)).',
  })
}

function notCounted(matcher: string, uncounted: readonly number[], total: number): ReplayError {
  return new ReplayError('TURNTAPE_USAGE', {
    problem: `${matcher} cannot tell: ${uncounted.length} of ${counted(total, 'turn')} say no token usage`,
    remedy: `Turn ${uncounted[0]} is the first. A stream of OpenAI's says it with stream_options: { include_usage: true }.`,
  })
}

/** What the model asked for; and tools that ran after a turn without having been asked for in a wire that we know. */
function callsOf(turns: readonly Turn[]): readonly MadeCall[] {
  return turns.flatMap(({ number, toolCalls, toolRuns }) => {
    const answered = new Set(toolCalls.flatMap(({ run }) => run ?? []))
    const others = toolRuns.filter((run) => !answered.has(run))
    return [
      ...toolCalls.map((call) => ({ turn: number, name: call.name, arguments: call.arguments })),
      ...others.map((run) => ({ turn: number, name: run.request.name, arguments: runArguments(run) })),
    ]
  })
}

interface Pairing {
  readonly calls: readonly MadeCall[]
  readonly expected: readonly ExpectedCall[]
  readonly fits: (call: MadeCall, wanted: ExpectedCall) => boolean
}

interface Unpaired {
  readonly extra: readonly MadeCall[]
  readonly missing: readonly ExpectedCall[]
}

function inOrder({ calls, expected, fits }: Pairing): Unpaired {
  return {
    extra: calls.filter((call, index) => expected[index] === undefined || !fits(call, expected[index])),
    missing: expected.filter((wanted, index) => calls[index] === undefined || !fits(calls[index], wanted)),
  }
}

/** Each expected call with one of the run: as many pairs as there can be, though a plain name fits more than one with arguments. */
function paired({ calls, expected, fits }: Pairing): Unpaired {
  const callOf = new Map<number, number>()
  const wantedOf = new Map<number, number>()
  const pair = (wanted: number, tried: Set<number>): boolean => {
    for (const [index, call] of calls.entries()) {
      if (tried.has(index) || !fits(call, expected[wanted] as ExpectedCall)) continue
      tried.add(index)
      const holder = wantedOf.get(index)
      if (holder !== undefined && !pair(holder, tried)) continue
      wantedOf.set(index, wanted)
      callOf.set(wanted, index)
      return true
    }
    return false
  }
  for (const wanted of expected.keys()) pair(wanted, new Set())
  return {
    extra: calls.filter((_, index) => !wantedOf.has(index)),
    missing: expected.filter((_, index) => !callOf.has(index)),
  }
}

function firstUnlike({ calls, expected, fits }: Pairing): readonly string[] {
  const length = Math.max(calls.length, expected.length)
  const at = Array.from({ length }, (_, index) => index).find((index) => {
    const [call, wanted] = [calls[index], expected[index]]
    return call === undefined || wanted === undefined || !fits(call, wanted)
  })
  if (at === undefined) return []
  const [call, wanted] = [calls[at], expected[at]]
  return [
    `call ${at + 1} was: ${call === undefined ? 'none' : callText(call)}`,
    `call ${at + 1} expected: ${wanted === undefined ? 'none' : shownWanted(wanted)}`,
  ]
}

const maxCallLines = 10

function callLines(calls: readonly MadeCall[]): readonly string[] {
  if (calls.length === 0) return ['no tool was called']
  const rest = calls.length - maxCallLines
  return [
    ...calls.slice(0, maxCallLines).map((call) => `  ${callText(call)}`),
    ...(rest > 0 ? [`  and ${counted(rest, 'more call')}`] : []),
  ]
}

function callText({ turn, name, arguments: given }: MadeCall): string {
  return `turn ${turn}: ${name} ${elide(compactJson(given, 160), 150)}`
}

function shownWanted(wanted: ExpectedCall): string {
  if (typeof wanted === 'string') return wanted
  return 'arguments' in wanted ? `${wanted.name} ${shown(wanted.arguments)}` : wanted.name
}

/** Any value in one short line; an asymmetric matcher by its own name. */
function shown(value: unknown): string {
  if (value === undefined || typeof value === 'function') return String(typeof value)
  const text = JSON.stringify(value, (_key, member: unknown) =>
    isAsymmetric(member) ? asymmetricName(member) : member,
  )
  return elide(text, 150)
}

function isAsymmetric(value: unknown): value is object {
  return typeof value === 'object' && value !== null && typeof Reflect.get(value, 'asymmetricMatch') === 'function'
}

function asymmetricName(matcher: object): string {
  const named: unknown = Reflect.get(matcher, 'toAsymmetricMatcher')
  return typeof named === 'function' ? String(Reflect.apply(named, matcher, [])) : 'asymmetric matcher'
}

function isRegExp(value: unknown): value is RegExp {
  // Of another realm it is no instance of ours: vm pools have a realm for each file.
  return Object.prototype.toString.call(value) === '[object RegExp]'
}

function lines(headline: string, details: readonly string[]): string {
  return [headline, '', ...details].join('\n')
}
