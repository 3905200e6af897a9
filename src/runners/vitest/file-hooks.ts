import type { RunnerTestFile } from 'vitest'
import { hasAroundEach } from './suite-functions.ts'
import { vitest } from './vitest-module.ts'

export interface FileHooks {
  /** All tests are defined, none has run. */
  readonly collected: () => void
  /** All tests have run. */
  readonly finished: (file: Pick<RunnerTestFile, 'meta'>) => void
}

/** Hooks around all tests of the file that is being collected. */
export function aroundFile({ collected, finished }: FileHooks): void {
  vitest.beforeAll(() => collected())
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads the source and insists on a pattern here
  if (hasAroundEach()) vitest.afterAll(({}, suite) => finished(suite as RunnerTestFile))
  else vitest.afterAll(((suite: RunnerTestFile) => finished(suite)) as never)
}
