/** What a runner says of a run when it has ended: the same plain data from each of them. Decides and prints nothing. */

import type { StrayCall } from '../calls/stray-call.ts'
import type { SessionReport } from '../session-report.ts'

export interface RunFacts {
  readonly runner: { readonly name: 'vitest' | 'jest'; readonly version: string | undefined }
  /** The folder that the runner runs in, absolute: paths of the report are relative to it. */
  readonly folder: string
  readonly files: readonly RunFile[]
  readonly extent: RunExtent
  /** Errors that belong to no test: of the run, of a file, of hooks around all tests. */
  readonly hasErrors: boolean
}

/**
 * `whole`: every test of every file could run. `picked`: every test file took part, but tests or projects were picked.
 * `part`: some test files did not take part. `shard`: nor in a shard. `cut`: it was interrupted, or stopped by `bail`.
 */
export type RunExtent = 'whole' | 'picked' | 'part' | 'shard' | 'cut'

/** One test file of one project, as far as it took part. */
export interface RunFile {
  /** Absolute. */
  readonly path: string
  /** True: not all of its tests are known, since it could not be collected. */
  readonly broken: boolean
  /** In the order of the file, those that did not run included. */
  readonly tests: readonly RunTest[]
  readonly strays: readonly StrayCall[]
}

export interface RunTest {
  /** Describe names and the test's own. */
  readonly names: readonly string[]
  readonly state: 'passed' | 'failed' | 'not run'
  /** 1-based, where it is defined; undefined: the runner does not say it. */
  readonly line: number | undefined
  /** In order. Empty: it is not covered, or did not run. */
  readonly attempts: readonly SessionReport[]
  /** `-u` was given where nothing may be recorded. */
  readonly updateIgnored: boolean
}
