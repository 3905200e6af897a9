/** The report as GitHub workflow commands, each on the line of its test: https://docs.github.com/actions/reference/workflow-commands */
import { printable } from '../../errors/printable.ts'
import { describeStray, worthALookOf } from './describe-report.ts'
import type { ObsoleteCassette, RunReport, StrayReport, TestReport } from './run-report.ts'

export interface AnnotationInput {
  readonly report: RunReport
  /** True: the runner itself annotates tests that failed, with the same message. */
  readonly runnerShowsFailures: boolean
  /** A path of the report as GitHub knows it: relative to the checkout. */
  readonly placeOf: (path: string) => string
}

interface Annotation {
  readonly level: 'error' | 'warning'
  /** A path of the report. */
  readonly file: string
  readonly line: number
  readonly title: string
  readonly message: string
}

/** GitHub shows ten of each level for a step. */
const shownOfLevel = 10

/** A line each, those that make the run fail first. */
export function githubAnnotations({ report, runnerShowsFailures, placeOf }: AnnotationInput): readonly string[] {
  const all = [
    ...report.obsolete.flatMap((one) => ofObsolete(one, report)),
    ...report.strays.map((stray) => ofStray(stray, report)),
    ...(runnerShowsFailures ? [] : report.tests.flatMap(ofFailure)),
    ...report.tests.flatMap(ofHiddenFailure),
    ...report.tests.flatMap(ofWorthALook),
  ]
  const shown = (['error', 'warning'] as const).flatMap((level) =>
    all.filter((one) => one.level === level).slice(0, shownOfLevel),
  )
  return shown.map(({ level, file, line, title, message }) => {
    const place = `file=${property(placeOf(file))},line=${line},title=${property(title)}`
    return `::${level} ${place}::${data(message)}`
  })
}

function ofObsolete({ cassette, reason, removed }: ObsoleteCassette, report: RunReport): readonly Annotation[] {
  if (removed) return []
  const level = report.obsoleteFails ? 'error' : 'warning'
  return [
    {
      level,
      file: cassette,
      line: 1,
      title: 'Obsolete cassette',
      message: reason,
    },
  ]
}

function ofStray(stray: StrayReport, { tests }: RunReport): Annotation {
  const { refused, file } = stray
  const line = tests.find((one) => one.file === file && one.test === stray.test)?.line ?? 1
  const title = 'A call outside of a running test'
  return { level: refused ? 'error' : 'warning', file, line, title, message: describeStray(stray) }
}

function ofFailure({ failure, file, line = 1, test }: TestReport): readonly Annotation[] {
  return failure === undefined ? [] : [{ level: 'error', file, line, title: test, message: failure.text }]
}

function ofHiddenFailure({ failure, earlier, file, line = 1, test }: TestReport): readonly Annotation[] {
  if (failure !== undefined) return []
  return earlier.map(({ message }) => ({
    level: 'warning',
    file,
    line,
    title: test,
    message: `An attempt failed before one that passed: ${message}`,
  }))
}

function ofWorthALook(report: TestReport): readonly Annotation[] {
  const { file, line = 1, test, cassette } = report
  return worthALookOf(report).map((what) => ({
    level: 'warning',
    file,
    line,
    title: test,
    message: `${cassette}: ${what}`,
  }))
}

/** Of several lines; a log is read on a terminal, too. */
function data(text: string): string {
  return text.split('\n').map(printable).join('\n').replaceAll('%', '%25').replaceAll('\n', '%0A')
}

function property(text: string): string {
  return data(printable(text)).replaceAll(':', '%3A').replaceAll(',', '%2C')
}
