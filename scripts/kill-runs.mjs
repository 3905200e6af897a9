// @ts-check
/**
 * Runs `test/kills/kills.test.ts` with a thousand kills at random moments, and kill -9 in every change of every write:
 * `node scripts/kill-runs.mjs [count]`.
 */
import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const vitest = path.join(root, 'node_modules', 'vitest', 'vitest.mjs')
const arguments_ = ['run', '--project', 'tests', '--testTimeout', '3600000', 'test/kills/kills.test.ts']
const run = spawnSync(process.execPath, [vitest, ...arguments_], {
  cwd: root,
  env: { ...process.env, TURNTAPE_KILLS: process.argv[2] ?? '1000' },
  stdio: 'inherit',
})
process.exitCode = run.status ?? 1
