/**
 * Every test of the project as its runner collects them, skipped ones included, which `vitest list` leaves out. Collected
 * in a process of its own, since test files are imported: nothing is recorded there, and nothing it prints is shown.
 */
import { spawn } from 'node:child_process'
import { collectWithJest } from './collect-with-jest.ts'
import type { Collection, CollectOptions } from './collection.ts'
import { usesJest } from './find-jest.ts'
import { usageError } from './usage-error.ts'

/** The first argument that makes this program collect; not for users. */
export const collectCommand = 'internal:collect-tests'

/** @throws TURNTAPE_USAGE where the runner cannot collect at all */
export async function collectedTests(options: CollectOptions): Promise<Collection> {
  const { folder } = options
  if (!usesJest(folder)) return collectWithVitest(options)
  const files = await collectWithJest(options)
  if (files !== undefined) return { files, unhandledErrors: 0 }
  throw usageError('Jest could not collect the tests, nothing was done', 'Run npx jest to see why.')
}

async function collectWithVitest({ folder, env, filters = [] }: CollectOptions): Promise<Collection> {
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
