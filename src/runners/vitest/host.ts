import { realpathSync } from 'node:fs'
import { homedir, hostname, tmpdir, userInfo } from 'node:os'
import { performance } from 'node:perf_hooks'
import { vitestUpdateCommand } from '../../errors/commands.ts'
import { isOwnPort } from '../../interception/own-servers.ts'
import { collectScanFacts } from '../../redaction/scan-facts.ts'
import type { SessionHost } from '../../session/session-host.ts'
import { toolVersion } from '../../session/tool-version.ts'
import { createStore } from '../../store/cassette-store.ts'

// Bound when this module loads, before a test can put a fake clock in their place.
const now = performance.now.bind(performance)
const RealDate = Date

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
  const host: SessionHost = {
    store: createStore({ root }),
    now,
    date: () => new RealDate(),
    scanFacts: () =>
      collectScanFacts({ env: process.env, userName: orUndefined(() => userInfo().username), hostName: hostname() }),
    project: root,
    home: homedir(),
    temporary: temporaryFolders(),
    isOwnPort,
    get versions() {
      const runner = runnerVersion === undefined ? {} : { vitest: runnerVersion }
      return { turntape: toolVersion, node: process.versions.node, ...runner }
    },
    updateCommand: vitestUpdateCommand,
  }
  hosts.set(root, host)
  return host
}

function temporaryFolders(): readonly string[] {
  const folder = tmpdir()
  return [...new Set([folder, orUndefined(() => realpathSync(folder)) ?? folder])]
}

// The system may know no user (containers with odd ids) and no temporary folder: then there is nothing to look for.
function orUndefined<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}
