// @ts-check
/** Runs `test/life/memory.test.ts` with ten thousand tests: `node scripts/memory-run.mjs [count]`, a multiple of 5. */
import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const vitest = path.join(root, 'node_modules', 'vitest', 'vitest.mjs')
const run = spawnSync(process.execPath, [vitest, 'run', '--project', 'tests', 'test/life/memory.test.ts'], {
  cwd: root,
  env: { ...process.env, TURNTAPE_MEMORY: process.argv[2] ?? '10000' },
  stdio: 'inherit',
})
process.exitCode = run.status ?? 1
