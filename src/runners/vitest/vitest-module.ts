import process from 'node:process'
import type * as Vitest from 'vitest'

/**
 * Vitest as a test file sees it; undefined in a configuration file, which imports our entry for its plugin and would wait for it.
 * Every worker has a number. A process started from a worker inherits that, and Vitest 3 throws where it is imported there.
 */
const loaded: typeof Vitest | undefined =
  process.env.VITEST_WORKER_ID === undefined ? undefined : await import('vitest').catch(() => undefined)

/** For code that runs in workers only. */
export const vitest = loaded as typeof Vitest
