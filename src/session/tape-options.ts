/**
 * The options of `replay`, `useReplay` and `replayPlugin`: their shape, how nearer ones win, and what is refused.
 */

import { type Cadence, isCadence, type ResolvedCadence, resolveCadence } from '../core/cadence/cadence.ts'
import type { CaptureRules, IgnorableRequest, UrlMatcher } from '../core/capture/capture-rules.ts'
import type { Caps } from '../core/cassette/caps.ts'
import { resolveCaps } from '../core/cassette/caps.ts'
import type { Interaction } from '../core/cassette/document.ts'
import type { Normaliser } from '../core/matching/normaliser.ts'
import type { RecordMode } from '../core/modes/record-mode.ts'
import { type Part, wholeCassette } from '../core/turns/part.ts'
import { ReplayError } from '../errors/replay-error.ts'
import type { RedactOptions } from '../redaction/redact-options.ts'

/** Every member is optional; the nearest one wins (a test over its describe, its file, the plugin). */
export interface TapeOptions {
  /** Default `auto`, `replay` in CI. `TURNTAPE_MODE` and the runner's `-u` win over it. */
  readonly mode?: RecordMode
  /**
   * Default true: a call that does not equal the recorded one, unused interactions and whatever cannot be checked fail the
   * test. False: calls are served in their place whatever they ask, a tool call that fits nowhere runs, and the report says
   * what was not checked. Never a call to the network.
   */
  readonly strict?: boolean
  /** `recorded` (default): a lane is strict about order. `any`: calls match by content in any order. */
  readonly order?: 'recorded' | 'any'
  /** Upper bounds that refuse. Defaults: 8 MiB a cassette, 16 MiB a body, 2,000 interactions, 65,536 chunks, 4,096 blocks. */
  readonly caps?: Partial<Caps>
  /** Rules by which two requests count as equal, applied to both sides, after the built-in one for client-made ids. */
  readonly normalise?: readonly Normaliser[]
  /** More to remove before anything is stored, hashed or printed. Never less than the built-in rules. */
  readonly redact?: RedactOptions
  /** More hosts to capture (loopback ones), and hosts that go out untouched. */
  readonly capture?: readonly UrlMatcher[]
  readonly passthrough?: readonly UrlMatcher[]
  /** Calls that belong to no recording, beside the built-in telemetry hosts. */
  readonly ignore?: (request: IgnorableRequest) => boolean
  /** More URLs whose POSTs are model calls. */
  readonly models?: readonly UrlMatcher[]
  /** May edit an interaction before it is stored, or drop it by returning undefined. Sees it redacted. */
  readonly beforeRecord?: (interaction: Interaction) => Interaction | undefined
  /** What strict mode allows all the same, each member false by default; the report says where it was made use of. */
  readonly allow?: Partial<Allowances>
  /** Replay from this turn on, 1-based: the run starts there. Errors: TURNTAPE_UNKNOWN_POINT. Default: 1. */
  readonly from?: number
  /** Replay up to this turn, it included; in `update` what comes after goes live. Errors: TURNTAPE_UNKNOWN_POINT. Default: all. */
  readonly upTo?: number
  /**
   * How replayed chunks are spaced in time. Default `instant`. `recorded`: as they came, no gap over 2,000 ms;
   * `{ minGapMs, maxGapMs, speed }`: with bounds of one's own. What the ceiling cut off is told at the end of the run.
   */
  readonly cadence?: Cadence
  /**
   * `recorded` (default): a reader of a replayed body gets the recorded chunks, one a read. `joined`: all bytes in one chunk, which
   * is faster; how the body ended comes after it. Where a cadence spaces chunks, or a test holds the lane, they stay as recorded.
   */
  readonly chunks?: 'recorded' | 'joined'
  /** Days. An older recording is named in the report. Default: no limit. */
  readonly maxAge?: number
  /** Serve retry-after as recorded. Default false: 1 ms. */
  readonly realRetryAfter?: boolean
  /**
   * Where a transport failure is served (a connection refused, reset, cut), the next timer that the same lane of the test sets
   * takes 1 ms: the wait of a retry policy, which no header can shorten. Default false.
   */
  readonly fastRetry?: boolean
  /** The cassette's path, relative to the package root. Default: made from the test's file and names. */
  readonly path?: string
}

