import { realpathSync } from 'node:fs'
import { homedir, hostname, tmpdir, userInfo } from 'node:os'
import { performance } from 'node:perf_hooks'
import type { TestReference } from '../errors/commands.ts'
import { isOwnPort } from '../interception/own-servers.ts'
import { collectScanFacts } from '../redaction/scan-facts.ts'
import { createStore } from '../store/cassette-store.ts'
import type { SessionHost } from './session-host.ts'
import { toolVersion } from './tool-version.ts'

// Bound when this module loads, before a test can put a fake clock in their place.
const now = performance.now.bind(performance)
const RealDate = Date

/** What of a host is the runner's. */
export interface RunnerFacts {
  /** Absolute path of the package root. */
  readonly root: string
  /** The environment that the tests see. */
  readonly environment: Readonly<Record<string, string | undefined>>
  /** The runner and its version, by name; empty where it is not known. */
  readonly runner: () => Readonly<Record<string, string>>
  /** The command that runs one test with the runner's `-u`. */
  readonly updateCommand: (test: TestReference) => string
}

/** What sessions of this package root need of the outside. */
export function machineHost({ root, environment, runner, updateCommand }: RunnerFacts): SessionHost {
  return {
    store: createStore({ root }),
    now,
    date: () => new RealDate(),
    scanFacts: () =>
      collectScanFacts({
        env: environment,
        userName: orUndefined(() => userInfo().username),
        hostName: hostname(),
      }),
    project: root,
    home: homedir(),
    temporary: temporaryFolders(),
    isOwnPort,
    get versions() {
      return { turntape: toolVersion, node: process.versions.node, ...runner() }
    },
    updateCommand,
  }
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
