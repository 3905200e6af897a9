import { readdirSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { defaultCaps } from '../core/cassette/caps.ts'
import { isReplayError } from '../errors/replay-error.ts'
import type { StoredCassette } from '../store/cassette-store.ts'
import { findPackageRoot, posixRelative } from '../store/package-root.ts'
import { collectedTests } from './collected-tests.ts'
import type { CollectedFile } from './collection.ts'
import type { CommandContext, RunCommand } from './command.ts'
import { runnerFolder } from './find-vitest.ts'
import { createJudge, type FoundCassette, type TestFile } from './obsolete.ts'

/** `turntape prune`: removes what belongs to no test, committed and pending, and says what it kept in doubt. */
export const prune: RunCommand = async ({ flags }, context) => {
  const { store, output, shown } = context
  const paths = [...new Set([...store.list(), ...store.listPending()])].sort()
  const verdicts = paths.length === 0 ? [] : await judgeAll(paths, context)
  const isDryRun = flags.has('dry-run')
  const counts = { obsolete: 0, kept: 0, 'in use': 0 }
  for (const { path, verdict } of verdicts) {
    counts[verdict.kind] += 1
    if (verdict.kind === 'in use') continue
    if (verdict.kind === 'obsolete' && !isDryRun) {
      store.remove(path)
      store.removePending(path)
    }
    const word = verdict.kind === 'kept' ? 'kept' : isDryRun ? 'would remove' : 'removed'
    output.line(`${word.padEnd(isDryRun ? 12 : 7)}  ${output.paint.bold(shown(path))}  ${verdict.reason}`)
  }
  const removed = `${counts.obsolete} ${isDryRun ? 'to remove' : 'removed'}`
  output.line(`${removed}, ${counts.kept} kept in doubt, ${counts['in use']} in use`)
  return 0
}

async function judgeAll(paths: readonly string[], context: CommandContext) {
  const { root, env, store } = context
  const { files } = await collectedTests({ folder: runnerFolder(root), env })
  const judge = createJudge({
    files: files.flatMap((file) => ownTestFile(file, root)),
    testFileExists: (folder) => testFileExists(root, folder),
    cassetteExists: (path) => store.token(path) !== undefined,
  })
  return paths.map((path) => ({ path, verdict: judge(describeCassette(path, context)) }))
}

/** A file of another package of the repository has its cassettes there. */
function ownTestFile({ file, failed, tests }: CollectedFile, root: string): readonly TestFile[] {
  if (findPackageRoot(dirname(resolve(file))) !== root) return []
  return [{ file: posixRelative(root, file), failed, tests: tests.map(({ names }) => names) }]
}

function describeCassette(path: string, { store }: CommandContext): FoundCassette {
  try {
    const stored: StoredCassette | undefined = store.read(path, defaultCaps) ?? store.readPending(path, defaultCaps)
    return { path, test: stored?.cassette.test }
  } catch (error) {
    if (isReplayError(error)) return { path, test: undefined }
    throw error
  }
}

/** Reads the folder of a cassette backwards, as far as the path rule can be: a colon is left out in it, and the extension. */
function testFileExists(root: string, folder: string): boolean {
  const segments = folder.split('/').slice(1)
  const stem = segments.pop() ?? ''
  let folders = [root]
  for (const segment of segments) {
    folders = folders.flatMap((at) =>
      namesIn(at)
        .filter((name) => name.replaceAll(':', '') === segment)
        .map((name) => join(at, name)),
    )
  }
  return folders.some((at) => namesIn(at).some((name) => name.replace(/(.)\.[^.]*$/, '$1') === stem))
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    // No folder, or not readable: then no test file is found there.
    return []
  }
}
