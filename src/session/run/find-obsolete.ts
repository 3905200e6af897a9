/** Cassettes that belong to no test of a run any more, in every package root that took part; removed where that was asked for. */
import { cassettePaths } from '../../core/cassette/cassette-path.ts'
import { isReplayError } from '../../errors/replay-error.ts'
import { type CassetteStore, createStore, type StoreToken } from '../../store/cassette-store.ts'
import { errorCode } from '../../store/file-fault.ts'
import { findPackageRoot, posixRelative } from '../../store/package-root.ts'
import { judgeCassettes, tokensOf } from './judge-cassettes.ts'
import type { Situation, TestFile } from './obsolete.ts'
import type { RunFacts, RunFile, RunTest } from './run-facts.ts'

export interface ObsoleteFinding {
  /** The package root, absolute. */
  readonly root: string
  /** Relative to it. */
  readonly path: string
  readonly reason: string
  readonly removed: boolean
}

export interface ObsoleteSearch {
  readonly facts: RunFacts
  /** The package root of a test file. */
  readonly rootOf: (file: string) => string
  /** `-u`: what is obsolete goes, if the run was a full one and all of it passed. */
  readonly mayRemove: boolean
}

/** Of a shard nothing is said, nor of a run that was cut short. */
export function findObsolete({ facts, rootOf, mayRemove }: ObsoleteSearch): readonly ObsoleteFinding[] {
  const { extent, files, folder } = facts
  if (extent === 'shard' || extent === 'cut') return []
  const whole = extent === 'whole' || extent === 'picked'
  const byRoot = new Map<string, RunFile[]>(whole ? [[findPackageRoot(folder), []]] : [])
  for (const file of files) {
    const root = rootOf(file.path)
    byRoot.set(root, [...(byRoot.get(root) ?? []), file])
  }
  const removes = mayRemove && extent === 'whole' && isClean(facts)
  return [...byRoot].flatMap(([root, ofRoot]) => {
    const store = createStore({ root })
    store.removeLeftovers('temporary')
    const paths = store.list()
    if (paths.length === 0) return []
    const read = removes ? tokensOf(store, paths) : new Map()
    return judgeCassettes({ root, store, paths, whole, ...knownOf(ofRoot, root) }).flatMap(({ path, verdict }) => {
      if (verdict.kind !== 'obsolete') return []
      return [{ root, path, reason: verdict.reason, removed: removes && removeFrom(store, path, read.get(path)) }]
    })
  })
}

function knownOf(files: readonly RunFile[], root: string): Pick<Situation, 'files' | 'opened' | 'unasked'> {
  return {
    files: files.map((file) => testFile(file, root)),
    opened: new Set(
      files.flatMap(({ tests }) => tests.flatMap(({ attempts }) => attempts.map(({ cassette }) => cassette))),
    ),
    unasked: new Set(files.flatMap((file) => unaskedOf(file, root))),
  }
}

function testFile({ path, broken, tests }: RunFile, root: string): TestFile {
  return { file: posixRelative(root, path), failed: broken, tests: tests.map(({ names }) => names) }
}

function unaskedOf(file: RunFile, root: string): readonly string[] {
  const isUnasked = (test: RunTest | undefined): boolean => test?.state === 'passed' && test.attempts.length === 0
  if (!file.tests.some(isUnasked)) return []
  const { file: name, tests } = testFile(file, root)
  return cassettePaths({ testFile: name, tests }).filter((_, at) => isUnasked(file.tests[at]))
}

function isClean({ files, hasErrors }: RunFacts): boolean {
  if (hasErrors) return false
  return files.every(
    ({ broken, tests, strays }) =>
      !broken && tests.every(({ state }) => state !== 'failed') && strays.every(({ refused }) => !refused),
  )
}

function removeFrom(store: CassetteStore, path: string, expected: StoreToken): boolean {
  try {
    if (store.remove(path, expected) === 'changed') return false
    store.removePending(path)
    return true
  } catch (error) {
    // A file system that refuses: it stays obsolete, and is named as such.
    if (errorCode(error) === undefined && !isReplayError(error)) throw error
    return false
  }
}
