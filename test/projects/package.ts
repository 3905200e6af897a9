/**
 * The package as it would be published, built once per state of the sources: tests install it by copying the folder.
 * Each build has a folder of its own, so that runs beside each other neither wait nor collide.
 */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs'
import { join, relative } from 'node:path'
import { inject } from 'vitest'
import type { TestProject } from 'vitest/node'
import { buildPackage, buildTypes } from '../../scripts/build-package.mjs'

export const repository = join(import.meta.dirname, '..', '..')
const cache = join(repository, 'node_modules', '.cache', 'turntape-package')

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the package is that this run tests, whatever happens to the sources meanwhile. */
    packageFolder: string
  }
}

/** Builds kept beside the present one, and for how long any is, for runs that still use them. */
const keptBuilds = 3
const keptMs = 60 * 60 * 1000

/** Vitest's global set-up. */
export default function setup({ provide }: TestProject): void {
  const packageFolder = join(cache, sourceState())
  provide('packageFolder', packageFolder)
  if (existsSync(packageFolder)) {
    const now = new Date()
    utimesSync(packageFolder, now, now)
    return
  }
  mkdirSync(cache, { recursive: true })
  const arriving = mkdtempSync(join(cache, 'arriving-'))
  buildPackage(arriving)
  if (existsSync(packageFolder)) rmSync(arriving, { recursive: true })
  else renameSync(arriving, packageFolder)
  removeOldBuilds()
}

/** The type declarations, which take long to build and few tests need. */
export function ensureTypes(): void {
  const packageFolder = inject('packageFolder')
  if (!existsSync(join(packageFolder, 'dist', 'index.d.ts'))) buildTypes(packageFolder)
}

function removeOldBuilds(): void {
  const builds = readdirSync(cache)
    .filter((name) => /^[0-9a-f]{16}$/.test(name))
    .map((name) => ({ name, at: statSync(join(cache, name)).mtimeMs }))
    .sort((a, b) => b.at - a.at)
  const old = builds.slice(keptBuilds).filter(({ at }) => Date.now() - at > keptMs)
  for (const { name } of old) rmSync(join(cache, name), { recursive: true, force: true })
}

function sourceState(): string {
  const hash = createHash('sha256')
  for (const file of [
    'package.json',
    'jest-preset.json',
    'tsup.config.ts',
    'scripts/late-groups.mjs',
    'scripts/late-modules.mjs',
    'scripts/late-loader.mjs',
    'tsconfig.json',
    'README.md',
    ...sources('src'),
  ].sort()) {
    hash.update(`${file} ${statSync(join(repository, file)).mtimeMs}\n`)
  }
  return hash.digest('hex').slice(0, 16)
}

function sources(folder: string): string[] {
  return readdirSync(join(repository, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(repository, join(entry.parentPath, entry.name)))
}