export interface Allowances {
  /** Recorded interactions that nobody asks for. */
  readonly unused: boolean
  /** Interactions with nothing to compare a request with: served in their place (AR-05). */
  readonly unhashed: boolean
  /** Interactions that the recording marks as cut short, and bodies read further than they were recorded. */
  readonly incomplete: boolean
  /** A recording that goes on in another workspace part way. */
  readonly substitution: boolean
  /** The same GET more often than recorded: its last answer is served again. */
  readonly repeatedGets: boolean
}

/** All options, resolved. */
export interface ResolvedOptions {
  readonly mode: unknown
  readonly strict: boolean
  /** What strict mode allows; without strict mode, all but `repeatedGets`. */
  readonly allow: Allowances
  readonly part: Part
  readonly order: 'recorded' | 'any'
  readonly caps: Caps
  readonly normalise: readonly Normaliser[]
  readonly redact: RedactOptions
  readonly rules: CaptureRules
  readonly beforeRecord: ((interaction: Interaction) => Interaction | undefined) | undefined
  readonly cadence: ResolvedCadence
  readonly chunks: 'recorded' | 'joined'
  readonly maxAgeDays: number
  readonly fastRetryAfter: boolean
  readonly fastRetry: boolean
  readonly path: string | undefined
}

export const nothingAllowed: Allowances = {
  unused: false,
  unhashed: false,
  incomplete: false,
  substitution: false,
  repeatedGets: false,
}

const allowanceNames = Object.keys(nothingAllowed)

const checks: { readonly [K in keyof TapeOptions]-?: readonly [expected: string, test: (value: unknown) => boolean] } =
  {
    mode: ['a record mode', () => true], // resolveMode() says which
    strict: ['true or false', isBoolean],
    order: ["'recorded' or 'any'", (value) => value === 'recorded' || value === 'any'],
    caps: ['an object of positive integers', isObject],
    normalise: ['an array of functions', isArrayOf(isFunction)],
    redact: ['an object', isObject],
    capture: ['an array of host names, URL prefixes, patterns or functions', isArrayOf(isMatcher)],
    passthrough: ['an array of host names, URL prefixes, patterns or functions', isArrayOf(isMatcher)],
    ignore: ['a function', isFunction],
    models: ['an array of host names, URL prefixes, patterns or functions', isArrayOf(isMatcher)],
    beforeRecord: ['a function', isFunction],
    allow: [`an object such as { unused: true }, of ${allowanceNames.join(', ')}`, isAllowances],
    from: ['the number of a turn, from 1', isTurn],
    upTo: ['the number of a turn, from 1', isTurn],
    cadence: ["'instant', 'recorded' or an object such as { minGapMs: 0, maxGapMs: 2000, speed: 1 }", isCadence],
    chunks: ["'recorded' or 'joined'", (value) => value === 'recorded' || value === 'joined'],
    maxAge: ['a number of days', (value) => typeof value === 'number' && value > 0],
    realRetryAfter: ['true or false', isBoolean],
    fastRetry: ['true or false', isBoolean],
    path: ['a path below the package root, ending in .json', isCassettePath],
  }

/**
 * Merges layers, farthest first, member by member; `caps` and `allow` merge one level deeper.
 * Errors: TURNTAPE_INVALID_OPTION for an unknown name or a value of the wrong kind.
 */
