/** The package as it would be published, unpacked once for the whole test run: tests install it by copying. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { packPackage } from '../../scripts/pack.mjs'

export const repository = join(import.meta.dirname, '..', '..')
const cache = join(repository, 'node_modules', '.cache', 'turntape-package')

/** Where the unpacked package is. */
export const packageFolder = join(cache, 'package')
export const tarball = join(cache, 'turntape.tgz')

/** Vitest's global set-up: builds and packs when a source is newer than the last package. */
export default function setup(): void {
  if (existsSync(packageFolder) && existsSync(tarball) && newestSource() < statSync(tarball).mtimeMs) return
  packPackage(tarball)
  rmSync(packageFolder, { recursive: true, force: true })
  mkdirSync(cache, { recursive: true })
  execFileSync('tar', ['-xzf', tarball, '-C', cache])
}

function newestSource(): number {
  const files = ['package.json', 'tsup.config.ts', 'README.md', ...sources('src')]
  return Math.max(...files.map((file) => statSync(join(repository, file)).mtimeMs))
}

function sources(folder: string): string[] {
  return readdirSync(join(repository, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(repository.length + 1))
}
