import { createRequire } from 'node:module'

const load = createRequire(import.meta.url)

/** True of a path that one of the globs fits. The matcher is loaded where there are globs, and nowhere else. */
export function matchGlobs(globs: readonly string[]): (path: string) => boolean {
  if (globs.length === 0) return () => false
  const picomatch = load('picomatch') as typeof import('picomatch')
  return picomatch([...globs])
}
