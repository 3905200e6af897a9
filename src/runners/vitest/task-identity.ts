import { dirname } from 'node:path'
import type { RunnerTask, RunnerTestCase } from 'vitest'
import { cassettePath, cassettePaths } from '../../core/cassette/cassette-path.ts'
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
    cassette:
      path ?? fileCassettes(task, file).byTask.get(task.id) ?? cassettePath({ testFile: file, names, index: 1 }),
    ofFile: () => fileCassettes(task, file).all,
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

interface FileCassettes {
  readonly byTask: ReadonlyMap<string, string>
  readonly all: readonly string[]
}

const ofFiles = new WeakMap<object, FileCassettes>()

// Equal names are told apart by their order in the file, whatever filters run: the file's tasks are always all there.
function fileCassettes(task: RunnerTestCase, testFile: string): FileCassettes {
  let ofFile = ofFiles.get(task.file)
  if (ofFile === undefined || !ofFile.byTask.has(task.id)) {
    const tests = task.file.tasks.flatMap(testsOf)
    const all = cassettePaths({ testFile, tests: tests.map(taskNames) })
    ofFile = { byTask: new Map(tests.map(({ id }, at) => [id, all[at] as string])), all }
    ofFiles.set(task.file, ofFile)
  }
  return ofFile
}

function testsOf(task: RunnerTask): readonly RunnerTestCase[] {
  return task.type === 'suite' ? task.tasks.flatMap(testsOf) : [task]
}
