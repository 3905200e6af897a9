/**
 * The end of a run, the same for every runner: what is obsolete is found, and removed where it may be; the report is made,
 * written for CI where it was asked for, and given back as lines to print. A runner brings the facts and prints.
 */
import { homedir, tmpdir } from 'node:os'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import { isRecordMode } from '../../core/modes/record-mode.ts'
import { resolveMode } from '../../core/modes/resolve-mode.ts'
import { createRedactor } from '../../redaction/redactor.ts'
import { findPackageRoot, posixRelative } from '../../store/package-root.ts'
import { runsInCI, runsInGitHubActions } from '../ci.ts'
import { findObsolete } from './find-obsolete.ts'
import { githubAnnotations } from './github-annotations.ts'
import { paintForStderr } from './paint.ts'
import type { ReportOptions } from './report-options.ts'
import type { RunFacts } from './run-facts.ts'
import { type RunReport, reportRun } from './run-report.ts'
import { type SummaryStyle, summarise } from './summarise.ts'
import { writeReport } from './write-report.ts'

export interface EndedRun {
  readonly facts: RunFacts
  readonly options: ReportOptions
  /** The runner's gate for snapshots. */
  readonly update: 'all' | 'new' | 'none'
  readonly style: SummaryStyle
  /** True: the runner itself annotates tests that failed. */
  readonly runnerShowsFailures: boolean
}

export interface RunEnd {
  /** For standard error: a JSON or JUnit report may own standard output. Empty where nothing happened. */
  readonly lines: readonly string[]
  /** True: the run is to fail, whatever its tests did. */
  readonly red: boolean
}

export function finishRun(run: EndedRun): RunEnd {
  const report = makeReport(run)
  const lines = [...summarise({ report, style: run.style, paint: paintForStderr() }), ...annotationsOf(report, run)]
  const fault = writeWanted(report, run)
  return { lines: fault === undefined ? lines : [...lines, fault], red: report.red || fault !== undefined }
}

function makeReport({ facts, options, update }: EndedRun): RunReport {
  const { folder } = facts
  const { ci, mode } = gate(update)
  const redactor = createRedactor({ project: folder, home: homedir(), temporary: [tmpdir()] })
  const roots = new Map<string, string>()
  const rootOf = (file: string): string => {
    const at = dirname(file)
    const root = roots.get(at) ?? findPackageRoot(at)
    roots.set(at, root)
    return root
  }
  const relative = (path: string): string => posixRelative(folder, path)
  return reportRun({
    facts,
    // A run that has its cassettes elsewhere says nothing of the committed ones.
    obsolete: (process.env.TURNTAPE_FOLDER ? [] : findObsolete({ facts, rootOf, mayRemove: mode === 'update' })).map(
      ({ root, path, ...found }) => ({ cassette: relative(join(root, path)), ...found }),
    ),
    obsoleteFails: ci && options.obsolete !== 'warn',
    relative,
    cassetteOf: (cassette, file) => relative(join(rootOf(file), cassette)),
    redact: (text) => redactor.text(text),
  })
}

/** As for a test without options: what `mode` says there is for recording, not for removing. */
function gate(runnerUpdate: EndedRun['update']): { readonly ci: boolean; readonly mode: string } {
  const given = process.env.TURNTAPE_MODE
  // An unknown mode has failed every test by itself.
  const environment = isRecordMode(given) ? given : undefined
  return resolveMode({ ci: runsInCI(), runnerUpdate, environment, option: undefined })
}

function annotationsOf(report: RunReport, { facts, runnerShowsFailures }: EndedRun): readonly string[] {
  if (!runsInGitHubActions()) return []
  const checkout = process.env.GITHUB_WORKSPACE
  const placeOf = (path: string): string => {
    const file = resolve(facts.folder, path)
    const place = checkout ? posixRelative(checkout, file) : file
    return place.startsWith('..') || isAbsolute(place) ? file : place
  }
  return githubAnnotations({ report, runnerShowsFailures, placeOf })
}

/** Why the file that was asked for could not be written. */
function writeWanted(report: RunReport, { facts, options }: EndedRun): string | undefined {
  const fromEnvironment = process.env.TURNTAPE_REPORT
  if (fromEnvironment) return writeReport(report, resolve(fromEnvironment))
  return options.reportFile ? writeReport(report, resolve(facts.folder, options.reportFile)) : undefined
}
