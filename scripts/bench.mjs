// @ts-check
/**
 * `npm run bench`: measures every row of `docs/speed.md` and writes it. Installs what is measured beside us on first use, builds
 * the package into a folder of its own, runs on Node 24 with all peers and then, quick and alone, on Node 20.
 * `--row <id>` (on Node 24, the rows that begin so), `--rounds <n>`, `--quick`, `--keep-build` (what an earlier run built).
 */
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { nodeBinary } from './node-versions.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const shell = process.platform === 'win32'
const given = process.argv.slice(2)

if (!existsSync(new URL('../bench/node_modules', import.meta.url))) {
  execFileSync('npm', ['ci', '--prefix', 'bench', '--ignore-scripts'], { cwd: root, stdio: 'inherit', shell })
}
await measureOn('24.21.0', given)
if (!given.includes('--row')) await measureOn('20.20.2', ['--quick', '--ours-only', '--keep-build'])
execFileSync(process.execPath, ['scripts/generate-docs.mjs'], { cwd: root, stdio: 'inherit' })

/** @param {string} version @param {readonly string[]} options */
async function measureOn(version, options) {
  const found = await nodeBinary(version)
  if ('missing' in found) console.warn(`${found.missing}; measured on ${process.versions.node}`)
  const node = 'binary' in found ? found.binary : process.execPath
  execFileSync(node, ['--no-warnings', 'bench/run.mjs', ...options], { cwd: root, stdio: 'inherit' })
}
