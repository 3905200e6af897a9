/** Whether the project's tests are Jest's, and where its own Jest is. */
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** True: Jest is installed, and either Vitest is not, or only Jest is configured. */
export function usesJest(folder: string): boolean {
  if (resolved(folder, 'jest/package.json') === undefined) return false
  if (resolved(folder, 'vitest/package.json') === undefined) return true
  return isJestConfigured(folder) && !configured(folder, ['vitest', 'vite'])
}

/** The program to start with Node; for projects that use Jest. */
export function jestProgram(folder: string): string {
  return join(dirname(resolved(folder, 'jest/package.json') ?? folder), 'bin', 'jest.js')
}

function isJestConfigured(folder: string): boolean {
  if (configured(folder, ['jest']) || existsSync(join(folder, 'jest.config.json'))) return true
  const manifest = join(folder, 'package.json')
  return existsSync(manifest) && 'jest' in JSON.parse(readFileSync(manifest, 'utf8'))
}

function configured(folder: string, names: readonly string[]): boolean {
  const extensions = ['ts', 'mts', 'cts', 'js', 'mjs', 'cjs']
  return names.some((name) => extensions.some((extension) => existsSync(join(folder, `${name}.config.${extension}`))))
}

function resolved(folder: string, specifier: string): string | undefined {
  try {
    return createRequire(join(folder, 'package.json')).resolve(specifier)
  } catch {
    return undefined
  }
}
