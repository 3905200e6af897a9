// @ts-check
import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * Runs one test file of this repository, with a variable that makes its test a long one; its exit code becomes this process's.
 * @param {{ file: string, variable: string, value: string, options?: readonly string[] }} run `options`: of Vitest.
 */
export function runTestFile({ file, variable, value, options = [] }) {
  const root = fileURLToPath(new URL('..', import.meta.url))
  const vitest = path.join(root, 'node_modules', 'vitest', 'vitest.mjs')
  const run = spawnSync(process.execPath, [vitest, 'run', '--project', 'tests', ...options, file], {
    cwd: root,
    env: { ...process.env, [variable]: value },
    stdio: 'inherit',
  })
  process.exitCode = run.status ?? 1
}
