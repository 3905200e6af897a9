import { existsSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import type { RunnerTask, RunnerTestCase } from 'vitest'
import { cassettePath, pathKey } from '../../core/cassette/cassette-path.ts'
import type { TestIdentity } from '../../session/test-identity.ts'

/** Where a task stands: its names, its file, and the cassette that belongs to it. */
export function taskIdentity(task: RunnerTestCase, path: string | undefined): TestIdentity {
  const names = taskNames(task)
  const root = packageRoot(task.file.filepath)
  const file = relative(root, task.file.filepath).split(sep).join('/')
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

const roots = new Map<string, string>()

/** The nearest folder above with a package.json; the file's own folder where there is none. */
export function packageRoot(file: string): string {
  const folder = dirname(file)
  const known = roots.get(folder)
  if (known !== undefined) return known
  let root = folder
  for (let at = folder; dirname(at) !== at; at = dirname(at)) {
    if (!existsSync(join(at, 'package.json'))) continue
    root = at
    break
  }
  roots.set(folder, root)
  return root
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
  const counts = new Map<string, number>()
  const byId = new Map<string, number>()
  const visit = (task: RunnerTask): void => {
    if (task.type === 'suite') {
      for (const inner of task.tasks) visit(inner)
      return
    }
    const key = pathKey(taskNames(task))
    const count = (counts.get(key) ?? 0) + 1
    counts.set(key, count)
    byId.set(task.id, count)
  }
  for (const task of tasks) visit(task)
  return byId
}
