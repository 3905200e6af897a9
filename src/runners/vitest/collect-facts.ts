/** The facts of a run as Vitest knows them, of merged blob reports too. */
import type { TestCase, TestModule, TestSuite, Vitest } from 'vitest/node'
import type { RunExtent, RunFacts, RunFile, RunTest } from '../../session/run/run-facts.ts'

export interface VitestRun {
  readonly vitest: Vitest
  readonly modules: readonly TestModule[]
  readonly hasErrors: boolean
  readonly isInterrupted: boolean
}

export async function collectFacts({ vitest, modules, hasErrors, isInterrupted }: VitestRun): Promise<RunFacts> {
  const ran = modules.filter((module) => !notReached.has(module.state()))
  return {
    runner: { name: 'vitest', version: vitest.version },
    folder: vitest.config.root,
    files: ran.map(runFile),
    extent: isInterrupted ? 'cut' : await extentOf(vitest, ran),
    hasErrors: hasErrors || ran.some(hasOwnErrors),
  }
}

/** States of a file that did not come to its turn; the name depends on the version. */
const notReached: ReadonlySet<string> = new Set(['pending', 'queued'])

async function extentOf(vitest: Vitest, modules: readonly TestModule[]): Promise<RunExtent> {
  if (vitest.config.shard !== undefined) return 'shard'
  const present = new Set(modules.map(({ moduleId }) => moduleId))
  // By what there is, and not by flags: so runs of changed files, of a filter, of a watcher and of merged shards are told apart.
  const all = await vitest.globTestSpecifications()
  if (!all.every(({ moduleId }) => present.has(moduleId))) return 'part'
  const { project, testNamePattern } = vitest.config
  return project.length > 0 || testNamePattern !== undefined ? 'picked' : 'whole'
}

/** One file, its tests and what their tapes said. */
export function runFile(module: TestModule): RunFile {
  const tests = [...module.children.allTests()].map(runTest)
  return {
    path: module.moduleId,
    // Where a test ran, all of them were collected: the error is one of hooks, or says that a snapshot is obsolete.
    broken: hasOwnErrors(module) && tests.every(({ state }) => state === 'not run'),
    tests,
    strays: module.meta().turntapeStrays ?? [],
  }
}

/** Errors of the file or its describes, not of its tests. */
function hasOwnErrors(module: TestModule): boolean {
  return [module, ...module.children.allSuites()].some((suite) => suite.errors().length > 0)
}

function runTest(test: TestCase): RunTest {
  const { state } = test.result()
  const report = test.meta().turntape
  return {
    names: namesOf(test),
    state: state === 'passed' || state === 'failed' ? state : 'not run',
    line: test.location?.line,
    attempts: report?.attempts ?? [],
    updateIgnored: report?.updateIgnored ?? false,
  }
}

function namesOf(test: TestCase): readonly string[] {
  const names = [test.name]
  for (let at: TestModule | TestSuite = test.parent; at.type === 'suite'; at = at.parent) names.unshift(at.name)
  return names
}
