import { dirname, resolve } from 'node:path'
import { type JudgedCassette, judgeCassettes, tokensOf } from '../session/run/judge-cassettes.ts'
import type { TestFile } from '../session/run/obsolete.ts'
import { findPackageRoot, posixRelative } from '../store/package-root.ts'
import { collectedTests } from './collected-tests.ts'
import type { CollectedFile } from './collection.ts'
import type { CommandContext, RunCommand } from './command.ts'
import { runnerFolder } from './find-vitest.ts'

/**
 * `turntape prune`: removes what belongs to no test, committed and pending, and says what it kept in doubt. With
 * `--dry-run` something to remove is exit code 1, so that a run in shards has a gate of its own.
 */
export const prune: RunCommand = async ({ flags }, context) => {
  const { store, output, shown } = context
  const paths = [...new Set([...store.list(), ...store.listPending()])].sort()
  const isDryRun = flags.has('dry-run')
  const read = isDryRun ? new Map() : tokensOf(store, paths)
  const verdicts = paths.length === 0 ? [] : await judgeAll(paths, context)
  const counts = { obsolete: 0, kept: 0, 'in use': 0 }
  for (const judged of verdicts) {
    const { path } = judged
    const isTaken = judged.verdict.kind === 'obsolete' && !isDryRun
    const isChanged = isTaken && store.remove(path, read.get(path)) === 'changed'
    const verdict = isChanged ? changedMeanwhile : judged.verdict
    if (isTaken && !isChanged) store.removePending(path)
    counts[verdict.kind] += 1
    if (verdict.kind === 'in use') continue
    const word = verdict.kind === 'kept' ? 'kept' : isDryRun ? 'would remove' : 'removed'
    output.line(`${word.padEnd(isDryRun ? 12 : 7)}  ${output.paint.bold(shown(path))}  ${verdict.reason}`)
  }
  counts.obsolete += pruneLeftovers(context, isDryRun)
  const removed = `${counts.obsolete} ${isDryRun ? 'to remove' : 'removed'}`
  output.line(`${removed}, ${counts.kept} kept in doubt, ${counts['in use']} in use`)
  return isDryRun && counts.obsolete > 0 ? 1 : 0
}

const changedMeanwhile = { kind: 'kept', reason: 'another run wrote it meanwhile' } as const

/** Gives back how many there are. */
function pruneLeftovers({ store, root, output, shown }: CommandContext, isDryRun: boolean): number {
  const files = store.leftovers('all')
  if (!isDryRun) store.removeLeftovers('all')
  const word = isDryRun ? 'would remove' : 'removed'
  for (const file of files) {
    output.line(`${word}  ${output.paint.bold(shown(posixRelative(root, file)))}  left by a run that was killed`)
  }
  return files.length
}

async function judgeAll(paths: readonly string[], context: CommandContext): Promise<readonly JudgedCassette[]> {
  const { root, env, store } = context
  const { files } = await collectedTests({ folder: runnerFolder(root), env })
  const nothing: ReadonlySet<string> = new Set()
  // Tests are collected and not run: which of them opens which cassette is not known.
  const known = {
    files: files.flatMap((file) => ownTestFile(file, root)),
    whole: true,
    opened: nothing,
    unasked: nothing,
  }
  return judgeCassettes({ root, store, paths, ...known })
}

/** A file of another package of the repository has its cassettes there. */
function ownTestFile({ file, failed, tests }: CollectedFile, root: string): readonly TestFile[] {
  if (findPackageRoot(dirname(resolve(file))) !== root) return []
  return [{ file: posixRelative(root, file), failed, tests: tests.map(({ names }) => names) }]
}
