import type * as Vitest from 'vitest'

/**
 * Vitest as a test file sees it; undefined in a configuration file, which imports our entry for its plugin: 3.x throws
 * where `vitest` is imported outside of a worker.
 */
const loaded: typeof Vitest | undefined = await import('vitest').catch(() => undefined)

/** For code that runs in workers only. */
export const vitest = loaded as typeof Vitest
