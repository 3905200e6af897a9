/** What is Jest's own in watch mode: which writes start a run, and when the key `u` is there. */
import type { RunLine } from './run-folder.ts'

/** What is used of Jest's configuration in watch mode. */
export interface WatchConfig {
  readonly watch?: boolean | undefined
  readonly watchAll?: boolean | undefined
}

/** What is used of Jest's `TestContext`: one a project. */
export interface WatchedProject {
  readonly config: { readonly rootDir: string; readonly watchPathIgnorePatterns?: readonly string[] | undefined }
}

export interface WatchedRun {
  readonly config: WatchConfig
  readonly projects: Iterable<WatchedProject>
  readonly results: { readonly snapshot: { failure: boolean } }
  readonly lines: readonly RunLine[]
}

let isWarned = false

/**
 * After a run in watch mode. Makes Jest offer `u`, which it does where a snapshot failed, for cassettes as well. Gives a
 * line to print, once a process: that Jest watches cassettes, so that a run which writes one may start the next.
 */
export function afterWatchedRun({ config, projects, results, lines }: WatchedRun): string | undefined {
  if (!(config.watch || config.watchAll) || lines.length === 0) return undefined
  if (lines.some((line) => 'report' in line && line.report.failure !== undefined)) results.snapshot.failure = true
  if (isWarned || ![...projects].some(watchesCassettes)) return undefined
  isWarned = true
  return "Jest may run again when a cassette is written: set watchPathIgnorePatterns: ['/cassettes/'], as the preset turntape/jest does"
}

function watchesCassettes({ config: { rootDir, watchPathIgnorePatterns = [] } }: WatchedProject): boolean {
  const cassette = `${rootDir}/cassettes/test/a.test/a.json`
  return !watchPathIgnorePatterns.some((pattern) => new RegExp(pattern).test(cassette))
}
