/** Where the project's own Vitest is, and in which folder it runs. */
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { foldersUp } from '../store/package-root.ts'
import { usageError } from './usage-error.ts'

/** The program to start with Node. @throws TURNTAPE_USAGE where Vitest is not installed */
export function vitestProgram(root: string): string {
  const manifest = resolveVitest(root, 'vitest/package.json')
  const { bin } = JSON.parse(readFileSync(manifest, 'utf8')) as {
    readonly bin: string | Readonly<Record<string, string>>
  }
  return join(dirname(manifest), typeof bin === 'string' ? bin : (bin.vitest ?? 'vitest.mjs'))
}

/** The module `vitest/node`. @throws TURNTAPE_USAGE where Vitest is not installed */
export function vitestNodeModule(root: string): string {
  return resolveVitest(root, 'vitest/node')
}

/** The nearest folder with a configuration of Vitest or Vite, inside the repository; else the package root. */
export function runnerFolder(root: string): string {
  const folders = foldersUp(root)
  const top = folders.findIndex((folder) => existsSync(join(folder, '.git')))
  const inside = top < 0 ? [root] : folders.slice(0, top + 1)
  return inside.find((folder) => configurations.some((name) => existsSync(join(folder, name)))) ?? root
}

const configurations = ['vitest', 'vite'].flatMap((name) => {
  return ['ts', 'mts', 'cts', 'js', 'mjs', 'cjs'].map((extension) => `${name}.config.${extension}`)
})

function resolveVitest(root: string, specifier: string): string {
  try {
    return createRequire(join(root, 'package.json')).resolve(specifier)
  } catch {
    throw usageError(
      'Vitest is not installed in this project',
      'Run npm install --save-dev vitest, or go to the project that has it.',
    )
  }
}
