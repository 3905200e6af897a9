import type { Vitest } from 'vitest/node'

/** True: a built-in reporter of this name takes part in the run. */
export function hasReporter({ config }: Pick<Vitest, 'config'>, name: string): boolean {
  return config.reporters.some((one) => [one].flat()[0] === name)
}
