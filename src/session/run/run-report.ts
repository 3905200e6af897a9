/**
 * The report of a run: pure, from what the runner knows and what became of obsolete cassettes. The block at the end, the
 * JSON file and the GitHub annotations say what stands here, each in its form. Documented in docs/report.md.
 */
import type { ErrorCode } from '../../errors/codes.ts'
import { elideMiddle } from '../../errors/elide.ts'
import type { StrayCall } from '../calls/stray-call.ts'
import type { SessionReport } from '../session-report.ts'
import type { RunFacts, RunFile, RunTest } from './run-facts.ts'
import { type NotPaidTotal, sumNotPaid } from './sum-not-paid.ts'

export interface RunReport {
  readonly format: 'turntape-report/1'
  readonly runner: RunFacts['runner']
  readonly extent: RunFacts['extent']
  /** True: the run is to fail by what stands here, whatever its tests did. */
  readonly red: boolean
  /** Obsolete cassettes make it fail: in CI, unless the option `obsolete` is `warn`. */
  readonly obsoleteFails: boolean
  readonly counts: Readonly<Record<Count, number>>
  readonly notPaid: NotPaidTotal
  /** Every covered test that ran. */
  readonly tests: readonly TestReport[]
  /** Cassettes that belong to no test any more. */
  readonly obsolete: readonly ObsoleteCassette[]
  /** Calls that belong to no running test, equal ones once. */
  readonly strays: readonly StrayReport[]
  /** `-u` was given where nothing may be recorded. */
  readonly updateIgnored: boolean
}

/**
 * In the order of the block: what became of the cassettes of tests, how tests failed, cassettes without a test, and what
 * deserves a look. A test whose recording was kept as pending may have failed as well.
 */
export const counts = [
  ...(['written', 'updated', 'rebased', 'unchanged', 'replayed', 'live', 'pending'] as const),
  ...(['diverged', 'divergedBeforePassing', 'unused', 'errored', 'failed'] as const),
  ...(['obsolete', 'removed', 'nearCap', 'tooOld'] as const),
] as const

export type Count = (typeof counts)[number]

/** `failed` is the test's own failure; `errored` one of the harness: refused, missing, a cap, a secret. */
export type TestVerdict = 'passed' | 'diverged' | 'unused' | 'errored' | 'failed'

export interface TestReport extends Omit<SessionReport, 'failure'> {
  /** POSIX, as every path here relative to the folder of the run. */
  readonly file: string
  /** 1-based, where the test is defined; absent: the runner does not say it. */
  readonly line?: number
  readonly verdict: TestVerdict
  /** The first failure of the last attempt; `text` is the whole message, several lines. */
  readonly failure?: Failure & { readonly text: string }
  /** Failures of attempts before the last one. */
  readonly earlier: readonly Failure[]
}

export interface Failure {
  readonly code: string
  /** Its first line. */
  readonly message: string
}

export interface ObsoleteCassette {
  readonly cassette: string
  readonly reason: string
  readonly removed: boolean
}

export interface StrayReport extends StrayCall {
  readonly file: string
  readonly times: number
}

export interface ReportInput {
  readonly facts: RunFacts
  readonly obsolete: readonly ObsoleteCassette[]
  /** An obsolete cassette makes the run red. */
  readonly obsoleteFails: boolean
  /** A path relative to the folder of the run. */
  readonly relative: (path: string) => string
  /** A cassette of a test file, relative to the folder of the run. */
  readonly cassetteOf: (cassette: string, file: string) => string
  /** Removes what must not be printed. */
  readonly redact: (text: string) => string
}

export function reportRun(input: ReportInput): RunReport {
  const { facts, obsoleteFails } = input
  const obsolete = withOffers(input)
  const tests = facts.files.flatMap((file) => {
    const ofFile = { ...input, file, place: input.relative(file.path) }
    return file.tests.flatMap((test) => reportTest(test, ofFile))
  })
  const strays = reportStrays(input)
  const left = obsolete.filter(({ removed }) => !removed)
  return {
    format: 'turntape-report/1',
    runner: facts.runner,
    extent: facts.extent,
    obsoleteFails,
    red: (obsoleteFails && left.length > 0) || strays.some(({ refused }) => refused),
    counts: countAll(tests, obsolete),
    notPaid: sumNotPaid(facts.files.flatMap((file) => file.tests.flatMap(({ attempts }) => attempts))),
    tests,
    obsolete,
    strays,
    updateIgnored: facts.files.some((file) => file.tests.some(({ updateIgnored }) => updateIgnored)),
  }
}

/** Of names, calls and sentences. Paths are shorter by their own rule. */
const maxTextLength = 300
const maxLines = 40

interface FileInput extends ReportInput {
  readonly file: RunFile
  /** Relative to the folder of the run. */
  readonly place: string
}

