import { dirname } from 'node:path'
import type { RunnerTask, RunnerTestCase } from 'vitest'
import { cassettePath, nameIndexes } from '../../core/cassette/cassette-path.ts'
import { packageRoot } from '../../session/open-file.ts'
import type { TestIdentity } from '../../session/test-identity.ts'
import { posixRelative } from '../../store/package-root.ts'

/** Where a task stands: its names, its file, and the cassette that belongs to it. */
export function taskIdentity(task: RunnerTestCase, path: string | undefined): TestIdentity {
  const names = taskNames(task)
  const root = packageRoot(dirname(task.file.filepath))
  const file = posixRelative(root, task.file.filepath)
  return {
    names,
    fullName: names.join(' > '),
    file,
    root,
    cassette: path ?? cassettePath({ testFile: file, names, index: occurrence(task) }),
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

const occurrences = new WeakMap<object, ReadonlyMap<string, number>>()

// Equal names are told apart by their order in the file, whatever filters run: the file's tasks are always all there.
function occurrence(task: RunnerTestCase): number {
  let ofFile = occurrences.get(task.file)
  if (ofFile === undefined || !ofFile.has(task.id)) {
    ofFile = countOccurrences(task.file.tasks)
    occurrences.set(task.file, ofFile)
  }
  return ofFile.get(task.id) ?? 1
}

function countOccurrences(tasks: readonly RunnerTask[]): ReadonlyMap<string, number> {
  const tests = tasks.flatMap(testsOf)
  const indexes = nameIndexes(tests.map(taskNames))
  return new Map(tests.map(({ id }, at) => [id, indexes[at] ?? 1]))
}

function testsOf(task: RunnerTask): readonly RunnerTestCase[] {
  return task.type === 'suite' ? task.tasks.flatMap(testsOf) : [task]
}
