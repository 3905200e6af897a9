// @ts-check
/**
 * Runs `npm ci` when `node_modules` is not what the lock file says: absent, incomplete or of other versions. So the
 * commands of the README work on a fresh clone and after a pull. Needs nothing but Node.
 */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

/** @typedef {Record<string, { version?: string, optional?: boolean, devOptional?: boolean }>} Packages */

const root = fileURLToPath(new URL('..', import.meta.url))

/** @param {string} folder of a package with a lock file @returns {boolean} false where the installation failed; npm has said why */
export function ensureInstalled(folder = root) {
  if (isInstalled(folder)) return true
  console.error('installing what the lock file says (npm ci) …')
  const { status } = spawnSync('npm', ['ci'], { cwd: folder, stdio: 'inherit', shell: process.platform === 'win32' })
  return status === 0
}

/** npm keeps a lock file of what it has installed. Optional packages of other platforms are rightly not there. @param {string} folder */
function isInstalled(folder) {
  const locked = packagesOf(path.join(folder, 'package-lock.json'))
  const installed = packagesOf(path.join(folder, 'node_modules/.package-lock.json'))
  if (locked === undefined || installed === undefined) return false
  return Object.entries(locked).every(([place, { version, optional, devOptional }]) => {
    if (place === '') return true
    const present = installed[place]
    return present === undefined ? optional === true || devOptional === true : present.version === version
  })
}

/** @param {string} lockFile @returns {Packages | undefined} */
function packagesOf(lockFile) {
  try {
    return JSON.parse(readFileSync(lockFile, 'utf8')).packages
  } catch {
    return undefined // absent, or cut off by an installation that was stopped: install again
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url) && !ensureInstalled()) process.exitCode = 1
