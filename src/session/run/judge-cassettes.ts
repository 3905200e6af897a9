import { defaultCaps } from '../../core/cassette/caps.ts'
import { isReplayError } from '../../errors/replay-error.ts'
import type { CassetteStore, StoreToken } from '../../store/cassette-store.ts'
import { posixRelative } from '../../store/package-root.ts'
import { testFilesOf } from '../../store/test-files-of.ts'
import { createJudge, type Situation, type Verdict } from './obsolete.ts'

export interface KnownTests extends Pick<Situation, 'files' | 'whole' | 'opened' | 'unasked'> {
  /** The package root, absolute. */
  readonly root: string
  readonly store: CassetteStore
  /** The cassettes to judge, committed or pending. */
  readonly paths: readonly string[]
}

export interface JudgedCassette {
  readonly path: string
  readonly verdict: Verdict
}

/** Judges the cassettes of one package root. Reads a cassette only where its path does not decide. */
export function judgeCassettes({ root, store, paths, ...known }: KnownTests): readonly JudgedCassette[] {
  const filesOfFolder = new Map<string, readonly string[]>()
  const judge = createJudge({
    ...known,
    testFilesOf: (folder) => {
      const files = filesOfFolder.get(folder) ?? testFilesOf(root, folder).map((file) => posixRelative(root, file))
      filesOfFolder.set(folder, files)
      return files
    },
    cassetteExists: (path) => store.token(path) !== undefined,
  })
  return paths.map((path) => ({ path, verdict: judge({ path, test: () => testNamed(path, store) }) }))
}

/** What the cassettes are before they are judged: what another run writes meanwhile is not removed. */
export function tokensOf(store: CassetteStore, paths: readonly string[]): ReadonlyMap<string, StoreToken> {
  return new Map(paths.map((path) => [path, tokenOf(store, path)]))
}

function tokenOf(store: CassetteStore, path: string): StoreToken {
  try {
    return store.token(path)
  } catch (error) {
    // Something is there that cannot be read: nothing that is judged removes it.
    if (isReplayError(error)) return undefined
    throw error
  }
}

function testNamed(path: string, store: CassetteStore): string | undefined {
  try {
    return (store.read(path, defaultCaps) ?? store.readPending(path, defaultCaps))?.cassette.test
  } catch (error) {
    if (isReplayError(error)) return undefined
    throw error
  }
}