function reportTest(test: RunTest, { file, place, cassetteOf, redact }: FileInput): readonly TestReport[] {
  const { attempts, line } = test
  const last = attempts.at(-1)
  const spokesman = speaksFor(attempts)
  if (last === undefined || spokesman === undefined) return []
  const { failure: _ofSpokesman, ...said } = spokesman
  const clean = (text: string): string => elideMiddle(redact(text), maxTextLength)
  const cleanLines = (text: string): string => text.split('\n').slice(0, maxLines).map(clean).join('\n')
  const failureOf = ({ failure }: SessionReport): readonly Failure[] =>
    failure === undefined ? [] : [{ code: failure.code, message: clean(failure.message) }]
  const [failure] = failureOf(last)
  return [
    {
      file: place,
      ...(line === undefined ? {} : { line }),
      ...said,
      test: clean(said.test),
      cassette: cassetteOf(said.cassette, file.path),
      verdict: verdictOf(test, failure),
      notes: said.notes.map(clean),
      ...(failure === undefined ? {} : { failure: { ...failure, text: cleanLines(last.failure?.text ?? '') } }),
      earlier: attempts.slice(0, -1).flatMap(failureOf),
    },
  ]
}

const recorded: ReadonlySet<string> = new Set(['written', 'updated', 'rebased', 'unchanged'])

// The last attempt speaks for its test; but a later pass of a repeated test only replays what an earlier one wrote.
function speaksFor(attempts: readonly SessionReport[]): SessionReport | undefined {
  const last = attempts.at(-1)
  return last?.outcome === 'replayed' ? (attempts.find(({ outcome }) => recorded.has(outcome)) ?? last) : last
}

/** A cassette that a renamed test was offered is not only there to be removed. */
function withOffers({ facts, obsolete, cassetteOf, redact }: ReportInput): readonly ObsoleteCassette[] {
  const offers = new Map<string, string>()
  for (const { path, tests } of facts.files) {
    for (const { attempts } of tests) {
      const last = attempts.at(-1)
      const move = last?.failure?.move
      if (last === undefined || move === undefined) continue
      offers.set(cassetteOf(move.from, path), redact(`if "${last.test}" is its new name: ${move.command}`))
    }
  }
  return obsolete.map((one) => {
    const offer = offers.get(one.cassette)
    return offer === undefined ? one : { ...one, reason: `${one.reason}; ${offer}` }
  })
}

/** The run left the cassette. */
const divergences: ReadonlySet<string> = new Set<ErrorCode>([
  'TURNTAPE_DIVERGED',
  'TURNTAPE_OUT_OF_ORDER',
  'TURNTAPE_WRONG_KIND',
  'TURNTAPE_EXHAUSTED',
  'TURNTAPE_READ_PAST_RECORDING',
  'TURNTAPE_NOT_ABORTED',
])

function verdictOf({ state }: RunTest, failure: Failure | undefined): TestVerdict {
  if (failure === undefined) return state === 'failed' ? 'failed' : 'passed'
  if (divergences.has(failure.code)) return 'diverged'
  return failure.code === 'TURNTAPE_UNUSED' ? 'unused' : 'errored'
}

function reportStrays({ facts, relative, redact }: ReportInput): readonly StrayReport[] {
  const byText = new Map<string, StrayReport>()
  for (const file of facts.files) {
    for (const stray of file.strays) {
      const key = JSON.stringify([file.path, stray.kind, stray.call, stray.test, stray.refused])
      const times = (byText.get(key)?.times ?? 0) + 1
      const call = elideMiddle(redact(stray.call), maxTextLength)
      const test = stray.test === undefined ? {} : { test: elideMiddle(redact(stray.test), maxTextLength) }
      byText.set(key, { file: relative(file.path), ...stray, call, ...test, times })
    }
  }
  return [...byText.values()]
}

function countAll(tests: readonly TestReport[], obsolete: readonly ObsoleteCassette[]): RunReport['counts'] {
  const all = [...tests.flatMap(countsOf), ...obsolete.map(({ removed }): Count => (removed ? 'removed' : 'obsolete'))]
  const found = Object.fromEntries(counts.map((count) => [count, 0])) as Record<Count, number>
  for (const count of all) found[count] += 1
  return found
}

function countsOf({ outcome, verdict, served, earlier, nearCap, age }: TestReport): readonly Count[] {
  const hidden = verdict === 'passed' && earlier.some(({ code }) => divergences.has(code))
  // A test that failed by itself is the runner's to count; here, where its cassette answered and nothing was kept.
  const isOurs = verdict === 'failed' ? outcome === 'idle' && served > 0 : true
  return [
    ...(outcome === 'idle' || outcome === 'failed' ? [] : [outcome]),
    ...(verdict !== 'passed' && isOurs ? [verdict] : []),
    ...(hidden ? (['divergedBeforePassing'] as const) : []),
    ...(nearCap === undefined ? [] : (['nearCap'] as const)),
    ...(age === undefined ? [] : (['tooOld'] as const)),
  ]
}
