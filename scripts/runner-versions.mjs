// @ts-check
/**
 * Other versions of the test runners, for the matrix: each is installed by npm, with what it needs beside it, under
 * `node_modules/.cache/turntape-runners/<name>-<version>/`. `node scripts/runner-versions.mjs vitest@3.2.7 jest@30.5.2`
 * fetches them ahead and prints where they are.
 */
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

/** @typedef {{ folder: string } | { missing: string }} RunnerFolder `folder` has node_modules; `missing` is the reason, one line */

/** Vite 8.4.0 cannot be installed from a lock file: it names a package that does not exist. */
const beside = { jest: [], vitest: ['vite@8.3.8'] }

/** What turns TypeScript into JavaScript for Jest. */
const transforms = [
  ...['ts-jest@29.4.15', 'typescript@5.9.3', '@types/jest@30.0.0', '@swc/jest@0.2.39', '@swc/core@1.16.22'],
  ...['@babel/core@7.29.13', '@babel/preset-env@7.29.14', '@babel/preset-typescript@7.29.7'],
]

const cache = fileURLToPath(new URL('../node_modules/.cache/turntape-runners', import.meta.url))

/**
 * One exact version, fetched the first time. Never rejects: what cannot be had comes back as `missing`. Safe to call from
 * several workers at once: each fetches into a folder of its own, the first to finish is kept.
 * @param {{ name: 'jest' | 'vitest', version: string, transforms?: boolean }} runner
 * @returns {Promise<RunnerFolder>}
 */
export async function runnerFolder({ name, version, transforms: withTransforms = false }) {
  const folder = path.join(cache, `${name}-${version}${withTransforms ? '-transforms' : ''}`)
  if (existsSync(folder)) return { folder }
  mkdirSync(cache, { recursive: true })
  const arriving = mkdtempSync(path.join(cache, 'arriving-'))
  try {
    const packages = [
      `${name}@${version}`,
      ...(version.startsWith('3.') ? [] : beside[name]),
      ...(withTransforms ? transforms : []),
    ]
    const args = ['install', '--prefix', arriving, '--ignore-scripts', '--no-package-lock', '--no-audit', '--no-fund']
    await promisify(execFile)('npm', [...args, ...packages], { timeout: 300_000 })
    renameSync(arriving, folder)
  } catch (error) {
    if (!existsSync(folder)) return { missing: `${name} ${version} could not be installed (${reasonOf(error)})` }
  } finally {
    rmSync(arriving, { recursive: true, force: true })
  }
  return { folder }
}

/** The first line that says what is wrong: npm begins with a code. @param {unknown} error */
function reasonOf(error) {
  const text = String(/** @type {{ stderr?: string }} */ (error).stderr || error)
  const lines = text.split('\n').map((line) => line.replace(/^npm error /, '').trim())
  return lines.find((line) => line !== '' && !line.startsWith('code ')) ?? 'npm failed'
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const runner of process.argv.slice(2)) {
    const [name, version = ''] = runner.split('@')
    if (name !== 'jest' && name !== 'vitest') throw new Error(`no such runner: ${name}`)
    const found = await runnerFolder({ name, version })
    console.log('folder' in found ? found.folder : found.missing)
    if ('missing' in found) process.exitCode = 1
  }
}
