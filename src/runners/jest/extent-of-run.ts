import type { RunExtent } from '../../session/run/run-facts.ts'

/** What is used of Jest's `GlobalConfig`; the versions differ in the pattern of paths. */
export interface GlobalConfig {
  readonly rootDir: string
  readonly updateSnapshot: 'all' | 'new' | 'none'
  readonly reporters?: readonly (string | readonly [string, ...unknown[]])[]
  readonly shard?: unknown
  readonly testNamePattern?: string
  /** 29. */
  readonly testPathPattern?: string
  /** 30. */
  readonly testPathPatterns?: { readonly isSet: () => boolean }
  readonly nonFlagArgs?: readonly string[]
  readonly changedSince?: string
  readonly filter?: string
  readonly skipFilter?: boolean
  readonly findRelatedTests?: boolean
  readonly onlyChanged?: boolean
  readonly onlyFailures?: boolean
  readonly runTestsByPath?: boolean
}

interface RanFiles {
  readonly testResults: readonly unknown[]
  readonly numTotalTestSuites: number
  readonly wasInterrupted?: boolean | undefined
}

/** How much of the project a run took in, by Jest's own settings: it knows no list of all test files. */
export function extentOfRun(
  config: GlobalConfig,
  { testResults, numTotalTestSuites, wasInterrupted }: RanFiles,
): RunExtent {
  if (config.shard) return 'shard'
  // `bail` ends a run before its last file.
  if (wasInterrupted === true || testResults.length < numTotalTestSuites) return 'cut'
  const { testPathPattern, testPathPatterns, nonFlagArgs = [], changedSince, filter, skipFilter } = config
  const { findRelatedTests, onlyChanged, onlyFailures, runTestsByPath } = config
  const isPart =
    Boolean(testPathPattern || testPathPatterns?.isSet() || changedSince || (filter && !skipFilter)) ||
    nonFlagArgs.length > 0 ||
    [findRelatedTests, onlyChanged, onlyFailures, runTestsByPath].includes(true)
  if (isPart) return 'part'
  return config.testNamePattern || picksProjects(process.argv) ? 'picked' : 'whole'
}

/** The one filter of which the configuration says nothing. */
function picksProjects(argv: readonly string[]): boolean {
  return argv.some((argument) => /^--(?:select|ignore)-?projects\b/i.test(argument))
}