export function resolveOptions(layers: readonly TapeOptions[]): ResolvedOptions {
  const merged: TapeOptions = Object.assign({}, ...layers.map(checked))
  const caps = Object.assign({}, ...layers.map((layer) => layer.caps ?? {}))
  const strict = merged.strict ?? true
  return {
    mode: merged.mode,
    strict,
    allow: allowances(layers, strict),
    part: partOf(merged),
    order: merged.order ?? 'recorded',
    caps: resolveCaps(caps),
    normalise: merged.normalise ?? [],
    redact: merged.redact ?? {},
    rules: {
      capture: merged.capture ?? [],
      passthrough: merged.passthrough ?? [],
      models: merged.models ?? [],
      ignore: merged.ignore,
    },
    beforeRecord: merged.beforeRecord,
    cadence: resolveCadence(merged.cadence ?? 'instant'),
    chunks: merged.chunks ?? 'recorded',
    maxAgeDays: merged.maxAge ?? Number.POSITIVE_INFINITY,
    fastRetryAfter: merged.realRetryAfter !== true,
    fastRetry: merged.fastRetry ?? false,
    path: merged.path,
  }
}

function allowances(layers: readonly TapeOptions[], strict: boolean): Allowances {
  if (strict && layers.every(({ allow }) => allow === undefined)) return nothingAllowed
  const given: Partial<Allowances> = Object.assign({}, ...layers.map(({ allow }) => allow ?? {}))
  const isAllowed = (name: keyof Allowances): boolean => given[name] === true
  return {
    unused: !strict || isAllowed('unused'),
    unhashed: !strict || isAllowed('unhashed'),
    incomplete: !strict || isAllowed('incomplete'),
    substitution: !strict || isAllowed('substitution'),
    repeatedGets: isAllowed('repeatedGets'),
  }
}

function partOf({ from = wholeCassette.from, upTo = wholeCassette.upTo }: TapeOptions): Part {
  if (from <= upTo) return { from, upTo }
  const expected = `a turn not before from, ${from}`
  throw new ReplayError('TURNTAPE_INVALID_OPTION', { option: 'upTo', given: String(upTo), expected })
}

function checked(layer: TapeOptions): TapeOptions {
  const present: Record<string, unknown> = {}
  for (const [option, value] of Object.entries(layer)) {
    const check = (checks as Record<string, (typeof checks)[keyof TapeOptions] | undefined>)[option]
    if (check === undefined) {
      const expected = `one of ${Object.keys(checks).join(', ')}`
      throw new ReplayError('TURNTAPE_INVALID_OPTION', { option, given: 'an unknown name', expected })
    }
    if (value === undefined) continue
    if (!check[1](value)) {
      throw new ReplayError('TURNTAPE_INVALID_OPTION', { option, given: describe(value), expected: check[0] })
    }
    present[option] = value
  }
  return present as TapeOptions
}

function describe(value: unknown): string {
  if (typeof value === 'number') return String(value)
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'an array with other elements'
  return typeof value === 'string' ? JSON.stringify(value) : typeof value
}

function isBoolean(value: unknown): boolean {
  return typeof value === 'boolean'
}
function isFunction(value: unknown): boolean {
  return typeof value === 'function'
}
function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
function isTurn(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 1
}
function isAllowances(value: unknown): boolean {
  const isKnown = ([name, allowed]: readonly [string, unknown]): boolean =>
    allowanceNames.includes(name) && (isBoolean(allowed) || allowed === undefined)
  return isObject(value) && Object.entries(value as object).every(isKnown)
}
function isMatcher(value: unknown): boolean {
  return typeof value === 'string' || isFunction(value) || Object.prototype.toString.call(value) === '[object RegExp]'
}
function isArrayOf(test: (value: unknown) => boolean): (value: unknown) => boolean {
  return (value) => Array.isArray(value) && value.every(test)
}
function isCassettePath(value: unknown): boolean {
  if (typeof value !== 'string' || !value.endsWith('.json') || /^(?:[a-z]:|[\\/])/i.test(value)) return false
  return !value.split(/[\\/]/).includes('..')
}
