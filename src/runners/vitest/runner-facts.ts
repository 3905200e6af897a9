import { vitest } from './vitest-module.ts'

/** Absolute path of the test file that runs in this worker; undefined outside of a worker. */
export function currentTestPath(): string | undefined {
  try {
    try {
      return vitest.expect.getState().testPath
    } catch {
      return undefined // the entry was loaded by a configuration file, for its plugin
    }
  } catch {
    return undefined // a getter that throws where no worker is, as in a configuration file
  }
}

/**
 * The runner's own gate for snapshots: `all` for `-u`, `none` in CI and for `--update=none`. Read from the snapshot state,
 * the one place that also knows of `u` in watch mode.
 */
export function runnerUpdate(): 'all' | 'new' | 'none' {
  const state: unknown = Reflect.get(vitest.expect.getState(), 'snapshotState')
  if (typeof state !== 'object' || state === null) return 'new'
  const update: unknown = Reflect.get(state, 'snapshotUpdateState') ?? Reflect.get(state, '_updateSnapshot')
  return update === 'all' || update === 'none' ? update : 'new'
}
