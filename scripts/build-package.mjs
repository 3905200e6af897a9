// @ts-check
/** The package as it would be published, built into a folder of its own: tests and the census install it by copying. */
import { execFileSync } from 'node:child_process'
import { copyFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const tsup = path.join(root, 'node_modules', 'tsup', 'dist', 'cli-default.js')

/** All but the type declarations, which take long to build and few need. @param {string} folder */
export function buildPackage(folder) {
  build(['--no-dts', '--out-dir', path.join(folder, 'dist')])
  for (const file of ['package.json', 'jest-preset.json', 'README.md', 'LICENSE'])
    copyFileSync(path.join(root, file), path.join(folder, file))
}

/** @param {string} folder */
export function buildTypes(folder) {
  build(['--dts-only', '--out-dir', path.join(folder, 'dist')])
}

/** @param {string[]} args */
function build(args) {
  execFileSync(process.execPath, [tsup, '--silent', ...args], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] })
}
