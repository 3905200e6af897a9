/** What a runner says of the project's tests when it is asked to collect them. */

export interface CollectedFile {
  /** Absolute, POSIX. */
  readonly file: string
  /** The folder that its project's globs are relative to, absolute. */
  readonly folder: string
  /** True: it or one of its suites could not be collected, so that tests may be missing. */
  readonly failed: boolean
  readonly tests: readonly CollectedTest[]
}

export interface CollectedTest {
  /** Describe names and the test's own. */
  readonly names: readonly string[]
  /** By `skip`, `todo`, or because another test has `only`. */
  readonly skipped: boolean
}

export interface Collection {
  readonly files: readonly CollectedFile[]
  /** Errors that belong to no file. */
  readonly unhandledErrors: number
}

export interface CollectOptions {
  /** Where the runner runs. */
  readonly folder: string
  readonly env: NodeJS.ProcessEnv
  /** Absolute paths (for Vitest, any part of a path); none: all files. */
  readonly filters?: readonly string[]
}
