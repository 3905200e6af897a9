/** The facts of a run: Jest's own result, with what the attempts left in the folder of the run. */
import { nameIndexes } from '../../core/cassette/cassette-path.ts'
import type { RunFacts, RunFile, RunTest } from '../../session/run/run-facts.ts'
import { extentOfRun, type GlobalConfig } from './extent-of-run.ts'
import { jestVersion } from './jest-version.ts'
import type { AttemptLine, RunLine } from './run-folder.ts'

/** What is used of Jest's `AggregatedResult`. */
export interface JestResults {
  readonly testResults: readonly FileResult[]
  readonly numTotalTestSuites: number
  readonly wasInterrupted?: boolean | undefined
  readonly runExecError?: unknown
}

interface FileResult {
  readonly testFilePath: string
  readonly testExecError?: unknown
  readonly testResults: readonly TestResult[]
}

interface TestResult {
  readonly ancestorTitles: readonly string[]
  readonly title: string
  readonly status: string
}

export interface JestRun {
  readonly config: GlobalConfig
  readonly results: JestResults
  readonly lines: readonly RunLine[]
}

export function collectFacts({ config, results, lines }: JestRun): RunFacts {
  const { rootDir } = config
  return {
    runner: { name: 'jest', version: jestVersion(`${rootDir}/package.json`) },
    folder: rootDir,
    files: runFiles(results.testResults, lines),
    extent: extentOfRun(config, results),
    hasErrors: Boolean(results.runExecError),
  }
}

function runFiles(results: readonly FileResult[], lines: readonly RunLine[]): readonly RunFile[] {
  const runsOfFile = groupBy([...groupBy(lines, ({ run }) => run).values()], ([first]) => first?.file ?? '')
  const known = results.map((result) => {
    // A file that runs in several projects has several of both, and nothing tells which of them belong together.
    const run = runsOfFile.get(result.testFilePath)?.shift() ?? []
    return runFile(result, run)
  })
  // Jest has no result of a file that was running when it gave up.
  const left = [...runsOfFile.values()].flat().filter((run) => run.length > 0)
  return [...known, ...left.map(unfinishedFile)]
}

function runFile({ testFilePath, testExecError, testResults }: FileResult, lines: readonly RunLine[]): RunFile {
  const attempts = attemptsByTest(lines)
  const names = testResults.map(namesOf)
  const indexes = nameIndexes(names)
  return {
    path: testFilePath,
    broken: Boolean(testExecError) || testResults.length === 0,
    tests: testResults.map(({ status }, at) => {
      const own = attempts.get(keyOf(names[at] ?? [], indexes[at] ?? 1)) ?? []
      return runTest(names[at] ?? [], stateOf(status), own)
    }),
    strays: straysOf(lines),
  }
}

function unfinishedFile(lines: readonly RunLine[]): RunFile {
  const tests = [...attemptsByTest(lines).values()].map((attempts) =>
    runTest(attempts[0]?.names ?? [], attempts.at(-1)?.report.failure === undefined ? 'not run' : 'failed', attempts),
  )
  return { path: lines[0]?.file ?? '', broken: true, tests, strays: straysOf(lines) }
}

function runTest(names: readonly string[], state: RunTest['state'], attempts: readonly AttemptLine[]): RunTest {
  return {
    names,
    state,
    line: attempts[0]?.line,
    attempts: attempts.map(({ report }) => report),
    updateIgnored: attempts.some(({ updateIgnored }) => updateIgnored),
  }
}

function stateOf(status: string): RunTest['state'] {
  return status === 'passed' || status === 'failed' ? status : 'not run'
}

function attemptsByTest(lines: readonly RunLine[]): ReadonlyMap<string, readonly AttemptLine[]> {
  const attempts = lines.flatMap((line) => ('report' in line ? [line] : []))
  return groupBy(attempts, ({ names, index }) => keyOf(names, index))
}

function straysOf(lines: readonly RunLine[]): RunFile['strays'] {
  return lines.flatMap((line) => ('strays' in line ? line.strays : []))
}

function namesOf({ ancestorTitles, title }: TestResult): readonly string[] {
  return [...ancestorTitles, title]
}

function keyOf(names: readonly string[], index: number): string {
  return JSON.stringify([index, ...names])
}

function groupBy<T>(list: readonly T[], key: (one: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const one of list) {
    const group = groups.get(key(one))
    if (group === undefined) groups.set(key(one), [one])
    else group.push(one)
  }
  return groups
}
