import { createRequire } from 'node:module'

/** The version of the package `jest` that this file or folder sees. */
export function jestVersion(path: string): string | undefined {
  try {
    const found: unknown = createRequire(path)('jest/package.json')
    const version: unknown = typeof found === 'object' && found !== null ? Reflect.get(found, 'version') : undefined
    return typeof version === 'string' ? version : undefined
  } catch {
    return undefined // installed as parts, not as the package `jest`
  }
}
