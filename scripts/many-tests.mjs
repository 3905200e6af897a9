// @ts-check
/** Runs `test/runners/many.test.ts` with a thousand tests: `node scripts/many-tests.mjs [count]`, a multiple of 4. */
import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const vitest = path.join(root, 'node_modules', 'vitest', 'vitest.mjs')
const run = spawnSync(process.execPath, [vitest, 'run', '--project', 'tests', 'test/runners/many.test.ts'], {
  cwd: root,
  env: { ...process.env, TURNTAPE_MANY: process.argv[2] ?? '1000' },
  stdio: 'inherit',
})
process.exitCode = run.status ?? 1
