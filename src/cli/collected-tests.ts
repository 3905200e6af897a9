/**
 * Every test of the project as Vitest collects them, skipped ones included, which `vitest list` leaves out. Collected in
 * a process of its own, since test files are imported: nothing is recorded there, and nothing it prints is shown.
 */
import { spawn } from 'node:child_process'
import { usageError } from './usage-error.ts'

/** The first argument that makes this program collect; not for users. */
export const collectCommand = 'internal:collect-tests'

export interface CollectedFile {
  /** Absolute, POSIX. */
  readonly file: string
  /** The folder that its project's globs are relative to, absolute. */
  readonly folder: string
  /** True: it or one of its suites could not be collected, so that tests may be missing. */
  readonly failed: boolean
  readonly tests: readonly CollectedTest[]
}

export interface CollectedTest {
  /** Describe names and the test's own. */
  readonly names: readonly string[]
  /** By `skip`, `todo`, or because another test has `only`. */
  readonly skipped: boolean
}

export interface Collection {
  readonly files: readonly CollectedFile[]
  /** Errors that belong to no file. */
  readonly unhandledErrors: number
}

export interface CollectOptions {
  /** Where Vitest runs. */
  readonly folder: string
  readonly env: NodeJS.ProcessEnv
  /** Parts of paths, as Vitest takes them; none: all files. */
  readonly filters?: readonly string[]
}

/** @throws TURNTAPE_USAGE where Vitest cannot collect at all */
export async function collectedTests({ folder, env, filters = [] }: CollectOptions): Promise<Collection> {
  const child = spawn(process.execPath, [process.argv[1] as string, collectCommand, ...filters], {
    cwd: folder,
    env: { ...env, TURNTAPE_MODE: 'replay' },
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  let collection: Collection | undefined
  child.on('message', (message) => {
    collection = message as Collection
  })
  await new Promise((resolve) => {
    child.on('close', resolve)
    child.on('error', resolve)
  })
  if (collection !== undefined && collection.unhandledErrors === 0) return collection
  throw usageError('Vitest could not collect the tests, nothing was done', 'Run npx vitest list to see why.')
}
