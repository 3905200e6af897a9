import { dirname } from 'node:path'
import type { RunnerTask, RunnerTestCase } from 'vitest'
import { cassettePath, cassettePaths } from '../../core/cassette/cassette-path.ts'
import { packageRoot } from '../../session/open-file.ts'
import type { TestIdentity } from '../../session/test-identity.ts'
import { posixRelative } from '../../store/package-root.ts'

/** Where a task stands: its names, its file, and the cassette that belongs to it. */
export function taskIdentity(task: RunnerTestCase, path: string | undefined): TestIdentity {
  const names = taskNames(task)
  const { root, file, byTask, all } = placeOfFile(task)
  return {
    names,
    fullName: names.join(' > '),
    file,
    root,
    cassette: path ?? byTask.get(task.id) ?? cassettePath({ testFile: file, names, index: 1 }),
    ofFile: () => all,
    retry: (task.result?.retryCount ?? 0) > 0,
    repeat: (task.result?.repeatCount ?? 0) > 0,
  }
}

/** Describe names and the test's own, outermost first. */
export function taskNames(task: RunnerTask): readonly string[] {
  const names: string[] = []
  for (let at: RunnerTask | undefined = task; at !== undefined && at !== task.file; at = at.suite)
    names.unshift(at.name)
  return names
}

interface FilePlace {
  /** The package root, absolute. */
  readonly root: string
  /** Relative to it. */
  readonly file: string
  /** Cassettes, by the id of their task. */
  readonly byTask: ReadonlyMap<string, string>
  readonly all: readonly string[]
}

const ofFiles = new WeakMap<object, FilePlace>()

// Equal names are told apart by their order in the file, whatever filters run: the file's tasks are always all there.
function placeOfFile({ id, file: taskOfFile }: RunnerTestCase): FilePlace {
  const known = ofFiles.get(taskOfFile)
  if (known?.byTask.has(id)) return known
  const root = packageRoot(dirname(taskOfFile.filepath))
  const file = posixRelative(root, taskOfFile.filepath)
  const tests = taskOfFile.tasks.flatMap(testsOf)
  const all = cassettePaths({ testFile: file, tests: tests.map(taskNames) })
  const place = { root, file, all, byTask: new Map(tests.map(({ id }, at) => [id, all[at] as string])) }
  ofFiles.set(taskOfFile, place)
  return place
}

function testsOf(task: RunnerTask): readonly RunnerTestCase[] {
  return task.type === 'suite' ? task.tasks.flatMap(testsOf) : [task]
}
