import { vitestRealTimers, vitestUpdateCommand } from '../../errors/commands.ts'
import { machineHost } from '../../session/machine-host.ts'
import type { SessionHost } from '../../session/session-host.ts'

const hosts = new Map<string, SessionHost>()
let runnerVersion: string | undefined

/** Told by the plugin through the set-up file; unknown without it. */
export function setRunnerVersion(version: string | undefined): void {
  runnerVersion = version
}

/** What sessions of this package root need of the outside. */
export function hostOf(root: string): SessionHost {
  const known = hosts.get(root)
  if (known !== undefined) return known
  const host = machineHost({
    root,
    environment: process.env,
    runner: () => (runnerVersion === undefined ? {} : { vitest: runnerVersion }),
    updateCommand: vitestUpdateCommand,
    realTimers: vitestRealTimers,
  })
  hosts.set(root, host)
  return host
}
