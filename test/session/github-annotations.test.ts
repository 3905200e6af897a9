import { expect, test } from 'vitest'
import { type AnnotationInput, githubAnnotations } from '../../src/session/run/github-annotations.ts'
import { type RunDetails, reportOf, sessionReport } from './report-facts.ts'

const failure = {
  code: 'TURNTAPE_DIVERGED',
  message: 'Turn 1 is not as recorded',
  text: 'Turn 1 is not as recorded\n\nchanged 100%',
}
const diverged = sessionReport('books: one, two', 'failed', { failure })

function annotate(
  tests: Parameters<typeof reportOf>[0],
  { runnerShowsFailures = false, ...details }: RunDetails & Partial<AnnotationInput> = {},
): readonly string[] {
  return githubAnnotations({
    report: reportOf(tests, details),
    runnerShowsFailures,
    placeOf: (path) => `packages/agent/${path}`,
  })
}

test('shows a divergence on the line of its test, with the whole message, escaped as workflow commands are', () => {
  expect(annotate([[diverged]])).toEqual([
    '::error file=packages/agent/a.test.ts,line=1,title=books%3A one%2C two::Turn 1 is not as recorded%0A%0Achanged 100%25',
  ])
})

test('leaves failures to a runner that annotates them itself, and shows what it does not', () => {
  const hidden = [diverged, sessionReport('books: one, two', 'replayed')]
  expect(annotate([[diverged], hidden], { runnerShowsFailures: true })).toEqual([
    '::warning file=packages/agent/a.test.ts,line=2,title=books%3A one%2C two::An attempt failed before one that passed: Turn 1 is not as recorded',
  ])
})

test('shows obsolete cassettes as errors where they fail the run, removed ones never', () => {
  const obsolete = [
    { cassette: 'cassettes/a.json', reason: 'its test file is gone', removed: false },
    { cassette: 'cassettes/b.json', reason: 'its test file is gone', removed: true },
  ]
  const rest = 'file=packages/agent/cassettes/a.json,line=1,title=Obsolete cassette::its test file is gone'
  expect(annotate([], { obsolete, obsoleteFails: true })).toEqual([`::error ${rest}`])
  expect(annotate([], { obsolete })).toEqual([`::warning ${rest}`])
})

test('shows refused calls as errors, calls that were not stored, near caps and old recordings as warnings', () => {
  const strays = [
    { kind: 'outside', call: 'POST https://b.example/', refused: true },
    { kind: 'late', call: 'POST https://a.example/', test: 'a', refused: false },
  ] as const
  const worthALook = sessionReport('a', 'replayed', { nearCap: 'maxChunks', age: { days: 40, maxDays: 30 } })
  expect(annotate([[worthALook]], { strays })).toEqual([
    '::error file=packages/agent/a.test.ts,line=1,title=A call outside of a running test::A call was made outside of any test: a.test.ts [TURNTAPE_OUTSIDE_TEST]: POST https://b.example/, refused',
    '::warning file=packages/agent/a.test.ts,line=1,title=A call outside of a running test::A call started after its test had ended: "a" [TURNTAPE_LATE_CALL]: POST https://a.example/, not stored, replay will refuse it',
    '::warning file=packages/agent/a.test.ts,line=1,title=a::cassettes/a.json: near its cap maxChunks',
    '::warning file=packages/agent/a.test.ts,line=1,title=a::cassettes/a.json: recorded 40 days ago, over maxAge: 30',
  ])
})

test('prints as many of each level as GitHub shows', () => {
  const tests = Array.from({ length: 30 }, () => [diverged])
  expect(annotate(tests)).toHaveLength(10)
})
