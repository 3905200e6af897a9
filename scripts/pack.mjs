// @ts-check
/**
 * Builds the package and packs it, as it would be published, to the file given:
 * `node scripts/pack.mjs node_modules/.cache/turntape-package/turntape.tgz`.
 * Also a function, for tests that install the tarball. Builds into `dist`: never two at a time.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const shell = process.platform === 'win32'

/**
 * @param {string} tarball where to put it, relative to the project root or absolute
 * @returns {string} its absolute path
 */
export function packPackage(tarball) {
  const target = path.resolve(root, tarball)
  mkdirSync(path.dirname(target), { recursive: true })
  execFileSync('npm', ['run', '--silent', 'build'], { cwd: root, stdio: ['ignore', 'pipe', 'inherit'], shell })
  const folder = mkdtempSync(path.join(path.dirname(target), 'pack-'))
  try {
    const args = ['pack', '--ignore-scripts', '--json', '--pack-destination', folder]
    const [packed] = JSON.parse(execFileSync('npm', args, { cwd: root, encoding: 'utf8', shell }))
    renameSync(path.join(folder, packed.filename), target)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  return target
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  console.log(packPackage(process.argv[2] ?? 'node_modules/.cache/turntape-package/turntape.tgz'))
}
