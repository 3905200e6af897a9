// The package as it is published, in a folder of the bench's own, and the harness that is built from the same sources.
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildPackage, buildTypes } from '../scripts/build-package.mjs'

export const root = fileURLToPath(new URL('..', import.meta.url))
export const cache = path.join(root, 'node_modules/.cache/turntape-bench')
export const packageFolder = path.join(cache, 'package')

/** What is published beside what others need of a build. */
const more = ['schema', 'CHANGELOG.md']

/** Builds both; a minute. @param {{ keep: boolean }} options `keep`: takes what an earlier run built */
export function prepareBuilds({ keep }) {
  if (keep && existsSync(packageFolder) && existsSync(path.join(cache, 'harness.js'))) return
  rmSync(cache, { recursive: true, force: true })
  mkdirSync(packageFolder, { recursive: true })
  buildHarness()
  for (const name of more) cpSync(path.join(root, name), path.join(packageFolder, name), { recursive: true })
  buildPackage(packageFolder)
  buildTypes(packageFolder)
}

/** The sources with what the bench needs of their inside; a few seconds. */
export function buildHarness() {
  const tsup = path.join(root, 'node_modules/tsup/dist/cli-default.js')
  const args = [tsup, '--silent', '--config', 'bench/tsup.config.ts']
  execFileSync(process.execPath, args, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] })
}
